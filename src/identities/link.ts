import * as z from "zod";
import { type CustomerScope, customerScopes } from "../platform/customer/client.ts";
import { type Permission, permissions, permissionsFor } from "../platform/customer/permissions.ts";
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
  /** When the member last did something with it, to the hour; null where they have not yet. */
  usedAt: z.number().nullable().default(null),
};

/** A linked customer key. Customer spec sections 2.2 and 5. */
export const CustomerLink = z.object({
  ...Common,
  api: z.literal("customer"),
  scopes: z.array(z.enum(customerScopes)),
  user: Named.extend({ email: z.string() }),
  account: Named.extend({ owner: z.boolean() }).nullable(),
  /** What the account permits this member; null where it limits them in nothing, or does not say. */
  permissions: z.array(z.enum(permissions)).nullable().default(null),
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

/** Who of Slack's users a member is; null for one who has linked nothing. */
export function slackUserOf({ customer, reseller }: Links): string | null {
  return customer?.slackUser ?? reseller?.slackUser ?? null;
}

/** A scope of one of the APIs. */
type Needed = { api: "customer"; scope: CustomerScope } | { api: "reseller"; scope: ResellerScope };

/** Whether a link's key has a scope: a scope means something within its own API alone. */
export function hasScope(links: Links, needed: Needed): boolean {
  if (needed.api === "customer") return links.customer?.scopes.includes(needed.scope) ?? false;
  return links.reseller?.scopes.includes(needed.scope) ?? false;
}

/** The permissions of which the account would have to give one, where it gives none for this scope; null where it does not stand in the way. Customer spec section 5. */
export function permissionsMissing({ customer }: Links, needed: Needed): readonly Permission[] | null {
  if (needed.api !== "customer" || !customer?.permissions) return null;
  const { permissions: held } = customer;
  const wanted = permissionsFor[needed.scope];
  return wanted.some((permission) => held.includes(permission)) ? null : wanted;
}

/** Whether what a member has linked allows something that needs a scope: the key has it, and the account permits what it is for. */
export function allows(links: Links, needed: Needed): boolean {
  return hasScope(links, needed) && permissionsMissing(links, needed) === null;
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
