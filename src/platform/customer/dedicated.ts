import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { done, inData, objectOrField } from "../http/data.ts";
import { inPages, pageOf } from "../http/pages.ts";
import { acceptedJob } from "../job-answer.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";
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
  status: orUnlisted(ServiceStatus),
  hardware: z
    .looseObject({
      name: PlainText.nullish(),
      manufacturer: PlainText.nullish(),
      model: PlainText.nullish(),
      specs: z.unknown().optional(),
    })
    .nullish(),
  provisioning: z.looseObject({ provision_state: text }).nullish(),
  project: z.object({ id: z.string(), name: PlainText }).nullish(),
});
export type Dedicated = z.infer<typeof Dedicated>;

const anything = inData(z.json());

/** Reads whose payloads the spec does not show. */
export const dedicatedParts = {
  ips: endpoint("GET /dedicated/{id}/ips", "read", "2.5, 4.4", anything),
  "power-status": endpoint("GET /dedicated/{id}/power-status", "read", "2.5, 4.4", anything),
  "provision-status": endpoint("GET /dedicated/{id}/provision-status", "read", "2.5, 4.4", anything),
  "os-images": endpoint("GET /dedicated/{id}/os-images", "read", "2.5, 4.4", anything),
  stats: endpoint("GET /dedicated/{id}/stats", "read", "2.5, 4.4", anything),
  traffic: endpoint("GET /dedicated/{id}/traffic", "read", "2.5, 4.4", anything),
} as const;
export type DedicatedPart = keyof typeof dedicatedParts;

/** A page of 50 rows by default, 200 at most. */
export const listDedicated = endpoint("GET /dedicated", "read", "4.4, 8", pageOf("dedicated", Dedicated), inPages);

export const readDedicated = endpoint(
  "GET /dedicated/{id}",
  "read",
  "2.5, 4.4",
  inData(objectOrField("dedicated", Dedicated)),
);

/** A 424 means that the management controller did not complete it (section 7). */
export const powerDedicated = endpoint("POST /dedicated/{id}/power", "services", "4.4, 7", acceptedJob, {
  sends: (action: "on" | "off" | "restart") => ({ body: { action } }),
  // The action may be in the path instead.
  twins: ["POST /dedicated/{id}/power/{action}"],
});

/** Erases the data and installs the account's SSH keys. */
export const reinstallDedicated = endpoint("POST /dedicated/{id}/reinstall", "services", "4.4", done, {
  sends: (body: { osImageId: string }) => ({ body }),
  removes: true,
});

/** Rebuilds a server that provisioning manages, and erases its data. */
export const resetDedicatedPassword = endpoint("POST /dedicated/{id}/password", "services", "4.4", done, {
  sends: (body: { password: string }) => ({ body }),
  removes: true,
});
