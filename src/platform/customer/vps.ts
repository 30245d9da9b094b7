import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { Amount, Currency } from "../amounts.ts";
import { DateTime, orMissing } from "../fields.ts";
import { done, ifReadable, inData, objectOrField } from "../http/data.ts";
import { everyRow, inPages, pageOf } from "../http/pages.ts";
import { acceptedJob } from "../job-answer.ts";
import { restoreAnswer } from "../restore-answer.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";
import {
  type Cancel,
  cancelled,
  InstallationState,
  InstanceState,
  PasswordReset,
  ServiceStatus,
  VpsCapabilities,
} from "./states.ts";

/** An address of a machine. Spec section 2.3. */
const IpAddress = z.object({
  address: z.string().min(1),
  prefix_length: z.int().nullable(),
  gateway: z.string().nullable(),
  purpose: z.string(),
});

const Instance = z.object({
  state: orUnlisted(InstanceState),
  vcpus: z.int().nullable(),
  memory_mb: z.int().nullable(),
  disk_gb: z.int().nullable(),
  os: z.string().nullable(),
  rescue_mode: z.boolean(),
  updated_at: orMissing(DateTime),
});

export const ProvisioningFailure = z.object({
  // `other`: a code that the spec does not have. The message beside it tells more.
  code: z
    .enum([
      "ip_capacity",
      "storage_capacity",
      "capacity",
      "install_timeout",
      "configuration",
      "name_conflict",
      "provider_unreachable",
      "unknown",
      "other",
    ])
    .catch("other"),
  message: PlainText,
});
export type ProvisioningFailure = z.infer<typeof ProvisioningFailure>;

/** A VPS in the list and on its own page; `capabilities` is only on its own page. Spec section 2.3. */
export const Vps = z.object({
  id: z.string().min(1),
  name: PlainText,
  hostname: PlainText.nullable(),
  status: orUnlisted(ServiceStatus),
  provider: z.string(),
  product: z.object({ id: z.string(), name: z.string() }),
  billing: z.object({
    cycle: z.string(),
    amount: Amount,
    currency: Currency.nullable(),
    next_due_date: DateTime.nullable(),
  }),
  cancellation: z.object({ scheduled_date: DateTime }).nullable(),
  location: z.string().nullable(),
  primary_ip: z.string().nullable(),
  ip_addresses: z.array(IpAddress),
  instance: Instance.nullable(),
  os_installation_status: orUnlisted(InstallationState).nullable(),
  capabilities: VpsCapabilities.nullable(),
  failure: ProvisioningFailure.nullable(),
  specs: z.record(z.string(), z.unknown()).nullable(),
  project: z.object({ id: z.string(), name: PlainText }),
  created_at: DateTime,
});
export type Vps = z.infer<typeof Vps>;

/** An image that a VPS can be reinstalled with. */
const VpsImage = z.object({ id: z.string().min(1), name: z.string(), is_default: z.boolean() });

/** A page of 50 rows by default, 200 at most. */
export const listVps = endpoint("GET /vps", "read", "2.3, 4.3, 8", pageOf("vps", Vps), inPages);

export const readVps = endpoint("GET /vps/{id}", "read", "2.3", inData(objectOrField("vps", Vps)));

export const listVpsIps = endpoint("GET /vps/{id}/ips", "read", "4.3", everyRow("ip_addresses", IpAddress));

/** The payload unchanged, since the spec does not show it. */
export const readVpsStats = endpoint("GET /vps/{id}/stats", "read", "2.13, 4.3", inData(z.json()));

/** The images that a reinstall accepts; empty where the plan has none. */
export const listVpsImages = endpoint("GET /vps/{id}/os-images", "read", "4.3", everyRow("templates", VpsImage));

export const vpsActs = {
  start: endpoint("POST /vps/{id}/start", "services", "4.3", acceptedJob),
  stop: endpoint("POST /vps/{id}/stop", "services", "4.3", acceptedJob, { twins: ["POST /vps/{id}/shutdown"] }),
  reboot: endpoint("POST /vps/{id}/reboot", "services", "4.3", acceptedJob, { twins: ["POST /vps/{id}/restart"] }),
} as const;

