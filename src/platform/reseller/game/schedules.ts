import { unspecified } from "../../http/data.ts";
import type { Query } from "../../http/path.ts";
import { gameEndpoint } from "./endpoint.ts";
import { GameList, inGameBody } from "./list.ts";

export const listSchedules = gameEndpoint("GET /services/{id}/game/schedules", "read", "4", GameList);

/** The tasks that are due. The spec does not show the query. */
export const readCalendar = gameEndpoint("GET /services/{id}/game/calendar", "read", "4", unspecified, {
  sends: (query?: Query) => ({ query }),
});

/** Gives what the module answered, as all of these do. */
export const createSchedule = gameEndpoint(
  "POST /services/{id}/game/schedules",
  "services",
  "4",
  unspecified,
  inGameBody,
);

// The spec does not show how a change names its schedule: in its body, or in the path as with `run`.

/** Changes the schedule that the body names. */
export const changeSchedule = gameEndpoint(
  "PATCH /services/{id}/game/schedules",
  "services",
  "4",
  unspecified,
  inGameBody,
);

/** Changes the schedule in the path. */
export const changeScheduleAt = gameEndpoint(
  "PATCH /services/{id}/game/schedules/{scheduleId}",
  "services",
  "4",
  unspecified,
  { ...inGameBody, assumed: true },
);

/** Deletes the schedule that the body names. */
export const deleteSchedule = gameEndpoint("DELETE /services/{id}/game/schedules", "services", "4", unspecified, {
  ...inGameBody,
  removes: true,
});

/** Deletes the schedule in the path. */
export const deleteScheduleAt = gameEndpoint(
  "DELETE /services/{id}/game/schedules/{scheduleId}",
  "services",
  "4",
  unspecified,
  { removes: true, assumed: true },
);

/** Runs the schedule now. */
export const runSchedule = gameEndpoint(
  "POST /services/{id}/game/schedules/{scheduleId}/run",
  "services",
  "4",
  unspecified,
);
