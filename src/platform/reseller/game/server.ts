// platform/reseller/game/: the reseller API's routes of game servers.

import * as z from "zod";
import type { Parted } from "../../../process/secret-parts.ts";
import { done, parted, unspecified } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";
import { inGameBody } from "./list.ts";

/** A game server and its actions, both in the game module's layout. Passwords among its variables are separated. */
export interface GameServer extends Parted {
  server: unknown;
  capabilities: unknown;
}

const ServerParts = z.object({ server: z.unknown().optional(), capabilities: z.unknown().optional() });

export const readGame = gameEndpoint(
  "GET /services/{id}/game",
  "read",
  "4",
  parted.transform((answer): GameServer => {
    const { server = null, capabilities = null } = ServerParts.safeParse(answer.rest).data ?? {};
    return { ...answer, server, capabilities };
  }),
);

/** In the game module's layout. */
export const readGameAddons = gameEndpoint("GET /services/{id}/game/addons", "read", "4", unspecified);

/** Sets variables of the server. */
export const changeGameVars = gameEndpoint("PATCH /services/{id}/game/vars", "services", "4", done, inGameBody);

/** The spec does not list the actions. */
export const powerGame = gameEndpoint("POST /services/{id}/game/power/{action}", "services", "4", done);
