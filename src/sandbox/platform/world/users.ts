import { randomUUID } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { randomKey, seededId } from "./ids.ts";

export const scopes = ["read", "services", "orders", "billing", "destructive"] as const;
export type Scope = (typeof scopes)[number];

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

export interface Key {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  readonly owner: string;
  scopes: Scope[];
  /** The project it is bound to: its id. */
  project: string | null;
  /** Milliseconds since the epoch. */
  expiresAt: number | null;
  /** Addresses or CIDR ranges; empty: from anywhere. */
  allowlist: string[];
  revoked: boolean;
}

export interface KeyWish {
  owner: string;
  label?: string;
  scopes?: readonly Scope[];
  project?: string;
  expiresAt?: number;
  allowlist?: string[];
  revoked?: boolean;
}

export interface People {
  users: Map<string, User>;
  keys: Map<string, Key>;
}

export function createPeople(): People {
  const team: Account = { id: seededId("account", "team"), name: "Rackbell Practice" };
  const users = [
    person("ana", { account: team, owner: true, balance: 25_000 }),
    person("ben", { account: team, balance: 4_000 }),
    person("caro", { account: team, balance: 0 }),
    person("dave", { account: team, balance: 1_250 }),
    person("zoe", { balance: 9_900 }),
  ];
  return { users: new Map(users.map((user) => [user.name, user])), keys: new Map() };
}

/** Mints a key as the panel does; `read` is always included. */
export function mintKey(people: People, wish: KeyWish): Key {
  if (!people.users.has(wish.owner)) throw new Error(`Nobody is called ${wish.owner}`);
  const key: Key = {
    id: randomUUID(),
    key: randomKey(),
    label: wish.label ?? `${wish.owner}-${people.keys.size + 1}`,
    owner: wish.owner,
    scopes: ["read", ...(wish.scopes ?? scopes).filter((scope) => scope !== "read")],
    project: wish.project ?? null,
    expiresAt: wish.expiresAt ?? null,
    allowlist: wish.allowlist ?? [],
    revoked: wish.revoked ?? false,
  };
  people.keys.set(key.key, key);
  return key;
}

/** Who holds what this user sees: the team account, or only themselves. */
export function holderOf(user: User): string {
  return user.account?.id ?? user.id;
}

/** The account's owner, and whoever acts for themselves alone, is not limited by permissions. */
export function may(user: User, permission: Permission): boolean {
  return user.account === null || user.owner || user.permissions.has(permission);
}

export function allowedFrom(key: Key, address: string): boolean {
  if (key.allowlist.length === 0) return true;
  const list = new BlockList();
  for (const entry of key.allowlist) {
    const [net = "", prefix] = entry.split("/");
    const family = isIP(net) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(prefix), family);
  }
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function person(name: string, with_: { account?: Account; owner?: boolean; balance: number }): User {
  return {
    id: seededId("user", name),
    name,
    email: `${name}@example.test`,
    account: with_.account ?? null,
    owner: with_.owner ?? false,
    permissions: new Set(permissions),
    balance: with_.balance,
    suspended: false,
  };
}
