import * as z from "zod";
import { type CustomerScope, customerScopes } from "../platform/customer/client.ts";
import type { ApiName } from "../platform/http/errors.ts";
import { type ResellerScope, resellerScopes } from "../platform/reseller/client.ts";

const Named = z.object({ id: z.string(), name: z.string() });

/** What is known of a member's linked key of either API; the key itself stays sealed in this room. */
const Common = {
  v: z.literal(2),
  member: z.string(),
  slackUser: z.string(),
  /** Stands for the key where it must be told apart from others; it is no part of the key. */
  keyId: z.string(),
  keyLabel: z.string(),
  /** Set when the platform last rejected the key. */
  rejectedAt: z.number().nullable(),
  linkedAt: z.number(),
  checkedAt: z.number(),
};

/** A linked customer key. Customer spec sections 2.2 and 5. */
export const CustomerLink = z.object({
  ...Common,
  api: z.literal("customer"),
  scopes: z.array(z.enum(customerScopes)),
  user: Named.extend({ email: z.string() }),
  account: Named.extend({ owner: z.boolean() }).nullable(),
  /** The project that the key is confined to. */
  bound: Named.nullable(),
  /** The project that the member chose to work in. */
  project: Named.nullable(),
});
export type CustomerLink = z.infer<typeof CustomerLink>;

/** A linked reseller key: no route tells whose it is, so that it has no user. Reseller spec section 5. */
export const ResellerLink = z.object({
  ...Common,
  api: z.literal("reseller"),
  scopes: z.array(z.enum(resellerScopes)),
  /** The one customer that the key is bound to, where that could be seen. */
  bound: Named.nullable(),
});
export type ResellerLink = z.infer<typeof ResellerLink>;

export interface LinkOf {
  customer: CustomerLink;
  reseller: ResellerLink;
}
export type Link = CustomerLink | ResellerLink;

/** What one member has linked: at most one key of each API. */
export interface Links {
  member: string;
  customer: CustomerLink | null;
  reseller: ResellerLink | null;
}

export function hasLink({ customer, reseller }: Links): boolean {
  return customer !== null || reseller !== null;
}

/** Whether a link's key has a scope: a scope means something within its own API alone. */
export function hasScope(
  links: Links,
  needed: { api: "customer"; scope: CustomerScope } | { api: "reseller"; scope: ResellerScope },
): boolean {
  if (needed.api === "customer") return links.customer?.scopes.includes(needed.scope) ?? false;
  return links.reseller?.scopes.includes(needed.scope) ?? false;
}

/** What a person calls a key of an API. */
export const keyNames: Record<ApiName, string> = { customer: "key", reseller: "reseller key" };

/**
 * Whether two members are proven to be two people: by the platform's own users, each behind a key of their own. A reseller key has no
 * user, so that two of them prove nothing (design section 4). Whatever is not known says no.
 */
export function areTwoPeople(one: Links, other: Links): boolean {
  const [a, b] = [one.customer, other.customer];
  if (!a || !b || one.member === other.member || a.slackUser === b.slackUser) return false;
  if (a.user.id === b.user.id || a.keyId === b.keyId) return false;
  return one.reseller === null || one.reseller.keyId !== other.reseller?.keyId;
}
