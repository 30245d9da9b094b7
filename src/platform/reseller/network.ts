import { unspecified } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";

/** GET /services/{serviceId}/network: subnets, addresses, allocations and reverse DNS, in the platform's layout. Reseller spec sections 2.4 and 4. */
export const readNetwork = endpoint(
  "GET /services/{serviceId}/network",
  (call, serviceId: string): Promise<unknown> => call.envelope({ serviceId }, unspecified),
);

/**
 * GET /services/{serviceId}/health: temperatures, fans and power supplies of a dedicated server. Up to 60 seconds old, in the platform's
 * layout. Reseller spec sections 4 and 8.
 */
export const readHealth = endpoint(
  "GET /services/{serviceId}/health",
  (call, serviceId: string): Promise<unknown> => call.envelope({ serviceId }, unspecified),
);

/**
 * PUT /services/{serviceId}/rdns: sets the host name of one address of a dedicated server; null clears it. Reseller spec section
 * 4.
 */
export const setRdns = endpoint(
  "PUT /services/{serviceId}/rdns",
  (call, serviceId: string, body: { ipAddressId: string; hostname: string | null }): Promise<void> =>
    call.done({ serviceId }, { body }),
);

/** The settings of an IP transit service that the partner may change. */
export interface TransitConfig {
  customerAsn?: number | string;
  irrAsSet?: string | null;
  announcedPrefixes?: string[];
  routeType?: string;
}

/** PUT /services/{serviceId}/transit-config: 403 where only the supplier may change it. Reseller spec sections 4 and 7. */
export const setTransitConfig = endpoint(
  "PUT /services/{serviceId}/transit-config",
  (call, serviceId: string, body: TransitConfig): Promise<void> => call.done({ serviceId }, { body }),
  {
    refusals: [
      {
        status: 403,
        says: /self-service|edit|operator/i,
        means: "Only the platform's operator can change this setting: ask the operator.",
        spec: "4",
      },
    ],
  },
);
