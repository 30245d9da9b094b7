import * as z from "zod";
import { notShown } from "../../http/data.ts";
import { path } from "../../http/path.ts";
import type { ResellerClient } from "../client.ts";
import type { GameBody } from "./list.ts";

/** The console of a game server. `token` is a secret. Reseller spec section 4. */
export const GameConsole = z.object({
  origin: z.string().nullish(),
  wsOrigin: z.string().min(1),
  ws_path: z.string(),
  token: z.string().min(1),
});
export type GameConsole = z.infer<typeof GameConsole>;

/** POST /services/{id}/game/console: opens a session. What the body may say, the spec does not show. Reseller spec section 4. */
export function openGameConsole(client: ResellerClient, id: string, body?: GameBody): Promise<GameConsole> {
  return client.send("POST", path("/services/{id}/game/console", { id }), notShown.pipe(GameConsole), body);
}

/** The address of its websocket: a credential. Reseller spec section 4. */
export function gameConsoleAddress({ wsOrigin, ws_path, token }: GameConsole): string {
  return `${wsOrigin}${ws_path}?token=${encodeURIComponent(token)}`;
}
