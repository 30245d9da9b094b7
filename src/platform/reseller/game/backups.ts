import { unspecified } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";
import { type GameBody, GameList } from "./list.ts";

/** GET /services/{id}/game/backups. Reseller spec section 4. */
export const listGameBackups = gameEndpoint(
  "GET /services/{id}/game/backups",
  (call, id: string): Promise<GameList> => call.envelope({ id }, GameList),
);

/** POST /services/{id}/game/backups: starts a backup. Gives what the module answered. Reseller spec section 4. */
export const createGameBackup = gameEndpoint(
  "POST /services/{id}/game/backups",
  (call, id: string, body?: GameBody): Promise<unknown> => call.envelope({ id }, unspecified, { body }),
);

// The spec does not show whether PATCH changes one backup or all. One may be named in the body, or in the path as with `restore`.

/** PATCH /services/{id}/game/backups. Gives what the module answered. Reseller spec section 4. */
export const changeGameBackups = gameEndpoint(
  "PATCH /services/{id}/game/backups",
  (call, id: string, body: GameBody): Promise<unknown> => call.envelope({ id }, unspecified, { body }),
);

/** Changes the backup in the path. */
export const changeGameBackupAt = gameEndpoint(
  "PATCH /services/{id}/game/backups/{gameBackupId}",
  (call, id: string, gameBackupId: string, body: GameBody): Promise<unknown> =>
    call.envelope({ id, gameBackupId }, unspecified, { body }),
);

/** DELETE /services/{id}/game/backups/{gameBackupId}. Reseller spec section 4. */
export const deleteGameBackup = gameEndpoint(
  "DELETE /services/{id}/game/backups/{gameBackupId}",
  (call, id: string, gameBackupId: string): Promise<void> => call.done({ id, gameBackupId }),
);

/**
 * POST /services/{id}/game/backups/{gameBackupId}/restore: overwrites the present data of the server. Gives what the module answered.
 * Reseller spec section 4.
 */
export const restoreGameBackup = gameEndpoint(
  "POST /services/{id}/game/backups/{gameBackupId}/restore",
  (call, id: string, gameBackupId: string): Promise<unknown> => call.envelope({ id, gameBackupId }, unspecified),
);
