import { done, unspecified } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";
import { byGameQuery, GameList, inGameBody } from "./list.ts";

/** The installed mods. */
export const listMods = gameEndpoint("GET /services/{id}/game/mods", "read", "4", GameList);

/** The sites that mods come from. */
export const readModSources = gameEndpoint("GET /services/{id}/game/mods/sources", "read", "4", unspecified);

/** The spec shows the query of none of these three routes. */
export const searchMods = gameEndpoint("GET /services/{id}/game/mods/search", "read", "4", unspecified, byGameQuery);

export const readModVersions = gameEndpoint(
  "GET /services/{id}/game/mods/versions",
  "read",
  "4",
  unspecified,
  byGameQuery,
);

export const readModProject = gameEndpoint(
  "GET /services/{id}/game/mods/project",
  "read",
  "4",
  unspecified,
  byGameQuery,
);

/** Installs a mod. Gives what the module answered. */
export const installMod = gameEndpoint("POST /services/{id}/game/mods", "services", "4", unspecified, inGameBody);

/** Installs the member's own mod. Gives what the module answered. */
export const uploadMod = gameEndpoint("POST /services/{id}/game/mods/upload", "services", "4", unspecified, inGameBody);

export const removeMod = gameEndpoint("DELETE /services/{id}/game/mods/{gameModId}", "services", "4", done, {
  removes: true,
});
