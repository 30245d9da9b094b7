import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../fields.ts";
import { done, inData } from "../http/data.ts";
import { everyRow, inPages, pageOf } from "../http/pages.ts";
import { Amount, Currency } from "../money.ts";
import { type Cancel, cancelled } from "./cancellation.ts";
import { VpsCapabilities } from "./capabilities.ts";
import { endpoint } from "./client.ts";
import { AcceptedAction, PasswordReset } from "./jobs.ts";
import { InstanceState, ServiceStatus } from "./states.ts";

/** An address of a machine. Spec section 2.3. */
const IpAddress = z.object({
  address: z.string().min(1),
  version: z.literal([4, 6]),
  prefix_length: z.int().nullable(),
  gateway: z.string().nullable(),
  subnet_cidr: z.string().nullable(),
  purpose: z.string(),
});

const Instance = z.object({
  state: InstanceState,
  vcpus: z.int().nullable(),
  memory_mb: z.int().nullable(),
  disk_gb: z.int().nullable(),
  os: z.string().nullable(),
  rescue_mode: z.boolean(),
  updated_at: DateTime,
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
  status: ServiceStatus,
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
  os_installation_status: z.enum(["in_progress", "completed", "failed"]).nullable(),
  capabilities: VpsCapabilities.nullable(),
  failure: ProvisioningFailure.nullable(),
  specs: z.record(z.string(), z.unknown()).nullable(),
  project: z.object({ id: z.string(), slug: z.string(), name: PlainText }),
  created_at: DateTime,
});
export type Vps = z.infer<typeof Vps>;

/** An image that a VPS can be reinstalled with. */
const VpsImage = z.object({ id: z.string().min(1), name: z.string(), is_default: z.boolean() });

/** A page of 50 rows by default, 200 at most. */
export const listVps = endpoint("GET /vps", "read", "2.3, 4.3, 8", pageOf("vps", Vps), inPages);

export const readVps = endpoint("GET /vps/{id}", "read", "2.3", inData(Vps));

export const listVpsIps = endpoint("GET /vps/{id}/ips", "read", "4.3", everyRow("ip_addresses", IpAddress));

/** The payload unchanged, since the spec does not show it. */
export const readVpsStats = endpoint("GET /vps/{id}/stats", "read", "2.13, 4.3", inData(z.json()));

/** The images that a reinstall accepts; empty where the plan has none. */
export const listVpsImages = endpoint("GET /vps/{id}/os-images", "read", "4.3", inData(VpsImage.array(), "templates"));

const accepted = inData(AcceptedAction);

export const vpsActs = {
  start: endpoint("POST /vps/{id}/start", "services", "4.3", accepted),
  stop: endpoint("POST /vps/{id}/stop", "services", "4.3", accepted, { twins: ["POST /vps/{id}/shutdown"] }),
  reboot: endpoint("POST /vps/{id}/reboot", "services", "4.3", accepted, { twins: ["POST /vps/{id}/restart"] }),
} as const;

/** Section 2.8 has the names of the actions. */
export const powerVps = endpoint("POST /vps/{id}/power/{action}", "services", "2.8, 4.3", accepted);

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
