import type { ApiRequest } from "../../http/api.ts";
import { badField, forbidden } from "../../http/refusal.ts";
import type { Programme } from "../../programme/programme.ts";
import { isUuid } from "../../world/ids.ts";
import type { World } from "../../world/world.ts";
import { type Route, unauthorized } from "./call.ts";
import { isAlive, presentedKey, type ResellerKey, type ResellerKeys } from "./keys.ts";

// One check a function, in the order in which the platform makes them (spec sections 5 and 5.1).

export function refuseWithoutFeature({ settings }: Programme): void {
  if (!settings.feature) throw forbidden("The reseller programme is not enabled", "FEATURE_DISABLED");
}

export function authenticate(world: World, keys: ResellerKeys, request: ApiRequest): ResellerKey {
  const header = request.header("authorization");
  const sent = /^Bearer (\S+)$/.exec(header ?? "")?.[1];
  if (sent === undefined) throw unauthorized("Missing or invalid Authorization header");
  if (!/^rsk_[0-9a-f]{8}_[0-9a-f]{64}$/.test(sent)) throw unauthorized("Invalid API key format");
  const key = presentedKey(keys, header);
  if (key === undefined || !isAlive(world, key)) throw unauthorized("Invalid API key");
  return key;
}

export function refuseMissingScope(route: Route, key: ResellerKey): void {
  if (key.scopes.includes(route.scope)) return;
  throw forbidden(`API key is missing the required scope: ${route.scope}`);
}

/** The ids of the game module are its own. */
export function refuseMalformedIds(params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    const foreign = ["gameBackupId", "gameModId", "scheduleId", "backupId", "keyId", "methodId"].includes(name);
    if (!foreign && (name === "id" || name.endsWith("Id")) && !isUuid(value)) {
      throw badField(name, `${name} must be a uuid`);
    }
  }
}
