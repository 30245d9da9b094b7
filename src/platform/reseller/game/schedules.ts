import { notShown } from "../../http/data.ts";
import { type Path, path, type Query } from "../../http/path.ts";
import type { ResellerClient } from "../client.ts";
import { type GameBody, GameList } from "./list.ts";

/** GET /services/{id}/game/schedules. Reseller spec section 4. */
export function listSchedules(client: ResellerClient, id: string): Promise<GameList> {
  return client.get(path("/services/{id}/game/schedules", { id }), GameList);
}

/** GET /services/{id}/game/calendar: what is due; what the query may say, the spec does not show. Reseller spec section 4. */
export function readCalendar(client: ResellerClient, id: string, query: Query = {}): Promise<unknown> {
  return client.get(path("/services/{id}/game/calendar", { id }), notShown, query);
}

/** POST /services/{id}/game/schedules. Gives what the module answered. Reseller spec section 4. */
export function createSchedule(client: ResellerClient, id: string, body: GameBody): Promise<unknown> {
  return client.send("POST", path("/services/{id}/game/schedules", { id }), notShown, body);
}

/** PATCH /services/{id}/game/schedules: the one in the path, or without `scheduleId` the one that the body names. Reseller spec section 4. */
export function changeSchedule(
  client: ResellerClient,
  id: string,
  body: GameBody,
  scheduleId?: string,
): Promise<unknown> {
  return client.send("PATCH", scheduleRoute(id, scheduleId), notShown, body);
}

/** DELETE /services/{id}/game/schedules: the one in the path, or the one that the body names. Reseller spec section 4. */
export function deleteSchedule(client: ResellerClient, id: string, which: string | GameBody): Promise<unknown> {
  return typeof which === "string"
    ? client.send("DELETE", scheduleRoute(id, which), notShown)
    : client.send("DELETE", scheduleRoute(id), notShown, which);
}

/** POST /services/{id}/game/schedules/{scheduleId}/run: now, whatever its time. Gives what the module answered. Reseller spec section 4. */
export function runSchedule(client: ResellerClient, id: string, scheduleId: string): Promise<unknown> {
  return client.send("POST", path("/services/{id}/game/schedules/{scheduleId}/run", { id, scheduleId }), notShown);
}

/** The spec does not show where a change says which schedule it means: in the path as with `run`, or in its body. */
function scheduleRoute(id: string, scheduleId?: string): Path {
  if (scheduleId === undefined) return path("/services/{id}/game/schedules", { id });
  return path("/services/{id}/game/schedules/{scheduleId}", { id, scheduleId });
}
