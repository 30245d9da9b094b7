import * as z from "#zod";
import { Id } from "../fields.ts";
import { inData, objectOrField } from "../http/data.ts";
import { endpoint } from "./client.ts";

/** The actions that this API offers for a service; without a backend none. For a terminated service all are false. Reseller spec section 2.4. */
export const Capabilities = z.object({
  backend: z.enum(["vps", "dedicated", "upstream", "plugin"]).nullable(),
  power: z.boolean(),
  // Any word is accepted: an action that is new here gets no button, and must not make the whole answer unreadable.
  powerActions: z
    .array(z.string())
    .nullish()
    .transform((actions) => actions ?? []),
  stats: z.boolean(),
  console: z.boolean(),
  reinstall: z.boolean(),
  password: z.boolean(),
  backups: z.boolean(),
});
export type Capabilities = z.infer<typeof Capabilities>;

/** A system that a reinstall accepts: by `id`, on a plugin service by `name`. Reseller spec sections 2.4 and 4.3. */
const OsTemplate = z.object({ id: Id, name: z.string() });
export type OsTemplate = z.infer<typeof OsTemplate>;

/** `platform` is `native` or a plugin's name; it is absent for a dedicated server. */
const OsTemplates = z.preprocess(
  (raw) => (Array.isArray(raw) ? { templates: raw } : raw),
  z.object({ templates: z.array(OsTemplate), platform: z.string().nullish() }),
);

export const readCapabilities = endpoint(
  "GET /services/{serviceId}/capabilities",
  "read",
  "2.4",
  inData(objectOrField("capabilities", Capabilities)),
);

/** 400 for an upstream service. */
export const listOsTemplates = endpoint(
  "GET /services/{serviceId}/os-templates",
  "read",
  "2.4, 4.3",
  inData(OsTemplates),
);
