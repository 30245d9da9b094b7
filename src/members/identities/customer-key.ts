import { type Permission, permissionsIn, readAccount } from "../../platform/customer/account.ts";
import { type CustomerClient, customerScopes } from "../../platform/customer/client.ts";
import { readKeyIdentity } from "../../platform/customer/identity.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import type { CustomerLink } from "./link.ts";

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
    // An account's owner has all permissions, and so has a user without an account.
    permissions: account && !account.owner ? await readPermissions(whole) : null,
    bound: key.project && { id: key.project.id, name: key.project.name },
    project: null,
    rejectedAt: null,
    linkedAt: now,
    checkedAt: now,
  };
}

/** Null if the platform refuses to show the permissions. Then its refusals alone decide what the member may do. */
async function readPermissions(client: CustomerClient): Promise<Permission[] | null> {
  const account = await readAccount(client).catch(nullIfRefused(403));
  return account && permissionsIn(account);
}
