import * as z from "zod";
import { data, notShown } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";
import { type Parted, partSecrets } from "./secret-fields.ts";

/** The page that a provider describes for its services, as it does; `useDefaultUI` where it describes none. Reseller spec section 4. */
export const UiSchema = z.object({ schema: z.unknown(), useDefaultUI: z.boolean().nullish() });
export type UiSchema = z.infer<typeof UiSchema>;

/** GET /services/{serviceId}/provider: as the platform lays it out, its secrets apart; null where no plugin provides the service. Reseller spec section 4. */
export async function readProvider(client: ResellerClient, serviceId: string): Promise<Parted | null> {
  const route = path("/services/{serviceId}/provider", { serviceId });
  const { provider } = (await client.get(route, data(z.object({ provider: z.unknown() })))).data;
  return provider === null ? null : partSecrets(provider);
}

/** GET /services/{serviceId}/ui-schema. Reseller spec section 4. */
export async function readUiSchema(client: ResellerClient, serviceId: string): Promise<UiSchema> {
  return (await client.get(path("/services/{serviceId}/ui-schema", { serviceId }), data(UiSchema))).data;
}

/** POST /services/{serviceId}/ui-action/{action}: nobody but the provider knows what it does, or answers. Reseller spec section 4. */
export async function runUiAction(
  client: ResellerClient,
  serviceId: string,
  action: string,
  params: Record<string, unknown> = {},
): Promise<Parted> {
  const route = path("/services/{serviceId}/ui-action/{action}", { serviceId, action });
  return partSecrets(await client.send("POST", route, notShown, { params }));
}
