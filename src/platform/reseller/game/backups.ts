import { done, unspecified } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";
import { type GameBody, GameList, inGameBody } from "./list.ts";

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
