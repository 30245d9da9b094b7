import { unspecified } from "../../http/data.ts";
import type { Query } from "../../http/path.ts";
import { gameEndpoint } from "./endpoint.ts";
import { type GameBody, GameList } from "./list.ts";

/** GET /services/{id}/game/mods: the installed mods. Reseller spec section 4. */
export const listMods = gameEndpoint(
  "GET /services/{id}/game/mods",
  (call, id: string): Promise<GameList> => call.envelope({ id }, GameList),
);

/** GET /services/{id}/game/mods/sources: the sites that mods come from. Reseller spec section 4. */
export const readModSources = gameEndpoint(
  "GET /services/{id}/game/mods/sources",
  (call, id: string): Promise<unknown> => call.envelope({ id }, unspecified),
);

/** GET /services/{id}/game/mods/search. The spec shows the query of none of the next three routes. Reseller spec section 4. */
export const searchMods = gameEndpoint(
  "GET /services/{id}/game/mods/search",
  (call, id: string, query: Query): Promise<unknown> => call.envelope({ id }, unspecified, { query }),
);

/** GET /services/{id}/game/mods/versions. Reseller spec section 4. */
export const readModVersions = gameEndpoint(
  "GET /services/{id}/game/mods/versions",
  (call, id: string, query: Query): Promise<unknown> => call.envelope({ id }, unspecified, { query }),
);

/** GET /services/{id}/game/mods/project. Reseller spec section 4. */
export const readModProject = gameEndpoint(
  "GET /services/{id}/game/mods/project",
  (call, id: string, query: Query): Promise<unknown> => call.envelope({ id }, unspecified, { query }),
);

/** POST /services/{id}/game/mods: installs a mod. Gives what the module answered. Reseller spec section 4. */
export const installMod = gameEndpoint(
  "POST /services/{id}/game/mods",
  (call, id: string, body: GameBody): Promise<unknown> => call.envelope({ id }, unspecified, { body }),
);

/** POST /services/{id}/game/mods/upload: installs the member's own mod. Gives what the module answered. Reseller spec section 4. */
export const uploadMod = gameEndpoint(
  "POST /services/{id}/game/mods/upload",
  (call, id: string, body: GameBody): Promise<unknown> => call.envelope({ id }, unspecified, { body }),
);

/** DELETE /services/{id}/game/mods/{gameModId}. Reseller spec section 4. */
export const removeMod = gameEndpoint(
  "DELETE /services/{id}/game/mods/{gameModId}",
  (call, id: string, gameModId: string): Promise<void> => call.done({ id, gameModId }),
);
