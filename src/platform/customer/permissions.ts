import type { CustomerScope } from "./client.ts";

/** The permissions that a team account can give a member. Spec section 5. */
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

/** For each scope the permissions that make it usable; any one of them is enough. Spec section 5. */
export const permissionsFor: Record<CustomerScope, readonly Permission[]> = {
  read: ["services.view", "invoices.view", "billing.view"],
  services: ["services.manage", "services.power"],
  orders: ["services.manage"],
  billing: ["invoices.pay"],
  destructive: ["services.cancel"],
};

/**
 * The permissions named anywhere in the account. The spec does not show their place, nor whether they are a list or switches. Null where
 * none is named: the member's permissions are then not known.
 */
export function permissionsIn(account: unknown): Permission[] | null {
  const granted = new Map(permissionEntries(account));
  if (granted.size === 0) return null;
  return permissions.filter((permission) => granted.get(permission) === true);
}

function permissionEntries(value: unknown): [string, boolean][] {
  if (typeof value === "string") return isPermission(value) ? [[value, true]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, boolean][] => {
    if (isPermission(key)) return [[key, inner === true]];
    return permissionEntries(inner);
  });
}

function isPermission(text: string): boolean {
  return permissions.some((permission) => permission === text);
}
