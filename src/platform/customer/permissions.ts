import type { CustomerScope } from "./client.ts";

/** What a team account may permit a member. Spec section 5. */
export const permissions = [
  "services.view",
  "services.manage",
  "services.power",
  "services.cancel",
  "invoices.view",
  "invoices.pay",
  "billing.view",
] as const;
export type Permission = (typeof permissions)[number];

/** A scope is of use with any one of these. Spec section 5. */
export const permissionsFor: Record<CustomerScope, readonly Permission[]> = {
  read: ["services.view", "invoices.view", "billing.view"],
  services: ["services.manage", "services.power"],
  orders: ["services.manage"],
  billing: ["invoices.pay"],
  destructive: ["services.cancel"],
};

/**
 * The permissions named anywhere in what the platform tells of an account: where they stand there, and whether as a list or as switches,
 * the spec does not say. Null where none is named, so that nothing is known of them.
 */
export function permissionsIn(account: unknown): Permission[] | null {
  const said = new Map(mentions(account));
  if (said.size === 0) return null;
  return permissions.filter((permission) => said.get(permission) === true);
}

function mentions(value: unknown): [string, boolean][] {
  if (typeof value === "string") return isPermission(value) ? [[value, true]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, boolean][] => {
    if (isPermission(key)) return [[key, inner === true]];
    return mentions(inner);
  });
}

function isPermission(text: string): boolean {
  return permissions.some((permission) => permission === text);
}
