import * as z from "zod";
import { dataOf, dataWithStatus } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import type { ResellerClient } from "./client.ts";

/** Reseller spec section 3.4. */
const PackageChangeStatus = z.enum(["pending", "awaiting_payment", "executing", "awaiting_admin"]);

/** A change of a service's product that was taken on: it applies once its document is settled; one that costs nothing has none. Reseller spec sections 3.4 and 4. */
export const PackageChange = z.object({
  serviceId: z.string().nullish(),
  upgradeId: z.string().nullish(),
  status: PackageChangeStatus,
  billingDocumentType: z.enum(["invoice", "proforma"]).nullish(),
  billingDocumentId: z.string().nullish(),
  billingDocumentNumber: Id.nullish(),
  orderId: z.string().nullish(),
  message: z.string().nullish(),
});
export type PackageChange = z.infer<typeof PackageChange>;

/** What a service could be upgraded to, at what the partner pays, as the platform lays it out. Reseller spec section 2.4. */
export const Upgrades = z.looseObject({
  available: z.unknown(),
  addons: z.unknown().optional(),
  pendingUpgrade: z.unknown().optional(),
});
export type Upgrades = z.infer<typeof Upgrades>;

/** POST /services/{serviceId}/change-package: 202. No route tells how far it is: compare the service's product name. 409 without an upgrade path. Reseller spec sections 3.4, 4 and 4.3. */
export function changePackage(
  client: ResellerClient,
  serviceId: string,
  productId: string,
): Promise<Success<PackageChange>> {
  const route = path("/services/{serviceId}/change-package", { serviceId });
  return dataWithStatus(client.sendWithStatus("POST", route, dataOf("upgrade", PackageChange), { productId }));
}

/** GET /services/{serviceId}/upgrades: that section of the document. Reseller spec sections 2.4 and 4. */
export async function readUpgrades(client: ResellerClient, serviceId: string): Promise<Upgrades> {
  const route = path("/services/{serviceId}/upgrades", { serviceId });
  return (await client.get(route, dataOf("upgrades", Upgrades))).data;
}
