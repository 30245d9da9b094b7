import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../dates.ts";
import type { RouteCall } from "../http/endpoint.ts";
import { type ListPage, pageOf } from "../http/pages.ts";
import { Amount, Currency } from "../money.ts";
import { IpAddress } from "./addresses.ts";
import { type Cancel, type Cancelled, cancelled } from "./cancellation.ts";
import { VpsCapabilities } from "./capabilities.ts";
import { endpoint } from "./endpoint.ts";
import { AcceptedAction, PasswordReset } from "./jobs.ts";
import { readList } from "./list.ts";
import { InstanceState, ServiceStatus } from "./states.ts";

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
  // A code that is new here means as little as the spec's own "unknown"; the message beside it tells more.
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
    ])
    .catch("unknown"),
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
export const VpsImage = z.object({ id: z.string().min(1), name: z.string(), is_default: z.boolean() });
export type VpsImage = z.infer<typeof VpsImage>;

/** GET /vps: a page of 50 rows by default, 200 at most. Spec sections 2.3, 4.3 and 8. */
export const listVps = endpoint(
  "GET /vps",
  (call, query: { page?: number; limit?: number } = {}): Promise<ListPage<Vps>> =>
    call.envelope({}, pageOf("vps", Vps), { query }),
);

/** GET /vps/{id}. Spec section 2.3. */
export const readVps = endpoint("GET /vps/{id}", (call, id: string): Promise<Vps> => call.data({ id }, Vps));

/** GET /vps/{id}/ips. Spec section 4.3. */
export const listVpsIps = endpoint(
  "GET /vps/{id}/ips",
  (call, id: string): Promise<IpAddress[]> => readList(call, { id }, "ip_addresses", IpAddress),
);

/** GET /vps/{id}/stats: returns the payload unchanged, since the spec does not show it (sections 2.13 and 4.3). */
export const readVpsStats = endpoint(
  "GET /vps/{id}/stats",
  (call, id: string): Promise<unknown> => call.data({ id }, z.json()),
);

/** GET /vps/{id}/os-images: the images that a reinstall accepts; empty where the plan has none. Spec section 4.3. */
export const listVpsImages = endpoint(
  "GET /vps/{id}/os-images",
  async (call, id: string): Promise<VpsImage[]> =>
    (await call.data({ id }, z.object({ templates: z.array(VpsImage) }))).templates,
);

const job = (call: RouteCall<"POST /vps/{id}/start">, id: string): Promise<AcceptedAction> =>
  call.data({ id }, AcceptedAction);

/** POST /vps/{id}/start, /stop or /reboot. /shutdown does what /stop does, and /restart what /reboot does. Spec section 4.3. */
export const vpsActs = {
  start: endpoint("POST /vps/{id}/start", job),
  stop: endpoint("POST /vps/{id}/stop", job),
  reboot: endpoint("POST /vps/{id}/reboot", job),
} as const;

/** POST /vps/{id}/power/{action}. Spec sections 2.8 (the names) and 4.3. */
export const powerVps = endpoint(
  "POST /vps/{id}/power/{action}",
  (call, id: string, action: string): Promise<AcceptedAction> => call.data({ id, action }, AcceptedAction),
);

/** POST /vps/{id}/reinstall: erases the disk. Poll `os_installation_status` for progress. Spec sections 2.8 and 4.3. */
export const reinstallVps = endpoint(
  "POST /vps/{id}/reinstall",
  (call, id: string, body: { image_id: string; password: string }): Promise<void> => call.done({ id }, { body }),
);

/** POST /vps/{id}/password: 409 unless the machine is running. Spec sections 2.8 and 4.3. */
export const resetVpsPassword = endpoint(
  "POST /vps/{id}/password",
  (call, id: string, body: { password: string }): Promise<PasswordReset> => call.data({ id }, PasswordReset, { body }),
);

/** A custom image whose capture from a VPS has started. */
export const CapturedImage = z.object({ id: z.string().min(1) });
export type CapturedImage = z.infer<typeof CapturedImage>;

/** POST /vps/{id}/capture: starts a custom image, billed by its size; poll it. Spec sections 4.3 and 8. */
export const captureVps = endpoint(
  "POST /vps/{id}/capture",
  (call, id: string, body: { name: string; description?: string }): Promise<CapturedImage> =>
    call.data({ id }, CapturedImage, { body }),
  { charges: true, refusals: [] },
);

/** DELETE /vps/{id}: ends it at once (the disk is destroyed), or at the end of the paid period. Spec sections 2.8, 3.1 and 4.3. */
export const cancelVps = endpoint(
  "DELETE /vps/{id}",
  (call, id: string, body: Cancel): Promise<Cancelled> => call.envelope({ id }, cancelled, { body }),
);

/** PATCH /vps/{id}: moves the VPS into a project (id or slug); null moves it to the default one. Spec sections 2.8 and 4.3. */
export const moveVps = endpoint(
  "PATCH /vps/{id}",
  (call, id: string, projectId: string | null): Promise<void> => call.done({ id }, { body: { projectId } }),
);
