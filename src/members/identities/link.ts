import * as z from "#zod";
import { type Permission, permissions, permissionsFor } from "../../platform/customer/account.ts";
import { type CustomerScope, customerScopes } from "../../platform/customer/client.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { type ResellerScope, resellerScopes } from "../../platform/reseller/client.ts";
import { PlainText } from "../../process/plain-text.ts";

const IdAndName = z.object({ id: z.string(), name: PlainText });

/** The fields of a linked key of either API; the key itself stays sealed in this room. */
const CommonFields = {
  member: z.string(),
  slackUser: z.string(),
  /** Tells the key apart from others; it is no part of the key. */
  keyId: z.string(),
  keyLabel: PlainText,
  /** Set when the platform last rejected the key. */
  rejectedAt: z.number().nullable(),
  linkedAt: z.number(),
  checkedAt: z.number(),
};

/** A linked customer key. Customer spec sections 2.2 and 5. */
export const CustomerLink = z.object({
  ...CommonFields,
  api: z.literal("customer"),
  scopes: z.array(z.enum(customerScopes)),
  user: IdAndName.extend({ email: z.string() }),
  account: IdAndName.extend({ owner: z.boolean() }).nullable(),
  /** The member's permissions in the account; null if they are unlimited, or if the platform does not show them. */
  permissions: z.array(z.enum(permissions)).nullable(),
  /** The project that the key is confined to. */
  bound: IdAndName.nullable(),
  /** The project that the member chose to work in. */
  project: IdAndName.nullable(),
});
export type CustomerLink = z.infer<typeof CustomerLink>;

/** A linked reseller key. It has no user, since no route names the key's owner. Reseller spec section 5. */
export const ResellerLink = z.object({
  ...CommonFields,
  api: z.literal("reseller"),
  scopes: z.array(z.enum(resellerScopes)),
  /** The one customer that the key is bound to, if a read shows one. A key keeps its binding, and a customer its external id. */
  bound: IdAndName.extend({ externalId: z.string() }).nullable(),
});
export type ResellerLink = z.infer<typeof ResellerLink>;

export interface LinkOf {
  customer: CustomerLink;
  reseller: ResellerLink;
}
export type Link = CustomerLink | ResellerLink;

/** All links of one member: at most one key of each API. */
export interface Links {
  member: string;
  customer: CustomerLink | null;
  reseller: ResellerLink | null;
  /** Set while the workspace has no signing secret: the platform would refuse every write to the reseller API. */
  unsigned?: true;
}

export function hasLink({ customer, reseller }: Links): boolean {
  return customer !== null || reseller !== null;
}

/** The label of the key that an audit entry names for the member; empty without a key. */
export function shownKeyLabel({ customer, reseller }: Links): PlainText {
  return (customer ?? reseller)?.keyLabel ?? "";
}

/** The member's links, of one API or of both. */
export function linksIn({ customer, reseller }: Links): Link[] {
  return [customer, reseller].filter((link) => link !== null);
}

/** The member's Slack user id; null if they have linked nothing. */
export function slackUserOf({ customer, reseller }: Links): string | null {
  return customer?.slackUser ?? reseller?.slackUser ?? null;
}

/** A scope of one of the APIs. */
type RequiredScope = { api: "customer"; scope: CustomerScope } | { api: "reseller"; scope: ResellerScope };

/** True if the member's key of that API has the scope. Scopes of one API mean nothing in the other. */
export function hasScope(links: Links, needed: RequiredScope): boolean {
  if (needed.api === "customer") return links.customer?.scopes.includes(needed.scope) ?? false;
  return links.reseller?.scopes.includes(needed.scope) ?? false;
}

/**
 * The permissions of which one would allow this scope, if the account grants none of them; null if permissions allow it. Customer spec
 * section 5.
 */
export function permissionsMissing({ customer }: Links, needed: RequiredScope): readonly Permission[] | null {
  if (needed.api !== "customer" || !customer?.permissions) return null;
  const { permissions: held } = customer;
  const sufficient = permissionsFor[needed.scope];
  return sufficient.some((permission) => held.includes(permission)) ? null : sufficient;
}

/** True if the key has the scope and the account's permissions allow its use. */
export function allows(links: Links, needed: RequiredScope): boolean {
  return hasScope(links, needed) && permissionsMissing(links, needed) === null;
}

/** The name of each API's key in sentences. */
export const keyNames: Record<ApiName, string> = { customer: "key", reseller: "reseller key" };
