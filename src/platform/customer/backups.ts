import * as z from "#zod";
import { Id, orMissing } from "../fields.ts";
import { done, inData } from "../http/data.ts";
import { endpoint } from "./client.ts";

/** A provider's backup. The spec names only its id; other fields pass through unchanged. */
const Backup = z.looseObject({ id: Id });

/** The backups of a service; `available: false` where its platform has none (a native VPS). Spec section 4.2. */
const Backups = z.object({ backups: z.array(Backup), available: orMissing(z.boolean()) });
export type Backups = z.infer<typeof Backups>;

export const listBackups = endpoint("GET /services/{id}/backups", "read", "4.2", inData(Backups));

/** Starts one. */
export const createBackup = endpoint("POST /services/{id}/backups", "services", "4.2", done);

/** Overwrites the present data of the service. */
export const restoreBackup = endpoint("POST /services/{id}/backups/{backupId}/restore", "services", "4.2", done, {
  removes: true,
});
