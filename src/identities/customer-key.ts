import { readAccount } from "../platform/customer/account.ts";
import type { CustomerClient } from "../platform/customer/client.ts";
import { customerScopes } from "../platform/customer/client.ts";
import { readIdentity } from "../platform/customer/identity.ts";
import { type Permission, permissionsIn } from "../platform/customer/permissions.ts";
import { PlatformRefused } from "../platform/http/errors.ts";
import type { CustomerLink } from "./link.ts";

/** What the platform says of a customer key now. Platform errors pass through. Customer spec section 2.2. */
export async function describeCustomerKey(
  client: CustomerClient,
  who: { member: string; slackUser: string },
  now: number,
): Promise<CustomerLink> {
  const whole = client.in(null);
  const { user, account, key } = await readIdentity(whole);
  return {
    v: 2,
    api: "customer",
    member: who.member,
    slackUser: who.slackUser,
    keyId: key.id,
    keyLabel: key.label ?? "without a label",
    // A scope that this version does not know opens nothing here.
    scopes: customerScopes.filter((scope) => key.scopes.includes(scope)),
    user: { id: user.id, name: user.name ?? user.email, email: user.email },
    account: account && { id: account.id, name: account.name, owner: account.owner },
    // Its owner is limited in nothing, and neither is who acts for themselves alone.
    permissions: account && !account.owner ? await readPermissions(whole) : null,
    bound: key.project && { id: key.project.id, name: key.project.name },
    project: null,
    rejectedAt: null,
    linkedAt: now,
    checkedAt: now,
    usedAt: null,
  };
}

/** Null where the platform does not let the member read them: then it alone says what it permits. */
async function readPermissions(client: CustomerClient): Promise<Permission[] | null> {
  try {
    return permissionsIn(await readAccount(client));
  } catch (error) {
    if (error instanceof PlatformRefused && error.status === 403) return null;
    throw error;
  }
}
