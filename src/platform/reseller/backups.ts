import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { AnyTime, Figure, Id } from "../fields.ts";
import { done, inData, parseByShape, rowsOf } from "../http/data.ts";
import { restoreAnswer } from "../restore-answer.ts";
import { endpoint } from "./client.ts";
import { backupRefusals } from "./refusals.ts";

/** A snapshot of a VPS's disk; its size is in bytes. Restoring it destroys those in `destroys_on_restore`. Reseller spec sections 2.4 and 4.3. */
const Snapshot = z.object({
  id: z.string().min(1),
  name: PlainText.refine((name) => name !== ""),
  description: PlainText.nullish(),
  status: z.string(),
  size_bytes: Figure.pipe(z.number().nonnegative()).nullish(),
  restorable: z.boolean(),
  in_progress: z.boolean(),
  crash_consistent: z.boolean().nullish(),
  destroys_on_restore: z.array(z.string()),
  comes_back_running: z.boolean(),
  created_at: AnyTime.nullish(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A provider's backup. The spec names only its id; other fields pass through unchanged. */
export const Backup = z.looseObject({ id: Id });
export type Backup = z.infer<typeof Backup>;

const Snapshots = z.object({
  snapshots: z.array(Snapshot),
  used: Figure.pipe(z.int().nonnegative()),
  max: Figure.pipe(z.int().nonnegative()),
});

/** A VPS has snapshots: how many count, and how many it may have (0: none). Other services have their provider's backups. */
export type Backups = ({ of: "vps" } & z.infer<typeof Snapshots>) | { of: "provider"; backups: Backup[] };

const OfVps = Snapshots.transform((snapshots): Backups => ({ of: "vps", ...snapshots }));
const OfProvider = rowsOf("backups", Backup).transform((backups): Backups => ({ of: "provider", backups }));

/** The platform refuses it for a suspended or terminated VPS. */
export const listBackups = endpoint(
  "GET /services/{serviceId}/backups",
  "read",
  "4, 4.3",
  inData(parseByShape((raw): z.ZodType<Backups> => (hasSnapshots(raw) ? OfVps : OfProvider))),
  { refusals: backupRefusals },
);

/** Starts a backup; only a VPS takes a description. */
export const createBackup = endpoint("POST /services/{serviceId}/backups", "services", "4, 4.3", done, {
  sends: (body?: { name?: string; description?: string }) => ({ body }),
  refusals: backupRefusals,
});

/** Overwrites the present data of the service. A VPS requires the snapshot's name as `confirm`. */
export const restoreBackup = endpoint(
  "POST /services/{serviceId}/backups/{backupId}/restore",
  "destructive",
  "4, 4.3",
  restoreAnswer,
  { sends: (confirm?: string) => (confirm === undefined ? {} : { body: { confirm } }), refusals: backupRefusals },
);

export const deleteBackup = endpoint("DELETE /services/{serviceId}/backups/{backupId}", "destructive", "4, 4.3", done, {
  refusals: backupRefusals,
});

function hasSnapshots(raw: unknown): boolean {
  return typeof raw === "object" && raw !== null && "snapshots" in raw;
}
