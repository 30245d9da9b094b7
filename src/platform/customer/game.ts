import * as z from "#zod";
import { done, inData } from "../http/data.ts";
import { endpoint } from "./client.ts";

const gamePowers = ["start", "stop", "restart", "kill"] as const;
export type GamePower = (typeof gamePowers)[number];

/** The payload unchanged, since the spec does not show it. */
export const readGame = endpoint("GET /services/{id}/game", "read", "4.8", inData(z.json()));

/** Its refusals have dotted codes (section 7). */
export const powerGame = endpoint("POST /services/{id}/game/power/{action}", "services", "4.2, 7", done, {
  at: { action: gamePowers },
});
