import * as z from "zod";
import { unspecified } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";
import type { GameBody } from "./list.ts";

/** The console of a game server. `token` is a secret. Reseller spec section 4. */
export const GameConsole = z.object({
  origin: z.string().nullish(),
  wsOrigin: z.string().min(1),
  ws_path: z.string(),
  token: z.string().min(1),
});
export type GameConsole = z.infer<typeof GameConsole>;

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
