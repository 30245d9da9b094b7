import { listOrders, type Order } from "../../platform/reseller/orders.ts";
import { listServices, type Service } from "../../platform/reseller/services.ts";
import type { EventName } from "../cards/events.ts";
import type { Products } from "../cards/products.ts";
import type { Limits } from "./limits.ts";
import { paces, pageReader, type Reader } from "./reader.ts";
import { billingSighting, dueSighting, type SeenService } from "./services.ts";
import type { News, Round, Sighting, Sightings } from "./sightings.ts";

const rowsPerPage = 200;

/** What is sold on, compared with what the supplier's events have said of it; the most urgent first. */
export function resellerReaders(deps: {
  sightings: Sightings;
  products: Pick<Products, "note">;
  limits: () => Promise<Limits>;
  now: () => number;
}): Reader<"reseller">[] {
  const { sightings, products, limits, now } = deps;

  async function seeServices(rows: Service[], round: Round): Promise<void> {
    const near = await limits();
    await Promise.all(
      rows.map(async (row) => {
        const service = serviceOf(row);
        await products.note(row.serviceId, row.productName);
        const sides = [...billingSighting(service, true), ...dueSighting(service, near, now())];
        await sightings.see(`service:${service.id}`, sides, round);
      }),
    );
  }

  async function seeOrders(rows: Order[], round: Round): Promise<void> {
    await Promise.all(
      rows.map(async (row) => {
        await products.note(row.id, row.product_name);
        await sightings.see(`sold-order:${row.id}`, orderSightings(row), round);
      }),
    );
  }

  const servicesThatAre = (status: "suspended" | "provisioning_failed") =>
    pageReader<"reseller", Service>({
      name: `services that are ${status}`,
      every: paces.urgent,
      page: (client, page) => listServices(client, { page, limit: rowsPerPage, status }),
      see: seeServices,
    });

  return [
    servicesThatAre("suspended"),
    servicesThatAre("provisioning_failed"),
    pageReader<"reseller", Order>({
      name: "orders that failed",
      every: paces.usual,
      page: (client, page) => listOrders(client, { page, limit: rowsPerPage, status: "failed" }),
      see: seeOrders,
    }),
    pageReader<"reseller", Service>({
      name: "services",
      every: paces.usual,
      whole: true,
      page: (client, page) => listServices(client, { page, limit: rowsPerPage }),
      see: seeServices,
    }),
    pageReader<"reseller", Order>({
      name: "orders",
      every: paces.usual,
      whole: true,
      page: (client, page) => listOrders(client, { page, limit: rowsPerPage }),
      see: seeOrders,
    }),
  ];
}

function serviceOf(row: Service): SeenService {
  const { serviceId: id, hostname = null, status, billingCycle, nextDueDate, externalCustomerId } = row;
  return {
    ...{ id, name: null, hostname, kind: null, status, source: "missed" },
    dueAt: billingCycle === "hourly" ? null : (nextDueDate ?? null),
    externalCustomerId: externalCustomerId ?? null,
  };
}

const payments: Partial<Record<NonNullable<Order["payment_status"]>, EventName>> = {
  paid: "order.paid",
  failed: "order.payment_failed",
};

/** How its money stands; of its building the services tell. */
function orderSightings(row: Order): Sighting[] {
  const { payment_status: status, payment_mode: mode } = row;
  // What was bought in the supplier's panel is no order of the programme's.
  if (!status || mode === "storefront") return [];
  const event = status === "pending" && mode === "invoice" ? "order.invoiced" : payments[status];
  return [{ side: "money", state: status, patient: true, news: () => (event ? newsOf(event, row) : null) }];
}

function newsOf(event: EventName, row: Order): News {
  const { id, order_number, external_order_id, external_customer_id, currency, payment_failed_reason } = row;
  return {
    event,
    source: "missed",
    by: null,
    data: {
      ...{ orderId: id, orderNumber: order_number ?? null, externalOrderId: external_order_id ?? null },
      ...{ externalCustomerId: external_customer_id ?? null, amount: row.wholesale_amount ?? null },
      ...(currency ? { currency } : {}),
      paymentError: event === "order.payment_failed" ? (payment_failed_reason ?? null) : null,
      services: row.services.map(({ serviceId, hostname }) => ({ serviceId, hostname })),
    },
  };
}
