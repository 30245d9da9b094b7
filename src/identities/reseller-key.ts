import { PlatformRefused } from "../platform/http/errors.ts";
import type { ResellerClient } from "../platform/reseller/client.ts";
import { readBoundCustomer } from "../platform/reseller/customers.ts";
import { learnScopes } from "../platform/reseller/scopes.ts";
import { prefixOf } from "./key-forms.ts";
import type { ResellerLink } from "./link.ts";
import { fingerprintOf } from "./link-store.ts";

/**
 * What can be learnt of a reseller key now: that it is accepted, what it may do, and the customer that it is bound to. It has no
 * identity route. Platform errors pass through. Reseller spec section 5.
 */
export async function describeResellerKey(
  client: ResellerClient,
  key: string,
  who: { member: string; slackUser: string },
  now: number,
): Promise<ResellerLink> {
  // The read comes first: it alone tells a key that is not accepted from one that lacks scopes.
  const bound = await customerOfKey(client);
  const scopes = await learnScopes(client);
  return {
    v: 2,
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
    usedAt: null,
  };
}

/** The customer that a key is bound to, as far as it tells; throws where the platform does not take the key. */
export function customerOfKey(client: ResellerClient): Promise<ResellerLink["bound"]> {
  return readBoundCustomer(client).catch(unreadable);
}

/** A key that may not read cannot tell its customer, and is a key all the same. */
function unreadable(error: unknown): null {
  if (error instanceof PlatformRefused && error.scope === "read") return null;
  throw error;
}
