import { done, notShown } from "../../http/data.ts";
import { path } from "../../http/path.ts";
import type { ResellerClient } from "../client.ts";
import { type GameBody, GameList } from "./list.ts";

/** GET /services/{id}/game/backups. Reseller spec section 4. */
export function listGameBackups(client: ResellerClient, id: string): Promise<GameList> {
  return client.get(path("/services/{id}/game/backups", { id }), GameList);
}

/** POST /services/{id}/game/backups: starts one. Gives what the module answered. Reseller spec section 4. */
export function createGameBackup(client: ResellerClient, id: string, body?: GameBody): Promise<unknown> {
  return client.send("POST", path("/services/{id}/game/backups", { id }), notShown, body);
}

/**
 * PATCH /services/{id}/game/backups. Whether it changes one backup or all, the spec does not show: with `gameBackupId` the path goes on
 * to that one. Gives what the module answered. Reseller spec section 4.
 */
export function changeGameBackups(
  client: ResellerClient,
  id: string,
  body: GameBody,
  gameBackupId?: string,
): Promise<unknown> {
  const route =
    gameBackupId === undefined
      ? path("/services/{id}/game/backups", { id })
      : path("/services/{id}/game/backups/{gameBackupId}", { id, gameBackupId });
  return client.send("PATCH", route, notShown, body);
}

/** DELETE /services/{id}/game/backups/{gameBackupId}. Reseller spec section 4. */
export async function deleteGameBackup(client: ResellerClient, id: string, gameBackupId: string): Promise<void> {
  await client.send("DELETE", path("/services/{id}/game/backups/{gameBackupId}", { id, gameBackupId }), done);
}

/** POST /services/{id}/game/backups/{gameBackupId}/restore: overwrites what the server holds now. Gives what the module answered. Reseller spec section 4. */
export function restoreGameBackup(client: ResellerClient, id: string, gameBackupId: string): Promise<unknown> {
  const route = path("/services/{id}/game/backups/{gameBackupId}/restore", { id, gameBackupId });
  return client.send("POST", route, notShown);
}
