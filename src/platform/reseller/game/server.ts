// platform/reseller/game/: the reseller API's routes of game servers.
// May import: platform/, platform/http/, platform/reseller/.

import * as z from "zod";
import { notShown } from "../../http/data.ts";
import { path } from "../../http/path.ts";
import type { ResellerClient } from "../client.ts";
import { type Parted, partSecrets } from "../secret-fields.ts";
import type { GameBody } from "./list.ts";

/** A game server and what can be done with it, both as the game module lays them out; passwords among its variables are apart. */
export interface GameServer extends Parted {
  server: unknown;
  capabilities: unknown;
}

const Told = z.object({ server: z.unknown().optional(), capabilities: z.unknown().optional() });

/** GET /services/{id}/game. Reseller spec section 4. */
export async function readGame(client: ResellerClient, id: string): Promise<GameServer> {
  const parted = partSecrets(await client.get(path("/services/{id}/game", { id }), notShown));
  const { server = null, capabilities = null } = Told.safeParse(parted.rest).data ?? {};
  return { ...parted, server, capabilities };
}

/** GET /services/{id}/game/addons: as the game module lays them out. Reseller spec section 4. */
export function readGameAddons(client: ResellerClient, id: string): Promise<unknown> {
  return client.get(path("/services/{id}/game/addons", { id }), notShown);
}

/** PATCH /services/{id}/game/vars: sets variables of the server. Gives what the module answered. Reseller spec section 4. */
export async function changeGameVars(client: ResellerClient, id: string, body: GameBody): Promise<Parted> {
  return partSecrets(await client.send("PATCH", path("/services/{id}/game/vars", { id }), notShown, body));
}

/** POST /services/{id}/game/power/{action}: which actions there are, the spec does not show. Reseller spec section 4. */
export function powerGame(client: ResellerClient, id: string, action: string): Promise<unknown> {
  return client.send("POST", path("/services/{id}/game/power/{action}", { id, action }), notShown);
}