/** Section 2.8 has the names of the actions. */
export const powerVps = endpoint("POST /vps/{id}/power/{action}", "services", "2.8, 4.3", acceptedJob);

/** Erases the disk. Poll `os_installation_status` for progress. */
export const reinstallVps = endpoint("POST /vps/{id}/reinstall", "services", "2.8, 4.3", done, {
  sends: (body: { image_id: string; password: string }) => ({ body }),
  removes: true,
});

/** 409 unless the machine is running. */
export const resetVpsPassword = endpoint("POST /vps/{id}/password", "services", "2.8, 4.3", inData(PasswordReset), {
  sends: (body: { password: string }) => ({ body }),
});

/** A custom image whose capture from a VPS has started. */
const CapturedImage = z.object({ id: z.string().min(1) });
export type CapturedImage = z.infer<typeof CapturedImage>;

/** Starts a custom image, billed by its size; poll it. */
export const captureVps = endpoint("POST /vps/{id}/capture", "services", "4.3, 8", inData(CapturedImage), {
  sends: (body: { name: string; description?: string }) => ({ body }),
  charges: true,
  refusals: [],
});

/** Ends it at once (the disk is destroyed), or at the end of the paid period. */
export const cancelVps = endpoint("DELETE /vps/{id}", "destructive", "2.8, 3.1, 4.3", cancelled, {
  sends: (body: Cancel) => ({ body }),
});

/** Moves the VPS into a project (id or slug); null moves it to the default one. */
export const moveVps = endpoint("PATCH /vps/{id}", "services", "2.8, 4.3", done, {
  sends: (projectId: string | null) => ({ body: { projectId } }),
});

const SnapshotStatus = z.enum(["creating", "available", "reverting", "deleting", "error"]);

/** A snapshot of a VPS's disk. Restoring it destroys the newer ones in `destroys_on_restore`. Spec section 2.9. */
export const Snapshot = z.object({
  id: z.string().min(1),
  name: PlainText.refine((name) => name !== ""),
  description: PlainText.nullish(),
  status: SnapshotStatus,
  /** The reason of a failed snapshot. The spec does not show its field name (section 3.3). */
  error: ifReadable(z.string()),
  size_bytes: z.number().nonnegative().nullish(),
  restorable: z.boolean(),
  in_progress: z.boolean(),
  crash_consistent: z.boolean().nullish(),
  destroys_on_restore: z.array(z.string()),
  comes_back_running: z.boolean(),
  created_at: DateTime,
  completed_at: DateTime.nullish(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** The snapshots of a VPS, how many of them count, and how many the plan allows (0: the plan has none). */
const Snapshots = z.object({
  snapshots: z.array(Snapshot),
  used: z.int().nonnegative(),
  max: z.int().nonnegative(),
});

const NewSnapshot = z.object({ id: z.string().min(1) });

export const listSnapshots = endpoint("GET /vps/{id}/snapshots", "read", "2.9, 4.3", inData(Snapshots));

/** Starts a snapshot; poll the list until it is complete. Section 2.8 has the form of the name. */
export const createSnapshot = endpoint(
  "POST /vps/{id}/snapshots",
  "services",
  "2.8, 4.3",
  inData(NewSnapshot, "snapshot"),
  {
    sends: (body: { name: string; description?: string }) => ({ body }),
  },
);

/** Runs in the background; the row disappears at the end. */
export const deleteSnapshot = endpoint("DELETE /vps/{id}/snapshots/{snapshotId}", "services", "3.3, 4.3", done, {
  removes: true,
});

/** Cannot be undone. `confirm` is the snapshot's own name. */
export const revertSnapshot = endpoint(
  "POST /vps/{id}/snapshots/{snapshotId}/revert",
  "services",
  "2.8, 4.3",
  restoreAnswer,
  {
    sends: (confirm: string) => ({ body: { confirm } }),
    removes: true,
  },
);
