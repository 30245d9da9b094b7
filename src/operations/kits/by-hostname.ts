import type { CustomerClient } from "../../platform/customer/client.ts";
import { listOrders, readOrder } from "../../platform/customer/orders.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";

/** The platform finds few orders by one host name; more than these are not read. */
const most = 5;

/**
 * The services that the platform finds by a host name, each as `read` returns it. Only orders can be asked for by host name (spec section
 * 4.6): they name the services that were built from them. Services of another kind are left out.
 */
export function byHostname<T>(
  read: (client: CustomerClient, id: string) => Promise<T>,
): (client: CustomerClient, name: string) => Promise<T[]> {
  return async (client, hostname) => {
    const { rows } = await listOrders(client, { hostname, limit: most });
    // The platform may send more rows than it was asked for.
    const orders = await Promise.all(
      rows.slice(0, most).map((row) => (row.services ? row : readOrder(client, row.id))),
    );
    const ids = new Set(orders.flatMap(({ services = [] }) => services.map(({ id }) => id)));
    const found = await Promise.all([...ids].slice(0, most).map((id) => read(client, id).catch(nullIfRefused(404))));
    return found.filter((row) => row !== null);
  };
}
