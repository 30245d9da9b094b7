import type { CustomerLink } from "../../../src/members/identities/link.ts";

/** The link of a customer key that may only read, with the facts that a test is about. */
export function customerLink(facts: Partial<CustomerLink>): CustomerLink {
  return {
    api: "customer",
    member: "T:U",
    slackUser: "U",
    keyId: "k",
    keyLabel: "k",
    scopes: ["read"],
    user: { id: "u", name: "u", email: "u@example.com" },
    account: null,
    permissions: null,
    bound: null,
    project: null,
    rejectedAt: null,
    linkedAt: 0,
    checkedAt: 0,
    ...facts,
  };
}
