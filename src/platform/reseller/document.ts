import * as z from "#zod";
import { type Parted, partSecrets } from "../../process/secret-parts.ts";
import { inData, objectOrField } from "../http/data.ts";
import { orUnlisted } from "../unlisted.ts";
import { Capabilities } from "./capabilities.ts";
import { endpoint } from "./client.ts";
import { ServiceStatus } from "./states.ts";

const text = z.string().nullish();
/** A panel is shown only where the platform sends `true`; without `false` an act is not refused for it either. */
const panel = z
  .boolean()
  .nullish()
  .transform((shown) => shown ?? undefined);

/** The panels that a service's page has. Reseller spec section 2.4. */
const Features = z.object({
  traffic: panel,
  hardware_health: panel,
  rescue: panel,
  ssh_keys: panel,
});
export type Features = z.infer<typeof Features>;

const DocumentKind = z.enum(["dedicated", "vps", "ip-transit", "colocation", "game", "plugin", "generic"]);
export type DocumentKind = z.infer<typeof DocumentKind>;

/**
 * The content of a service's page. The spec does not show the sections by kind or `network`, so they pass through unchanged. Reseller
 * spec section 2.4.
 */
export const ServiceDocument = z.object({
  kind: DocumentKind,
  service: z.object({
    hostname: text,
    status: orUnlisted(ServiceStatus),
    serverLocation: text,
    productSpecs: z.unknown().optional(),
    osImage: z.object({ name: text }).nullish(),
  }),
  capabilities: Capabilities.nullish(),
  features: Features,
  dedicated: z.unknown().optional(),
  vps: z.unknown().optional(),
  ipTransit: z.unknown().optional(),
  colocation: z.unknown().optional(),
  game: z.unknown().optional(),
  plugin: z.unknown().optional(),
  network: z.unknown().optional(),
});
export type ServiceDocument = z.infer<typeof ServiceDocument>;

export const readDocument = endpoint(
  "GET /services/{serviceId}/document",
  "read",
  "2.4",
  inData(objectOrField("document", ServiceDocument)),
);

const sections = {
  dedicated: "dedicated",
  vps: "vps",
  "ip-transit": "ipTransit",
  colocation: "colocation",
  game: "game",
  plugin: "plugin",
  generic: null,
} as const satisfies Record<DocumentKind, keyof ServiceDocument | null>;

/** The document's section for the service's kind, with its secrets separated. `rest` is null where there is none. */
export function kindSection(document: ServiceDocument): Parted {
  const name = sections[document.kind];
  return partSecrets(name === null ? null : document[name]);
}
