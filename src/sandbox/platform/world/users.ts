import { seededId } from "./ids.ts";

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

interface Account {
  id: string;
  name: string;
}

export interface User {
  id: string;
  name: string;
  email: string;
  /** The team account they act in; null: only their own services. */
  account: Account | null;
  owner: boolean;
  permissions: Set<Permission>;
  /** In cents; spent by paying from credit. Balances are per user, also in a team. */
  balance: number;
  suspended: boolean;
}

export function createUsers(): Map<string, User> {
  const team: Account = { id: seededId("account", "team"), name: "Rackbell Practice" };
  const users = [
    person("ana", { account: team, owner: true, balance: 25_000 }),
    person("ben", { account: team, balance: 4_000 }),
    person("caro", { account: team, balance: 0 }),
    person("dave", { account: team, balance: 1_250 }),
    person("zoe", { balance: 9_900 }),
  ];
  return new Map(users.map((user) => [user.name, user]));
}

/** The holder of the services that this user sees: the team account, or only themselves. */
export function holderOf(user: User): string {
  return user.account?.id ?? user.id;
}

/** The account's owner, and whoever acts for themselves alone, is not limited by permissions. */
export function may(user: User, permission: Permission): boolean {
  return user.account === null || user.owner || user.permissions.has(permission);
}

function person(name: string, facts: { account?: Account; owner?: boolean; balance: number }): User {
  return {
    id: seededId("user", name),
    name,
    email: `${name}@example.test`,
    account: facts.account ?? null,
    owner: facts.owner ?? false,
    permissions: new Set(permissions),
    balance: facts.balance,
    suspended: false,
  };
}
