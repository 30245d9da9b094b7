import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { ifReadable } from "../http/data.ts";
import { type PageWithStats, pageWithStats } from "../http/pages.ts";
import { orMissing } from "../missing.ts";
import { type Cancel, type Cancelled, cancelled } from "./cancellation.ts";
import { VpsCapabilities } from "./capabilities.ts";
import { DocumentState } from "./documents.ts";
import { endpoint } from "./endpoint.ts";
import { AcceptedAction } from "./jobs.ts";
import { ServiceStatus } from "./states.ts";

/** A service of any kind. Fields named here are checked; all others pass through unchanged. Spec section 2.4. */
export const Service = z.looseObject({
  id: z.string().min(1),
  serviceType: z.enum(["vps", "dedicated", "game", "unknown"]).catch("unknown"),
  status: orMissing(ServiceStatus),
  name: PlainText.nullish(),
  hostname: PlainText.nullish(),
  vps_capabilities: VpsCapabilities.nullish(),
});
export type Service = z.infer<typeof Service>;

export const ServiceDetail = z.object({ service: Service, liveInfo: z.unknown().optional() });
export type ServiceDetail = z.infer<typeof ServiceDetail>;

/** The actions that a service offers. Spec section 2.4. */
export const ServiceActions = z.object({
  service_id: z.string(),
  kind: z.string(),
  provider: z.string(),
  actions: z.array(z.string()),
  capabilities: z.unknown().optional(),
});
export type ServiceActions = z.infer<typeof ServiceActions>;

/** The result of a renewal. The spec shows only the state of its document, and leaves open whether it is named. */
export const Renewal = ifReadable(z.object({ document: ifReadable(DocumentState), settled: orMissing(z.boolean()) }));
export type Renewal = z.infer<typeof Renewal>;

/** GET /services: a page of 20 rows by default, 200 at most. Spec sections 2.4, 4.2 and 8. */
export const listServices = endpoint(
  "GET /services",
  (call, query: { page?: number; limit?: number; status?: string } = {}): Promise<PageWithStats<Service>> =>
    call.envelope({}, pageWithStats("services", Service), { query }),
);

/** GET /services/{id}. Its address list may be empty even where `GET /vps/{id}` has addresses. Spec sections 2.3 and 2.4. */
export const readService = endpoint(
  "GET /services/{id}",
  (call, id: string): Promise<ServiceDetail> => call.data({ id }, ServiceDetail),
);

/** PATCH /services/{id}: moves the service into a project (id or slug); null moves it to the default one. Spec sections 2.8 and 4.2. */
export const moveService = endpoint(
  "PATCH /services/{id}",
  (call, id: string, projectId: string | null): Promise<void> => call.done({ id }, { body: { projectId } }),
);

/** GET /services/{id}/actions. Spec sections 2.4 and 4.2. */
export const listServiceActions = endpoint(
  "GET /services/{id}/actions",
  (call, id: string): Promise<ServiceActions> => call.data({ id }, ServiceActions),
);

/** POST /services/{id}/actions/{action}: returns the provider's answer unchanged. Spec section 4.2. */
export const runServiceAction = endpoint(
  "POST /services/{id}/actions/{action}",
  (call, id: string, action: string, params?: Record<string, unknown>): Promise<unknown> =>
    call.data({ id, action }, z.unknown().optional(), params === undefined ? {} : { body: { params } }),
);

/** GET /services/{id}/stats: returns the payload unchanged, since the spec does not show it (section 2.13). */
export const readServiceStats = endpoint(
  "GET /services/{id}/stats",
  (call, id: string): Promise<unknown> => call.data({ id }, z.json()),
);

/** POST /services/{id}/power/{action}. Spec sections 2.8 (the names) and 4.2. */
export const powerService = endpoint(
  "POST /services/{id}/power/{action}",
  (call, id: string, action: string): Promise<AcceptedAction> => call.data({ id, action }, AcceptedAction),
);

/** POST /services/{id}/reinstall: erases the disk. A plugin provider takes `template` in place of `image_id`. Spec sections 2.8 and 4.2. */
export const reinstallService = endpoint(
  "POST /services/{id}/reinstall",
  (call, id: string, body: { password: string } & ({ image_id: string } | { template: string })): Promise<void> =>
    call.done({ id }, { body }),
);

/** POST /services/{id}/password. Spec sections 2.8 and 4.2. */
export const resetServicePassword = endpoint(
  "POST /services/{id}/password",
  (call, id: string, body: { password: string }): Promise<void> => call.done({ id }, { body }),
);

/** POST /services/{id}/cancel: ends the service at once, or at the end of the paid period. Spec sections 2.8, 3.1 and 4.2. */
export const cancelService = endpoint(
  "POST /services/{id}/cancel",
  (call, id: string, body: Cancel): Promise<Cancelled> => call.envelope({ id }, cancelled, { body }),
);

/** DELETE /services/{id}/cancel: withdraws a scheduled cancellation. Spec section 4.2. */
export const keepService = endpoint(
  "DELETE /services/{id}/cancel",
  (call, id: string): Promise<void> => call.done({ id }),
);

/** POST /services/{id}/renew: issues the next renewal document now; 409 while any document is open. Spec section 4.2. */
export const renewService = endpoint(
  "POST /services/{id}/renew",
  (call, id: string): Promise<Renewal> => call.data({ id }, Renewal),
  { charges: true, refusals: [] },
);
