import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { Id, orMissing } from "../fields.ts";
import { done, ifReadable, inData } from "../http/data.ts";
import { type PageQuery, pageWithStats } from "../http/pages.ts";
import { acceptedJob } from "../job-answer.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";
import { DocumentState } from "./documents.ts";
import { type Cancel, cancelled, ServiceStatus } from "./states.ts";

/** A service of any kind. Fields named here are checked; all others pass through unchanged. Spec section 2.4. */
export const Service = z.looseObject({
  id: z.string().min(1),
  serviceType: z.enum(["vps", "dedicated", "game", "unknown"]).catch("unknown"),
  status: orMissing(orUnlisted(ServiceStatus)),
  name: PlainText.nullish(),
  hostname: PlainText.nullish(),
});
export type Service = z.infer<typeof Service>;

export const ServiceDetail = z.object({ service: Service, liveInfo: z.unknown().optional() });
export type ServiceDetail = z.infer<typeof ServiceDetail>;

/** The actions that a service offers. Spec section 2.4. */
const ServiceActions = z.object({
  provider: z.string(),
  actions: z.array(z.string()),
});

/** The result of a renewal. The spec shows only the state of its document, and leaves open whether it is named. */
const Renewal = ifReadable(z.object({ document: ifReadable(DocumentState), settled: orMissing(z.boolean()) }));

/** A page of 20 rows by default, 200 at most. */
export const listServices = endpoint("GET /services", "read", "2.4, 4.2, 8", pageWithStats("services", Service), {
  sends: (query?: PageQuery & { status?: string }) => ({ query }),
});

/** Its address list may be empty even where `GET /vps/{id}` has addresses. */
export const readService = endpoint("GET /services/{id}", "read", "2.3, 2.4", inData(ServiceDetail));

/** Moves the service into a project (id or slug); null moves it to the default one. */
export const moveService = endpoint("PATCH /services/{id}", "services", "2.8, 4.2", done, {
  sends: (projectId: string | null) => ({ body: { projectId } }),
});

export const listServiceActions = endpoint("GET /services/{id}/actions", "read", "2.4, 4.2", inData(ServiceActions));

/** Only the provider knows what it does; gives the provider's answer unchanged. */
export const runServiceAction = endpoint(
  "POST /services/{id}/actions/{action}",
  "services",
  "4.2",
  inData(z.unknown().optional()),
  { sends: (params?: Record<string, unknown>) => (params ? { body: { params } } : {}), removes: true },
);

/** The payload unchanged, since the spec does not show it. */
export const readServiceStats = endpoint("GET /services/{id}/stats", "read", "2.13", inData(z.json()));

/** Section 2.8 has the names of the actions. */
export const powerService = endpoint("POST /services/{id}/power/{action}", "services", "2.8, 4.2", acceptedJob);

/** Erases the disk. A plugin provider takes `template` in place of `image_id`. */
export const reinstallService = endpoint("POST /services/{id}/reinstall", "services", "2.8, 4.2", done, {
  sends: (body: { password: string } & ({ image_id: string } | { template: string })) => ({ body }),
  removes: true,
});

/** Of a dedicated server it may rebuild the system (section 4.4). */
export const resetServicePassword = endpoint("POST /services/{id}/password", "services", "2.8, 4.2", done, {
  sends: (body: { password: string }) => ({ body }),
  removes: true,
});

/** Ends the service at once, or at the end of the paid period. */
export const cancelService = endpoint("POST /services/{id}/cancel", "destructive", "2.8, 3.1, 4.2", cancelled, {
  sends: (body: Cancel) => ({ body }),
});

/** Withdraws a scheduled cancellation. */
export const keepService = endpoint("DELETE /services/{id}/cancel", "services", "4.2", done);

/** Issues the next renewal document now; 409 while any document is open. */
export const renewService = endpoint("POST /services/{id}/renew", "billing", "4.2", inData(Renewal), {
  charges: true,
  refusals: [],
});

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

const gamePowers = ["start", "stop", "restart", "kill"] as const;
export type GamePower = (typeof gamePowers)[number];

/** The payload unchanged, since the spec does not show it. */
export const readGame = endpoint("GET /services/{id}/game", "read", "4.8", inData(z.json()));

/** Its refusals have dotted codes (section 7). */
export const powerGame = endpoint("POST /services/{id}/game/power/{action}", "services", "4.2, 7", acceptedJob, {
  at: { action: gamePowers },
});
