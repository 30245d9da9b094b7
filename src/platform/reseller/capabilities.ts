import * as z from "zod";
import { data, dataOf } from "../http/data.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import type { ResellerClient } from "./client.ts";

/** What can be done with a service from here; without a backend nothing can. A terminated one says no to all. Reseller spec section 2.4. */
export const Capabilities = z.object({
  backend: z.enum(["vps", "dedicated", "upstream", "plugin"]).nullable(),
  power: z.boolean(),
  // Words, not states: one that is new here is offered by nobody and harms nobody.
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

/** A system that a reinstall takes: by `id`, on a plugin service by `name`. Reseller spec sections 2.4 and 4.3. */
const OsTemplate = z.object({ id: Id, name: z.string() });
export type OsTemplate = z.infer<typeof OsTemplate>;

/** `platform` is `native`, or a plugin's name; a dedicated server tells none. */
export const OsTemplates = z.preprocess(
  (sent) => (Array.isArray(sent) ? { templates: sent } : sent),
  z.object({ templates: z.array(OsTemplate), platform: z.string().nullish() }),
);
export type OsTemplates = z.infer<typeof OsTemplates>;

/** GET /services/{serviceId}/capabilities. Reseller spec section 2.4. */
export async function readCapabilities(client: ResellerClient, serviceId: string): Promise<Capabilities> {
  const route = path("/services/{serviceId}/capabilities", { serviceId });
  return (await client.get(route, dataOf("capabilities", Capabilities))).data;
}

/** GET /services/{serviceId}/os-templates; 400 for an upstream service. Reseller spec sections 2.4 and 4.3. */
export async function listOsTemplates(client: ResellerClient, serviceId: string): Promise<OsTemplates> {
  return (await client.get(path("/services/{serviceId}/os-templates", { serviceId }), data(OsTemplates))).data;
}
