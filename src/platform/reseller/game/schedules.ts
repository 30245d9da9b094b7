import { unspecified } from "../../http/data.ts";
import type { Query } from "../../http/path.ts";
import { gameEndpoint } from "./endpoint.ts";
import { type GameBody, GameList } from "./list.ts";

/** GET /services/{id}/game/schedules. Reseller spec section 4. */
export const listSchedules = gameEndpoint(
  "GET /services/{id}/game/schedules",
  (call, id: string): Promise<GameList> => call.envelope({ id }, GameList),
);

/** GET /services/{id}/game/calendar: the tasks that are due. The spec does not show the query. Reseller spec section 4. */
export const readCalendar = gameEndpoint(
  "GET /services/{id}/game/calendar",
  (call, id: string, query: Query = {}): Promise<unknown> => call.envelope({ id }, unspecified, { query }),
);

/** POST /services/{id}/game/schedules. Gives what the module answered. Reseller spec section 4. */
export const createSchedule = gameEndpoint(
  "POST /services/{id}/game/schedules",
  (call, id: string, body: GameBody): Promise<unknown> => call.envelope({ id }, unspecified, { body }),
);

// The spec does not show how a change names its schedule: in its body, or in the path as with `run`.

/** PATCH /services/{id}/game/schedules: changes the schedule that the body names. Gives what the module answered. Reseller spec section 4. */
export const changeSchedule = gameEndpoint(
  "PATCH /services/{id}/game/schedules",
  (call, id: string, body: GameBody): Promise<unknown> => call.envelope({ id }, unspecified, { body }),
);

/** Changes the schedule in the path. */
export const changeScheduleAt = gameEndpoint(
  "PATCH /services/{id}/game/schedules/{scheduleId}",
  (call, id: string, scheduleId: string, body: GameBody): Promise<unknown> =>
    call.envelope({ id, scheduleId }, unspecified, { body }),
);

/** DELETE /services/{id}/game/schedules: deletes the schedule that the body names. Gives what the module answered. Reseller spec section 4. */
export const deleteSchedule = gameEndpoint(
  "DELETE /services/{id}/game/schedules",
  (call, id: string, body: GameBody): Promise<unknown> => call.envelope({ id }, unspecified, { body }),
);

/** Deletes the schedule in the path. */
export const deleteScheduleAt = gameEndpoint(
  "DELETE /services/{id}/game/schedules/{scheduleId}",
  (call, id: string, scheduleId: string): Promise<unknown> => call.envelope({ id, scheduleId }, unspecified),
);

/** POST /services/{id}/game/schedules/{scheduleId}/run: runs the schedule now. Gives what the module answered. Reseller spec section 4. */
export const runSchedule = gameEndpoint(
  "POST /services/{id}/game/schedules/{scheduleId}/run",
  (call, id: string, scheduleId: string): Promise<unknown> => call.envelope({ id, scheduleId }, unspecified),
);
