import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import type { RouteCall } from "../http/endpoint.ts";
import { type ListPage, pageOf } from "../http/pages.ts";
import { endpoint } from "./endpoint.ts";
import { AcceptedAction } from "./jobs.ts";
import { ServiceStatus } from "./states.ts";

const text = z.string().nullish();

/**
 * A dedicated server. Fields that the spec does not name pass through unchanged. `hardware` is present once a machine is bound. Spec
 * sections 2.3 and 2.5.
 */
export const Dedicated = z.looseObject({
  id: z.string().min(1),
  name: PlainText.nullish(),
  hostname: PlainText.nullish(),
  status: ServiceStatus,
  hardware: z
    .looseObject({
      name: PlainText.nullish(),
      manufacturer: PlainText.nullish(),
      model: PlainText.nullish(),
      specs: z.unknown().optional(),
      status: text,
    })
    .nullish(),
  provisioning: z.looseObject({ provision_state: text, power_state: text }).nullish(),
  project: z.object({ id: z.string(), slug: z.string(), name: PlainText }).nullish(),
});
export type Dedicated = z.infer<typeof Dedicated>;

const anything = (call: RouteCall<"GET /dedicated/{id}/ips">, id: string): Promise<unknown> =>
  call.data({ id }, z.json());

/** GET /dedicated/{id}/…: reads whose payloads the spec does not show. Spec sections 2.5 and 4.4. */
export const dedicatedParts = {
  ips: endpoint("GET /dedicated/{id}/ips", anything),
  "power-status": endpoint("GET /dedicated/{id}/power-status", anything),
  "provision-status": endpoint("GET /dedicated/{id}/provision-status", anything),
  "os-images": endpoint("GET /dedicated/{id}/os-images", anything),
  stats: endpoint("GET /dedicated/{id}/stats", anything),
  traffic: endpoint("GET /dedicated/{id}/traffic", anything),
} as const;
export type DedicatedPart = keyof typeof dedicatedParts;

/** GET /dedicated: a page of 50 rows by default, 200 at most. Spec sections 4.4 and 8. */
export const listDedicated = endpoint(
  "GET /dedicated",
  (call, query: { page?: number; limit?: number } = {}): Promise<ListPage<Dedicated>> =>
    call.envelope({}, pageOf("dedicated", Dedicated), { query }),
);

/** GET /dedicated/{id}. Spec sections 2.5 and 4.4. */
export const readDedicated = endpoint(
  "GET /dedicated/{id}",
  (call, id: string): Promise<Dedicated> => call.data({ id }, Dedicated),
);

/** POST /dedicated/{id}/power: a 424 means that the management controller did not complete it. Spec sections 4.4 and 7. */
export const powerDedicated = endpoint(
  "POST /dedicated/{id}/power",
  (call, id: string, action: "on" | "off" | "restart"): Promise<AcceptedAction> =>
    call.data({ id }, AcceptedAction, { body: { action } }),
);

/** POST /dedicated/{id}/reinstall: erases the data and installs the account's SSH keys. Spec section 4.4. */
export const reinstallDedicated = endpoint(
  "POST /dedicated/{id}/reinstall",
  (call, id: string, body: { osImageId: string }): Promise<void> => call.done({ id }, { body }),
);

/** POST /dedicated/{id}/password: where provisioning manages the server, this rebuilds it and erases its data. Spec section 4.4. */
export const resetDedicatedPassword = endpoint(
  "POST /dedicated/{id}/password",
  (call, id: string, body: { password: string }): Promise<void> => call.done({ id }, { body }),
);
