import * as z from "zod";
import { data } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { CustomerClient } from "./client.ts";
import { Accepted } from "./jobs.ts";

export type GamePower = "start" | "stop" | "restart" | "kill";

/** GET /services/{id}/game: whatever it holds, since the spec does not show it (section 4.8). */
export async function readGame(client: CustomerClient, id: string): Promise<unknown> {
  return (await client.get(path("/services/{id}/game", { id }), data(z.json()))).data;
}

/** POST /services/{id}/game/power/{action}; its refusals have dotted codes. Spec sections 4.2 and 7. */
export async function powerGame(client: CustomerClient, id: string, action: GamePower): Promise<Accepted> {
  const route = path("/services/{id}/game/power/{action}", { id, action });
  return (await client.send("POST", route, z.object({ data: Accepted }))).data;
}
