import * as z from "#zod";
import { Id } from "../../fields.ts";
import { done, rowsIn, unspecified } from "../../http/data.ts";
import type { Query } from "../../http/path.ts";
import { byGameQuery, type GameBody, gameEndpoint, inGameBody } from "./endpoint.ts";

const Row = z.looseObject({ id: Id });

/**
 * A list that the spec does not show. `rows` are the rows with an id, which a member can choose; null where no list can be read, which does not
 * prove that there is no row. `answer` is all of it.
 */
export const GameList = unspecified.transform((answer) => {
  const found = rowsIn(answer, "", Row);
  return { answer, rows: "rows" in found ? found.rows : null };
});
export type GameList = z.infer<typeof GameList>;

export const listGameBackups = gameEndpoint("GET /services/{id}/game/backups", "read", "4", GameList);

/** Starts a backup. Gives what the module answered. */
export const createGameBackup = gameEndpoint("POST /services/{id}/game/backups", "services", "4", unspecified, {
  sends: (body?: GameBody) => ({ body }),
});

// The spec does not show whether PATCH changes one backup or all. One may be named in the body, or in the path as with `restore`.

/** Gives what the module answered. */
export const changeGameBackups = gameEndpoint(
  "PATCH /services/{id}/game/backups",
  "services",
  "4",
  unspecified,
  inGameBody,
);

/** Changes the backup in the path. */
export const changeGameBackupAt = gameEndpoint(
  "PATCH /services/{id}/game/backups/{gameBackupId}",
  "services",
  "4",
  unspecified,
  { ...inGameBody, assumed: true },
);

export const deleteGameBackup = gameEndpoint(
  "DELETE /services/{id}/game/backups/{gameBackupId}",
  "destructive",
  "4",
  done,
);

/** Overwrites the present data of the server. Gives what the module answered. */
export const restoreGameBackup = gameEndpoint(
  "POST /services/{id}/game/backups/{gameBackupId}/restore",
  "destructive",
  "4",
  unspecified,
);

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

/** The installed mods. */
export const listMods = gameEndpoint("GET /services/{id}/game/mods", "read", "4", GameList);

/** The sites that mods come from. */
export const readModSources = gameEndpoint("GET /services/{id}/game/mods/sources", "read", "4", unspecified);

/** The spec shows the query of none of these three routes. */
export const searchMods = gameEndpoint("GET /services/{id}/game/mods/search", "read", "4", unspecified, byGameQuery);

export const readModVersions = gameEndpoint(
  "GET /services/{id}/game/mods/versions",
  "read",
  "4",
  unspecified,
  byGameQuery,
);

export const readModProject = gameEndpoint(
  "GET /services/{id}/game/mods/project",
  "read",
  "4",
  unspecified,
  byGameQuery,
);

/** Installs a mod. Gives what the module answered. */
export const installMod = gameEndpoint("POST /services/{id}/game/mods", "services", "4", unspecified, inGameBody);

/** Installs the member's own mod. Gives what the module answered. */
export const uploadMod = gameEndpoint("POST /services/{id}/game/mods/upload", "services", "4", unspecified, inGameBody);

export const removeMod = gameEndpoint("DELETE /services/{id}/game/mods/{gameModId}", "services", "4", done, {
  removes: true,
});
