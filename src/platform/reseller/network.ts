import { done, unspecified } from "../http/data.ts";
import { endpoint } from "./client.ts";

/** Subnets, addresses, allocations and reverse DNS, in the platform's layout. */
export const readNetwork = endpoint("GET /services/{serviceId}/network", "read", "2.4, 4", unspecified);

/** Temperatures, fans and power supplies of a dedicated server. Up to 60 seconds old, in the platform's layout. */
export const readHealth = endpoint("GET /services/{serviceId}/health", "read", "4, 8", unspecified);

/** Sets the host name of one address of a dedicated server; null clears it. */
export const setRdns = endpoint("PUT /services/{serviceId}/rdns", "services", "4", done, {
  sends: (body: { ipAddressId: string; hostname: string | null }) => ({ body }),
});

/** The settings of an IP transit service that the partner may change. */
export interface TransitConfig {
  customerAsn?: number | string;
  irrAsSet?: string | null;
  announcedPrefixes?: string[];
  routeType?: string;
}

/** 403 where only the supplier may change it. */
export const setTransitConfig = endpoint("PUT /services/{serviceId}/transit-config", "services", "4, 7", done, {
  sends: (body: TransitConfig) => ({ body }),
  removes: true,
  refusals: [
    {
      status: 403,
      says: /self-service|edit|operator/i,
      means: "Only the platform's operator can change this setting: ask the operator.",
      spec: "4",
    },
  ],
});
