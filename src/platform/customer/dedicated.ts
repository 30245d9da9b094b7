import * as z from "zod";
import { data, done } from "../http/data.ts";
import { type Page, pageOf } from "../http/pages.ts";
import { path } from "../http/path.ts";
import type { CustomerClient } from "./client.ts";
import { Accepted } from "./jobs.ts";
import { ServiceStatus } from "./states.ts";

const text = z.string().nullish();

/** A dedicated server: what the spec names is read, the rest is kept as it comes. `hardware` once a machine is bound. Spec sections 2.3 and 2.5. */
export const Dedicated = z.looseObject({
  id: z.string().min(1),
  name: text,
  hostname: text,
  status: ServiceStatus,
  hardware: z
    .looseObject({ name: text, manufacturer: text, model: text, specs: z.unknown().optional(), status: text })
    .nullish(),
  provisioning: z.looseObject({ provision_state: text, power_state: text }).nullish(),
  project: z.object({ id: z.string(), slug: z.string(), name: z.string() }).nullish(),
});
export type Dedicated = z.infer<typeof Dedicated>;

/** What else can be read of a dedicated server; the spec shows none of it. */
export type DedicatedPart = "ips" | "power-status" | "provision-status" | "os-images" | "stats" | "traffic";

const parts = {
  ips: "/dedicated/{id}/ips",
  "power-status": "/dedicated/{id}/power-status",
  "provision-status": "/dedicated/{id}/provision-status",
  "os-images": "/dedicated/{id}/os-images",
  stats: "/dedicated/{id}/stats",
  traffic: "/dedicated/{id}/traffic",
} as const satisfies Record<DedicatedPart, string>;

/** GET /dedicated: a page, 50 rows unless told, 200 at most. Spec sections 4.4 and 8. */
export function listDedicated(
  client: CustomerClient,
  query: { page?: number; limit?: number } = {},
): Promise<Page<Dedicated>> {
  return client.get("/dedicated", pageOf("dedicated", Dedicated), query);
}

/** GET /dedicated/{id}. Spec sections 2.5 and 4.4. */
export async function readDedicated(client: CustomerClient, id: string): Promise<Dedicated> {
  return (await client.get(path("/dedicated/{id}", { id }), data(Dedicated))).data;
}

/** GET /dedicated/{id}/<part>: whatever it holds. Spec sections 2.5 and 4.4. */
export async function readDedicatedPart(client: CustomerClient, id: string, part: DedicatedPart): Promise<unknown> {
  return (await client.get(path(parts[part], { id }), data(z.json()))).data;
}

/** POST /dedicated/{id}/power: a 424 means that the management controller did not complete it. Spec sections 4.4 and 7. */
export async function powerDedicated(
  client: CustomerClient,
  id: string,
  action: "on" | "off" | "restart",
): Promise<Accepted> {
  const route = path("/dedicated/{id}/power", { id });
  return (await client.send("POST", route, z.object({ data: Accepted }), { action })).data;
}

/** POST /dedicated/{id}/reinstall: erases the data and installs the account's SSH keys. Spec section 4.4. */
export async function reinstallDedicated(
  client: CustomerClient,
  id: string,
  body: { osImageId: string },
): Promise<void> {
  await client.send("POST", path("/dedicated/{id}/reinstall", { id }), done, body);
}

/** POST /dedicated/{id}/password: on a server that provisioning manages it rebuilds the server and erases its data. Spec section 4.4. */
export async function resetDedicatedPassword(
  client: CustomerClient,
  id: string,
  body: { password: string },
): Promise<void> {
  await client.send("POST", path("/dedicated/{id}/password", { id }), done, body);
}
