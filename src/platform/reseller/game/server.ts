// platform/reseller/game/: the reseller API's routes of game servers.

import * as z from "#zod";
import type { Parted } from "../../../process/secret-parts.ts";
import { done, parted, unspecified } from "../../http/data.ts";
import { acceptedJob } from "../../job-answer.ts";
import { type GameBody, gameEndpoint, inGameBody } from "./endpoint.ts";

/** A game server, in the game module's layout. Passwords among its variables are separated. */
export interface GameServer extends Parted {
  server: unknown;
}

const ServerParts = z.object({ server: z.unknown().optional() });

export const readGame = gameEndpoint(
  "GET /services/{id}/game",
  "read",
  "4",
  parted.transform((answer): GameServer => {
    const { server = null } = ServerParts.safeParse(answer.rest).data ?? {};
    return { ...answer, server };
  }),
);

/** In the game module's layout. */
export const readGameAddons = gameEndpoint("GET /services/{id}/game/addons", "read", "4", unspecified);

/** Sets variables of the server. */
export const changeGameVars = gameEndpoint("PATCH /services/{id}/game/vars", "services", "4", done, inGameBody);

/** The spec does not list the actions. */
export const powerGame = gameEndpoint("POST /services/{id}/game/power/{action}", "services", "4", acceptedJob);

/** The console of a game server. `token` is a secret. Reseller spec section 4. */
const GameConsole = z.object({
  origin: z.string().nullish(),
  wsOrigin: z.string().min(1),
  ws_path: z.string(),
  token: z.string().min(1),
});
type GameConsole = z.infer<typeof GameConsole>;

/** Opens a session. The spec does not show the fields of the body. */
export const openGameConsole = gameEndpoint(
  "POST /services/{id}/game/console",
  "services",
  "4",
  unspecified.pipe(GameConsole),
  {
    sends: (body?: GameBody) => ({ body }),
  },
);

/** The address of the websocket, with its token: a credential. Reseller spec section 4. */
export function gameConsoleAddress({ wsOrigin, ws_path, token }: GameConsole): string {
  return `${wsOrigin}${ws_path}?token=${encodeURIComponent(token)}`;
}

/** How to reach the files. A password in the answer is among the secrets. */
export const readSftp = gameEndpoint("GET /services/{id}/game/sftp", "read", "4", parted);

/** Sets a new password, which is among the secrets. */
export const rotateSftp = gameEndpoint("POST /services/{id}/game/sftp/rotate", "services", "4", parted);
