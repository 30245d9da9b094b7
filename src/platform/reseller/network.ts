import { notShown } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";

/** GET /services/{serviceId}/network: subnets, addresses, allocations and reverse DNS of a service of any kind, as the platform lays them out. Reseller spec sections 2.4 and 4. */
export function readNetwork(client: ResellerClient, serviceId: string): Promise<unknown> {
  return client.get(path("/services/{serviceId}/network", { serviceId }), notShown);
}

/** GET /services/{serviceId}/health: temperatures, fans and power supplies of a dedicated server, up to 60 seconds old, as the platform lays them out. Reseller spec sections 4 and 8. */
export function readHealth(client: ResellerClient, serviceId: string): Promise<unknown> {
  return client.get(path("/services/{serviceId}/health", { serviceId }), notShown);
}

/** PUT /services/{serviceId}/rdns: of one address of a dedicated server; null as the host name clears it. Gives what the platform answered. Reseller spec section 4. */
export function setRdns(
  client: ResellerClient,
  serviceId: string,
  body: { ipAddressId: string; hostname: string | null },
): Promise<unknown> {
  return client.send("PUT", path("/services/{serviceId}/rdns", { serviceId }), notShown, body);
}

/** What of an IP transit service its holder may set. */
export interface TransitConfig {
  customerAsn?: number | string;
  irrAsSet?: string;
  announcedPrefixes?: string[];
  routeType?: string;
}

/** PUT /services/{serviceId}/transit-config: 403 where the supplier keeps it to itself. Gives what the platform answered. Reseller spec sections 4 and 7. */
export function setTransitConfig(client: ResellerClient, serviceId: string, body: TransitConfig): Promise<unknown> {
  return client.send("PUT", path("/services/{serviceId}/transit-config", { serviceId }), notShown, body);
}
