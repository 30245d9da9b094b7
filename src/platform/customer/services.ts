import * as z from "zod";
import { data, done } from "../http/data.ts";
import { type PageWithStats, pageWithStats } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { type Cancel, type Cancelled, cancelled } from "./cancellation.ts";
import { VpsCapabilities } from "./capabilities.ts";
import type { CustomerClient } from "./client.ts";
import { DocumentState } from "./documents.ts";
import { Accepted } from "./jobs.ts";
import { ServiceStatus } from "./states.ts";

/** A service of any kind as the panel documents it: what is named here is strict, the rest is kept as it comes. Spec section 2.4. */
export const Service = z.looseObject({
  id: z.string().min(1),
  serviceType: z.enum(["vps", "dedicated", "game", "unknown"]),
  status: ServiceStatus.optional(),
  name: z.string().nullish(),
  hostname: z.string().nullish(),
  vps_capabilities: VpsCapabilities.nullish(),
});
export type Service = z.infer<typeof Service>;

export const ServiceDetail = z.object({ service: Service, liveInfo: z.unknown().optional() });
export type ServiceDetail = z.infer<typeof ServiceDetail>;

/** What can be run on a service. Spec section 2.4. */
export const ServiceActions = z.object({
  service_id: z.string(),
  kind: z.string(),
  provider: z.string(),
  actions: z.array(z.string()),
  capabilities: z.unknown().optional(),
});
export type ServiceActions = z.infer<typeof ServiceActions>;

/** What a renewal made; only the state of its document is known of it. */
export const Renewal = z.looseObject({ document: DocumentState.nullish(), settled: z.boolean().optional() }).nullish();
export type Renewal = z.infer<typeof Renewal>;

/** GET /services: a page, 20 rows unless told, 200 at most. Spec sections 2.4, 4.2 and 8. */
export function listServices(
  client: CustomerClient,
  query: { page?: number; limit?: number; status?: string } = {},
): Promise<PageWithStats<Service>> {
  return client.get("/services", pageWithStats("services", Service), query);
}

/** GET /services/{id}. Its address list may be empty where that of a VPS's own page is not. Spec sections 2.3 and 2.4. */
export async function readService(client: CustomerClient, id: string): Promise<ServiceDetail> {
  return (await client.get(path("/services/{id}", { id }), data(ServiceDetail))).data;
}

/** PATCH /services/{id}: into a project (id or slug), or with null back to the default one. Spec sections 2.8 and 4.2. */
export async function moveService(client: CustomerClient, id: string, projectId: string | null): Promise<void> {
  await client.send("PATCH", path("/services/{id}", { id }), done, { projectId });
}

/** GET /services/{id}/actions. Spec sections 2.4 and 4.2. */
export async function listServiceActions(client: CustomerClient, id: string): Promise<ServiceActions> {
  return (await client.get(path("/services/{id}/actions", { id }), data(ServiceActions))).data;
}

/** POST /services/{id}/actions/{action}: gives whatever the provider's verb answers. Spec section 4.2. */
export async function runServiceAction(
  client: CustomerClient,
  id: string,
  action: string,
  params?: Record<string, unknown>,
): Promise<unknown> {
  const body = params === undefined ? undefined : { params };
  const route = path("/services/{id}/actions/{action}", { id, action });
  return (await client.send("POST", route, data(z.unknown().optional()), body)).data;
}

/** GET /services/{id}/stats: whatever it holds, since the spec does not show it (section 2.13). */
export async function readServiceStats(client: CustomerClient, id: string): Promise<unknown> {
  return (await client.get(path("/services/{id}/stats", { id }), data(z.json()))).data;
}

/** POST /services/{id}/power/{action}. Spec sections 2.8 (the names) and 4.2. */
export async function powerService(client: CustomerClient, id: string, action: string): Promise<Accepted> {
  return (await client.send("POST", path("/services/{id}/power/{action}", { id, action }), data(Accepted))).data;
}

/** POST /services/{id}/reinstall: erases the disk. A plugin provider takes `template` in place of `image_id`. Spec sections 2.8 and 4.2. */
export async function reinstallService(
  client: CustomerClient,
  id: string,
  body: { password: string } & ({ image_id: string } | { template: string }),
): Promise<Accepted> {
  return (await client.send("POST", path("/services/{id}/reinstall", { id }), data(Accepted), body)).data;
}

/** POST /services/{id}/password. Spec sections 2.8 and 4.2. */
export async function resetServicePassword(
  client: CustomerClient,
  id: string,
  body: { password: string },
): Promise<Accepted> {
  return (await client.send("POST", path("/services/{id}/password", { id }), data(Accepted), body)).data;
}

/** POST /services/{id}/cancel: at once, or with the paid period. Spec sections 2.8, 3.1 and 4.2. */
export function cancelService(client: CustomerClient, id: string, body: Cancel): Promise<Cancelled> {
  return client.send("POST", path("/services/{id}/cancel", { id }), cancelled, body);
}

/** DELETE /services/{id}/cancel: withdraws a scheduled cancellation. Spec section 4.2. */
export async function keepService(client: CustomerClient, id: string): Promise<void> {
  await client.send("DELETE", path("/services/{id}/cancel", { id }), done);
}

/** POST /services/{id}/renew: issues the next renewal document now; 409 while any document is open. Spec section 4.2. */
export async function renewService(client: CustomerClient, id: string): Promise<Renewal> {
  const made = await client.send("POST", path("/services/{id}/renew", { id }), z.object({ data: Renewal }));
  return made.data;
}
