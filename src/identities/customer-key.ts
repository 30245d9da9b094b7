import type { CustomerClient } from "../platform/customer/client.ts";
import { customerScopes } from "../platform/customer/client.ts";
import { readIdentity } from "../platform/customer/identity.ts";
import type { CustomerLink } from "./link.ts";

/** What the platform says of a customer key now. Platform errors pass through. Customer spec section 2.2. */
export async function describeCustomerKey(
  client: CustomerClient,
  who: { member: string; slackUser: string },
  now: number,
): Promise<CustomerLink> {
  const { user, account, key } = await readIdentity(client.in(null));
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
    bound: key.project && { id: key.project.id, name: key.project.name },
    project: null,
    rejectedAt: null,
    linkedAt: now,
    checkedAt: now,
  };
}
