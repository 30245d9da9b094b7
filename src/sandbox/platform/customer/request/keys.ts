import { randomBytes, randomUUID } from "node:crypto";
import { BlockList, isIP } from "node:net";
import type { World } from "../../world/world.ts";

export const scopes = ["read", "services", "orders", "billing", "destructive"] as const;
export type Scope = (typeof scopes)[number];

/** A key of the customer API. */
export interface Key {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  /** The name of the user. */
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

export interface KeyOptions {
  owner: string;
  label?: string;
  scopes?: readonly Scope[];
  project?: string;
  expiresAt?: number;
  allowlist?: string[];
  revoked?: boolean;
}

/** By what is sent. */
export type Keys = Map<string, Key>;

/** Mints a key as the panel does; `read` is always included. */
export function mintKey(world: World, keys: Keys, options: KeyOptions): Key {
  const { owner, label = `${owner}-${keys.size + 1}` } = options;
  if (!world.users.has(owner)) throw new Error(`Nobody is called ${owner}`);
  const key: Key = {
    id: randomUUID(),
    key: `fbk_${randomBytes(4).toString("hex")}_${randomBytes(48).toString("hex")}`,
    label,
    owner,
    scopes: ["read", ...(options.scopes ?? scopes).filter((scope) => scope !== "read")],
    project: options.project ?? null,
    expiresAt: options.expiresAt ?? null,
    allowlist: options.allowlist ?? [],
    revoked: options.revoked ?? false,
  };
  keys.set(key.key, key);
  return key;
}

/** The key that an Authorization header carries, good or not; undefined when there is none such. */
export function presentedKey(keys: Keys, authorization: string | undefined): Key | undefined {
  const secret = /^Bearer (fbk_[0-9a-f]{8}_[0-9a-f]{96})$/.exec(authorization ?? "")?.[1];
  return secret === undefined ? undefined : keys.get(secret);
}

/** A key that is bound to a project dies with it. */
export function isAlive(world: World, key: Key): boolean {
  if (key.revoked) return false;
  if (key.expiresAt !== null && key.expiresAt <= world.clock.now()) return false;
  return key.project === null || world.projects.has(key.project);
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
