import { randomBytes } from "node:crypto";
import type { Partner } from "../../programme/partner.ts";
import type { World } from "../../world/world.ts";

export const resellerScopes = ["read", "orders", "services", "destructive", "customers", "account"] as const;
export type ResellerScope = (typeof resellerScopes)[number];

/** A key of the reseller API (spec section 5). */
export interface ResellerKey {
  readonly key: string;
  readonly label: string;
  readonly partner: Partner;
  scopes: ResellerScope[];
  /** The id of the customer that it is bound to. */
  customer: string | null;
  /** Its own hourly limit; null: the programme's. */
  hourlyLimit: number | null;
  /** Milliseconds since the epoch. */
  expiresAt: number | null;
  revoked: boolean;
}

export interface ResellerKeyOptions extends Partial<Omit<ResellerKey, "key" | "partner" | "scopes">> {
  scopes?: readonly ResellerScope[];
}

/** By what is sent. */
export type ResellerKeys = Map<string, ResellerKey>;

const mostKeys = 20;
const unbound: ResellerScope[] = ["customers", "account"];

/** Mints a key as the portal does: with `read` by default. A key that is bound to a customer has neither `customers` nor `account`. */
export function mintResellerKey(keys: ResellerKeys, partner: Partner, options: ResellerKeyOptions = {}): ResellerKey {
  const unrevoked = [...keys.values()].filter((one) => one.partner === partner && !one.revoked);
  if (unrevoked.length >= mostKeys) throw new Error("A partner has at most 20 unrevoked keys");
  const { scopes = ["read"], customer = null, label = `reseller-${keys.size + 1}` } = options;
  const key: ResellerKey = {
    key: `rsk_${randomBytes(4).toString("hex")}_${randomBytes(32).toString("hex")}`,
    label,
    partner,
    scopes: customer === null ? [...scopes] : scopes.filter((scope) => !unbound.includes(scope)),
    customer,
    hourlyLimit: options.hourlyLimit ?? null,
    expiresAt: options.expiresAt ?? null,
    revoked: options.revoked ?? false,
  };
  keys.set(key.key, key);
  return key;
}

/** The key that an Authorization header carries, good or not; undefined when there is none such. */
export function presentedKey(keys: ResellerKeys, authorization: string | undefined): ResellerKey | undefined {
  const secret = /^Bearer (rsk_\S+)$/.exec(authorization ?? "")?.[1];
  return secret === undefined ? undefined : keys.get(secret);
}

/** The caller cannot distinguish a key that is revoked, expired, unknown, or of an inactive partner (spec section 5). */
export function isAlive(world: World, key: ResellerKey): boolean {
  if (key.revoked || key.partner.status !== "active") return false;
  return key.expiresAt === null || key.expiresAt > world.clock.now();
}
