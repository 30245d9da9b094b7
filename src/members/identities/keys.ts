import { readKeyIdentity, readPermissions } from "../../platform/customer/account.ts";
import { type CustomerClient, customerScopes } from "../../platform/customer/client.ts";
import { type ApiName, nullIfRefused, PlatformRefused } from "../../platform/http/errors.ts";
import type { ResellerClient } from "../../platform/reseller/client.ts";
import { readBoundCustomer } from "../../platform/reseller/customers.ts";
import { readScopes } from "../../platform/reseller/scopes.ts";
import { keyCharacter } from "../../process/secret-parts.ts";
import type { CustomerLink, ResellerLink } from "./link.ts";
import { fingerprintOf } from "./link-store.ts";

/** The form of a key of each API. Customer spec section 5, reseller spec section 5. */
export const keyForms: Record<ApiName, RegExp> = {
  customer: /^fbk_[0-9a-fA-F]{8}_[0-9a-fA-F]{96}$/,
  reseller: new RegExp(`^rsk_${keyCharacter}{8}_${keyCharacter}{64}$`),
};

/** The public prefix of a key, which the portal shows; the rest is secret. */
export function prefixOf(key: string): string {
  return key.slice(4, 12);
}

/** The API of a key; null if the text is no key. */
export function apiOfKey(key: string): ApiName | null {
  if (keyForms.customer.test(key)) return "customer";
  return keyForms.reseller.test(key) ? "reseller" : null;
}

/**
 * Reads a customer key's user, account, scopes and permissions from the platform. Errors of the platform pass through. Customer spec
 * section 2.2.
 */
export async function describeCustomerKey(
  client: CustomerClient,
  who: { member: string; slackUser: string },
  now: number,
): Promise<CustomerLink> {
  const whole = client.in(null);
  const { user, account, key } = await readKeyIdentity(whole);
  return {
    api: "customer",
    member: who.member,
    slackUser: who.slackUser,
    keyId: key.id,
    keyLabel: key.label ?? "without a label",
    // No operation of this version needs a scope that it does not know.
    scopes: customerScopes.filter((scope) => key.scopes.includes(scope)),
    user: { id: user.id, name: user.name ?? user.email, email: user.email },
    account: account && { id: account.id, name: account.name, owner: account.owner },
    // An account's owner has all permissions, and so has a user without an account. Without them, the platform's refusals alone decide.
    permissions: account && !account.owner ? await readPermissions(whole).catch(nullIfRefused(403)) : null,
    bound: key.project && { id: key.project.id, name: key.project.name },
    project: null,
    rejectedAt: null,
    linkedAt: now,
    checkedAt: now,
  };
}

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
export async function customerOfKey(client: ResellerClient): Promise<ResellerLink["bound"]> {
  const bound = await readBoundCustomer(client).catch(unreadable);
  if (!bound) return null;
  const { id, external_customer_id: externalId, external_customer_name: name } = bound;
  return { id, name: name || externalId, externalId };
}

/** A key without the read scope cannot show its customer, but is still a valid key. */
function unreadable(error: unknown): null {
  if (error instanceof PlatformRefused && error.scope === "read") return null;
  throw error;
}
