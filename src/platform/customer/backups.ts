import * as z from "zod";
import { data, done } from "../http/data.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import type { CustomerClient } from "./client.ts";

/** A provider's backup; only its id is known of it. */
export const Backup = z.looseObject({ id: Id });
export type Backup = z.infer<typeof Backup>;

/** The backups of a service; `available: false` where its platform has none (a native VPS). Spec section 4.2. */
export const Backups = z.object({ backups: z.array(Backup), available: z.boolean().optional() });
export type Backups = z.infer<typeof Backups>;

/** GET /services/{id}/backups. Spec section 4.2. */
export async function listBackups(client: CustomerClient, id: string): Promise<Backups> {
  return (await client.get(path("/services/{id}/backups", { id }), data(Backups))).data;
}

/** POST /services/{id}/backups: starts one. Spec section 4.2. */
export async function createBackup(client: CustomerClient, id: string): Promise<void> {
  await client.send("POST", path("/services/{id}/backups", { id }), done);
}

/** POST /services/{id}/backups/{backupId}/restore: overwrites what the service holds now. Spec section 4.2. */
export async function restoreBackup(client: CustomerClient, id: string, backupId: string): Promise<void> {
  await client.send("POST", path("/services/{id}/backups/{backupId}/restore", { id, backupId }), done);
}
