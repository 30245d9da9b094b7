// platform/reseller/game/: the reseller API's routes of game servers.

import * as z from "zod";
import { type Parted, partSecrets } from "../../../process/secret-parts.ts";
import { unspecified } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";
import type { GameBody } from "./list.ts";

/** A game server and its actions, both in the game module's layout. Passwords among its variables are separated. */
export interface GameServer extends Parted {
  server: unknown;
  capabilities: unknown;
}

const ServerParts = z.object({ server: z.unknown().optional(), capabilities: z.unknown().optional() });

/** GET /services/{id}/game. Reseller spec section 4. */
export const readGame = gameEndpoint("GET /services/{id}/game", async (call, id: string): Promise<GameServer> => {
  const parted = partSecrets(await call.envelope({ id }, unspecified));
  const { server = null, capabilities = null } = ServerParts.safeParse(parted.rest).data ?? {};
  return { ...parted, server, capabilities };
});

/** GET /services/{id}/game/addons: in the game module's layout. Reseller spec section 4. */
export const readGameAddons = gameEndpoint(
  "GET /services/{id}/game/addons",
  (call, id: string): Promise<unknown> => call.envelope({ id }, unspecified),
);

/** PATCH /services/{id}/game/vars: sets variables of the server. Reseller spec section 4. */
export const changeGameVars = gameEndpoint(
  "PATCH /services/{id}/game/vars",
  (call, id: string, body: GameBody): Promise<void> => call.done({ id }, { body }),
);

/** POST /services/{id}/game/power/{action}. The spec does not list the actions. Reseller spec section 4. */
export const powerGame = gameEndpoint(
  "POST /services/{id}/game/power/{action}",
  (call, id: string, action: string): Promise<void> => call.done({ id, action }),
);
