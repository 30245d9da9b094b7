import * as z from "zod";
import { DateTime } from "../dates.ts";
import { data, done, readAs } from "../http/data.ts";
import { path } from "../http/path.ts";
import { rowsOf } from "../http/rows.ts";
import { Id } from "../ids.ts";
import type { ResellerClient } from "./client.ts";

/** A snapshot of a VPS's disk, in bytes. `destroys_on_restore` names the newer ones that restoring it destroys. Reseller spec sections 2.4 and 4.3. */
const Snapshot = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string().nullish(),
  status: z.string(),
  size_bytes: z.number().nonnegative().nullish(),
  restorable: z.boolean(),
  in_progress: z.boolean(),
  crash_consistent: z.boolean().nullish(),
  destroys_on_restore: z.array(z.string()),
  comes_back_running: z.boolean(),
  created_at: DateTime.nullish(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A provider's backup; only its id is known of it. */
export const Backup = z.looseObject({ id: Id });
export type Backup = z.infer<typeof Backup>;

const Snapshots = z.object({
  snapshots: z.array(Snapshot),
  used: z.int().nonnegative(),
  max: z.int().nonnegative(),
});

/** Of a VPS its snapshots, how many count, and how many it may have (0: none); of others what their provider keeps. */
export type Backups = ({ of: "vps" } & z.infer<typeof Snapshots>) | { of: "provider"; backups: Backup[] };

const OfVps = Snapshots.transform((told): Backups => ({ of: "vps", ...told }));
const OfProvider = rowsOf("backups", Backup).transform((backups): Backups => ({ of: "provider", backups }));

/** GET /services/{serviceId}/backups; a suspended or terminated VPS refuses even this. Reseller spec sections 4 and 4.3. */
export async function listBackups(client: ResellerClient, serviceId: string): Promise<Backups> {
  const shaped = data(readAs((sent): z.ZodType<Backups> => (hasSnapshots(sent) ? OfVps : OfProvider)));
  return (await client.get(path("/services/{serviceId}/backups", { serviceId }), shaped)).data;
}

/** POST /services/{serviceId}/backups: starts one; a description on a VPS only. Reseller spec sections 4 and 4.3. */
export async function createBackup(
  client: ResellerClient,
  serviceId: string,
  body?: { name?: string; description?: string },
): Promise<void> {
  await client.send("POST", path("/services/{serviceId}/backups", { serviceId }), done, body);
}

/** POST /services/{serviceId}/backups/{backupId}/restore: overwrites what the service holds now. A VPS wants the snapshot's own name as `confirm`. Reseller spec sections 4 and 4.3. */
export async function restoreBackup(
  client: ResellerClient,
  serviceId: string,
  backupId: string,
  confirm?: string,
): Promise<void> {
  const route = path("/services/{serviceId}/backups/{backupId}/restore", { serviceId, backupId });
  await client.send("POST", route, done, confirm === undefined ? undefined : { confirm });
}

/** DELETE /services/{serviceId}/backups/{backupId}. Reseller spec sections 4 and 4.3. */
export async function deleteBackup(client: ResellerClient, serviceId: string, backupId: string): Promise<void> {
  await client.send("DELETE", path("/services/{serviceId}/backups/{backupId}", { serviceId, backupId }), done);
}

function hasSnapshots(sent: unknown): boolean {
  return typeof sent === "object" && sent !== null && "snapshots" in sent;
}
