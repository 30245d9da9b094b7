import { PlatformRefused } from "../../platform/http/errors.ts";
import type { ResellerClient } from "../../platform/reseller/client.ts";
import { readBoundCustomer } from "../../platform/reseller/customers.ts";
import { readScopes } from "../../platform/reseller/scopes.ts";
import { prefixOf } from "./key-forms.ts";
import type { ResellerLink } from "./link.ts";
import { fingerprintOf } from "./link-store.ts";

/**
 * Reads a reseller key's scopes and bound customer from the platform, which has no route for the key's identity. Errors of the platform
 * pass through. Reseller spec section 5.
 */
export async function describeResellerKey(
  client: ResellerClient,
  key: string,
  who: { member: string; slackUser: string },
  now: number,
): Promise<ResellerLink> {
  // Read first: only this call tells a rejected key from one that lacks scopes.
  const bound = await customerOfKey(client);
  const scopes = await readScopes(client);
  return {
    api: "reseller",
    member: who.member,
    slackUser: who.slackUser,
    keyId: fingerprintOf(key).slice(0, 16),
    keyLabel: `reseller ${prefixOf(key)}`,
    scopes,
    bound,
    rejectedAt: null,
    linkedAt: now,
    checkedAt: now,
  };
}

/** The customer that a key is bound to; null if none shows. Throws if the platform rejects the key. */
export function customerOfKey(client: ResellerClient): Promise<ResellerLink["bound"]> {
  return readBoundCustomer(client).catch(unreadable);
}

/** A key without the read scope cannot show its customer, but is still a valid key. */
function unreadable(error: unknown): null {
  if (error instanceof PlatformRefused && error.scope === "read") return null;
  throw error;
}
