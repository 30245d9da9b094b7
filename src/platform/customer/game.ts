import * as z from "zod";
import { endpoint } from "./endpoint.ts";

export type GamePower = "start" | "stop" | "restart" | "kill";

/** GET /services/{id}/game: returns the payload unchanged, since the spec does not show it (section 4.8). */
export const readGame = endpoint(
  "GET /services/{id}/game",
  (call, id: string): Promise<unknown> => call.data({ id }, z.json()),
);

/** POST /services/{id}/game/power/{action}; its refusals have dotted codes. Spec sections 4.2 and 7. */
export const powerGame = endpoint(
  "POST /services/{id}/game/power/{action}",
  (call, id: string, action: GamePower): Promise<void> => call.done({ id, action }),
);
