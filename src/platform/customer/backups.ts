import * as z from "zod";
import { Id } from "../ids.ts";
import { orMissing } from "../missing.ts";
import { endpoint } from "./endpoint.ts";

/** A provider's backup. The spec names only its id; other fields pass through unchanged. */
const Backup = z.looseObject({ id: Id });

/** The backups of a service; `available: false` where its platform has none (a native VPS). Spec section 4.2. */
export const Backups = z.object({ backups: z.array(Backup), available: orMissing(z.boolean()) });
export type Backups = z.infer<typeof Backups>;

/** GET /services/{id}/backups. Spec section 4.2. */
export const listBackups = endpoint(
  "GET /services/{id}/backups",
  (call, id: string): Promise<Backups> => call.data({ id }, Backups),
);

/** POST /services/{id}/backups: starts one. Spec section 4.2. */
export const createBackup = endpoint(
  "POST /services/{id}/backups",
  (call, id: string): Promise<void> => call.done({ id }),
);

/** POST /services/{id}/backups/{backupId}/restore: overwrites the present data of the service. Spec section 4.2. */
export const restoreBackup = endpoint(
  "POST /services/{id}/backups/{backupId}/restore",
  (call, id: string, backupId: string): Promise<void> => call.done({ id, backupId }),
);
