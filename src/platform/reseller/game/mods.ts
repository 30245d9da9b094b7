import { done, notShown } from "../../http/data.ts";
import { path, type Query } from "../../http/path.ts";
import type { ResellerClient } from "../client.ts";
import { type GameBody, GameList } from "./list.ts";

/** GET /services/{id}/game/mods: those that are installed. Reseller spec section 4. */
export function listMods(client: ResellerClient, id: string): Promise<GameList> {
  return client.get(path("/services/{id}/game/mods", { id }), GameList);
}

/** GET /services/{id}/game/mods/sources: where mods can be had. Reseller spec section 4. */
export function readModSources(client: ResellerClient, id: string): Promise<unknown> {
  return client.get(path("/services/{id}/game/mods/sources", { id }), notShown);
}

/** GET /services/{id}/game/mods/search; what the query may say, the spec shows of none of these three. Reseller spec section 4. */
export function searchMods(client: ResellerClient, id: string, query: Query): Promise<unknown> {
  return client.get(path("/services/{id}/game/mods/search", { id }), notShown, query);
}

/** GET /services/{id}/game/mods/versions. Reseller spec section 4. */
export function readModVersions(client: ResellerClient, id: string, query: Query): Promise<unknown> {
  return client.get(path("/services/{id}/game/mods/versions", { id }), notShown, query);
}

/** GET /services/{id}/game/mods/project. Reseller spec section 4. */
export function readModProject(client: ResellerClient, id: string, query: Query): Promise<unknown> {
  return client.get(path("/services/{id}/game/mods/project", { id }), notShown, query);
}

/** POST /services/{id}/game/mods: installs one. Gives what the module answered. Reseller spec section 4. */
export function installMod(client: ResellerClient, id: string, body: GameBody): Promise<unknown> {
  return client.send("POST", path("/services/{id}/game/mods", { id }), notShown, body);
}

/** POST /services/{id}/game/mods/upload: installs one of one's own. Gives what the module answered. Reseller spec section 4. */
export function uploadMod(client: ResellerClient, id: string, body: GameBody): Promise<unknown> {
  return client.send("POST", path("/services/{id}/game/mods/upload", { id }), notShown, body);
}

/** DELETE /services/{id}/game/mods/{gameModId}. Reseller spec section 4. */
export async function removeMod(client: ResellerClient, id: string, gameModId: string): Promise<void> {
  await client.send("DELETE", path("/services/{id}/game/mods/{gameModId}", { id, gameModId }), done);
}
