import * as z from "zod";
import { DateTime } from "../dates.ts";
import { data, done } from "../http/data.ts";
import { type Page, pageOf } from "../http/pages.ts";
import { compiled } from "../http/parser.ts";
import { path } from "../http/path.ts";
import { Amount, Currency } from "../money.ts";
import { IpAddress } from "./addresses.ts";
import { type Cancel, type Cancelled, cancelled } from "./cancellation.ts";
import { VpsCapabilities } from "./capabilities.ts";
import type { CustomerClient } from "./client.ts";
import { CustomImageStatus } from "./images.ts";
import { JobResult, PasswordReset, ReinstallJob } from "./jobs.ts";
import { readList } from "./list.ts";
import { InstanceState, ServiceStatus } from "./states.ts";

/** DELETE /services/{id}/cancel withdraws a scheduled cancellation of any kind of service. Spec section 4.2. */
export { keepService as keepVps } from "./services.ts";

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
  code: z.enum([
    "ip_capacity",
    "storage_capacity",
    "capacity",
    "install_timeout",
    "configuration",
    "name_conflict",
    "provider_unreachable",
    "unknown",
  ]),
  message: z.string(),
});
export type ProvisioningFailure = z.infer<typeof ProvisioningFailure>;

/** A VPS as its list and its own page show it; `capabilities` only on its own page. Spec section 2.3. */
export const Vps = z.object({
  id: z.string().min(1),
  name: z.string(),
  hostname: z.string().nullable(),
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
  project: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
  created_at: DateTime,
});
export type Vps = z.infer<typeof Vps>;

/** An image that a VPS can be reinstalled with. */
export const VpsImage = z.object({ id: z.string().min(1), name: z.string(), is_default: z.boolean() });
export type VpsImage = z.infer<typeof VpsImage>;

/** GET /vps: a page, 50 rows unless told, 200 at most. Spec sections 2.3, 4.3 and 8. */
export function listVps(client: CustomerClient, query: { page?: number; limit?: number } = {}): Promise<Page<Vps>> {
  return client.get("/vps", pageOf("vps", Vps), query);
}

/** What every act on a VPS reads before it. */
const OneVps = data(compiled(Vps));

/** GET /vps/{id}. Spec section 2.3. */
export async function readVps(client: CustomerClient, id: string): Promise<Vps> {
  return (await client.get(path("/vps/{id}", { id }), OneVps)).data;
}

/** GET /vps/{id}/ips. Spec section 4.3. */
export function listVpsIps(client: CustomerClient, id: string): Promise<IpAddress[]> {
  return readList(client, path("/vps/{id}/ips", { id }), "ip_addresses", IpAddress);
}

/** GET /vps/{id}/stats: whatever it holds, since the spec does not show it (sections 2.13 and 4.3). */
export async function readVpsStats(client: CustomerClient, id: string): Promise<unknown> {
  return (await client.get(path("/vps/{id}/stats", { id }), data(z.json()))).data;
}

/** GET /vps/{id}/os-images: exactly what a reinstall accepts; empty when none is enabled for the plan. Spec section 4.3. */
export async function listVpsImages(client: CustomerClient, id: string): Promise<VpsImage[]> {
  const { data: found } = await client.get(
    path("/vps/{id}/os-images", { id }),
    data(z.object({ templates: z.array(VpsImage) })),
  );
  return found.templates;
}

/** POST /vps/{id}/start, /stop, /shutdown or /reboot. stop and shutdown are the same act. Spec section 4.3. */
export async function actOnVps(
  client: CustomerClient,
  id: string,
  action: "start" | "stop" | "shutdown" | "reboot",
): Promise<JobResult> {
  const routes = {
    start: "/vps/{id}/start",
    stop: "/vps/{id}/stop",
    shutdown: "/vps/{id}/shutdown",
    reboot: "/vps/{id}/reboot",
  } as const;
  return (await client.send("POST", path(routes[action], { id }), data(JobResult))).data;
}

/** POST /vps/{id}/power/{action}. Spec sections 2.8 (the names) and 4.3. */
export async function powerVps(client: CustomerClient, id: string, action: string): Promise<JobResult> {
  return (await client.send("POST", path("/vps/{id}/power/{action}", { id, action }), data(JobResult))).data;
}

/** POST /vps/{id}/reinstall: erases the disk. Follow `os_installation_status`. Spec sections 2.8 and 4.3. */
export async function reinstallVps(
  client: CustomerClient,
  id: string,
  body: { image_id: string; password: string },
): Promise<ReinstallJob> {
  return (await client.send("POST", path("/vps/{id}/reinstall", { id }), data(ReinstallJob), body)).data;
}

/** POST /vps/{id}/password: 409 unless the machine runs. Spec sections 2.8 and 4.3. */
export async function resetVpsPassword(
  client: CustomerClient,
  id: string,
  body: { password: string },
): Promise<PasswordReset> {
  return (await client.send("POST", path("/vps/{id}/password", { id }), data(PasswordReset), body)).data;
}

/** A custom image that is being made of a VPS's disk. */
export const CapturedImage = z.object({ id: z.string().min(1), name: z.string(), status: CustomImageStatus });
export type CapturedImage = z.infer<typeof CapturedImage>;

/** POST /vps/{id}/capture: starts a custom image, which is billed by its size; poll it. Spec sections 4.3 and 8. */
export async function captureVps(
  client: CustomerClient,
  id: string,
  body: { name: string; description?: string },
): Promise<CapturedImage> {
  return (await client.send("POST", path("/vps/{id}/capture", { id }), data(CapturedImage), body)).data;
}

/** DELETE /vps/{id}: at once (the disk is destroyed), or with the paid period. Spec sections 2.8, 3.1 and 4.3. */
export function cancelVps(client: CustomerClient, id: string, body: Cancel): Promise<Cancelled> {
  return client.send("DELETE", path("/vps/{id}", { id }), cancelled, body);
}

/** PATCH /vps/{id}: into a project (id or slug), or with null back to the default one. Spec sections 2.8 and 4.3. */
export async function moveVps(client: CustomerClient, id: string, projectId: string | null): Promise<void> {
  await client.send("PATCH", path("/vps/{id}", { id }), done, { projectId });
}
