import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { Amount, Currency } from "../amounts.ts";
import { Id, orNull } from "../fields.ts";
import { inData } from "../http/data.ts";
import { inPages, pageOf } from "../http/pages.ts";
import { type CustomerScope, endpoint } from "./client.ts";

/** The profile and the context of a key. Only the balance is checked; other fields pass through unchanged. Spec section 2.2. */
const Account = z.looseObject({ credit_balance: Amount });

export const Balance = z.object({ balance: Amount, currency: Currency.nullable() });
export type Balance = z.infer<typeof Balance>;

const count = z.int().nonnegative();

const AccountUsage = z.object({
  services: z.object({ total: count, by_status: z.record(z.string(), count), active_recurring_amount: Amount }),
  invoices: z.object({ unpaid_count: count, unpaid_total: Amount, paid_this_month: Amount }),
  // The spec does not describe the content of `charges`.
  hourly: z.object({ charged_this_month: Amount, charges: z.unknown().optional() }),
  credit_balance: Amount,
  period: z.object({ month: z.string() }),
});

/** A row of the credit ledger; the spec does not show its fields. */
export const LedgerRow = z.record(z.string(), z.unknown());
export type LedgerRow = z.infer<typeof LedgerRow>;

export const readAccount = endpoint("GET /account", "read", "2.2, 4.1", inData(Account));

/** The permissions of the key's user in a team account, whatever the rest of the profile looks like; null where they are not known. */
export const readPermissions = endpoint(
  "GET /account",
  "read",
  "2.2, 5",
  inData(z.unknown().transform((account) => permissionsIn(account))),
);

/** The credit of the key's own user. */
export const readBalance = endpoint("GET /account/balance", "read", "2.2, 4.1", inData(Balance));

/** Services, open invoices and hourly charges of the month. */
export const readUsage = endpoint("GET /account/usage", "read", "2.2, 4.1", inData(AccountUsage));

/** A page of the credit ledger, 20 rows by default, 200 at most. */
export const listTransactions = endpoint(
  "GET /account/transactions",
  "read",
  "4.1, 8",
  pageOf("transactions", LedgerRow),
  inPages,
);

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
 * none is named, or one in another form: the member's permissions are then not known.
 */
export function permissionsIn(account: unknown): Permission[] | null {
  const granted = new Map(permissionEntries(account));
  if (granted.size === 0 || [...granted.values()].includes(null)) return null;
  return permissions.filter((permission) => granted.get(permission) === true);
}

/** Each permission that is named, with its switch; null where that is neither on nor off. */
function permissionEntries(value: unknown): [string, boolean | null][] {
  if (typeof value === "string") return isPermission(value) ? [[value, true]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, boolean | null][] => {
    if (isPermission(key)) return [[key, typeof inner === "boolean" ? inner : null]];
    // A name within an object may stand beside its switch: only a list of names grants them.
    if (typeof inner === "string" && isPermission(inner) && !Array.isArray(value)) return [[inner, null]];
    return permissionEntries(inner);
  });
}

function isPermission(text: string): boolean {
  return permissions.some((permission) => permission === text);
}

const ProjectName = z.object({ id: z.string(), name: PlainText });

/** The owner of a key, its scopes, and the project or team that it is limited to. Spec sections 2.2 and 5. */
const KeyIdentity = z.object({
  user: z.object({ id: Id, email: z.string(), name: orNull(PlainText) }),
  account: orNull(z.object({ id: Id, name: PlainText, owner: z.boolean() })),
  key: z.object({
    id: Id,
    label: orNull(PlainText),
    // Every key has `read`, so the platform may leave it out.
    scopes: z.array(z.string()).transform((scopes) => [...new Set(["read", ...scopes])]),
    project: orNull(ProjectName),
  }),
});

export const readKeyIdentity = endpoint("GET /", "read", "2.2", inData(KeyIdentity));
