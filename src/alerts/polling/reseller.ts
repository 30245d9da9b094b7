import { readSettings } from "../../members/settings/settings.ts";
import { largestPage } from "../../platform/http/pages.ts";
import { listOrders, type Order } from "../../platform/reseller/orders.ts";
import { largestServicePage, listServices, readService, type Service } from "../../platform/reseller/services.ts";
import { type EventName, isAboutResold } from "../events.ts";
import { noteFacts, noteService, renewalKeyOf } from "../products.ts";
import { openResources } from "./gone.ts";
import { type EventCandidate, type Observation, observe } from "./observations.ts";
import { intervals, type PollingRound, pageReader, type Reader, type ReadersApp, urgentServices } from "./reader.ts";
import { billingObservations, dueObservations, type ObservedService } from "./service-observations.ts";

/** The readers of resold services and their orders, which find what the supplier's webhooks missed; the most urgent first. */
export function resellerReaders(app: ReadersApp): Reader<"reseller">[] {
  const { clock } = app;

  async function seeServices(rows: Service[], round: PollingRound): Promise<void> {
    const limits = await readSettings(app);
    const ownKey = (await app.connection.reader("customer"))?.keyId ?? null;
    // One after the other: the log has the events of a page in the platform's order.
    for (const row of rows) {
      const service = serviceOf(row);
      await noteService(app, row);
      // One list decides on a renewal: this one shows no cancellation, and may name the day where the own list names the time.
      const isOwn = ownKey !== null && (await renewalKeyOf(app, service.id)) === ownKey;
      const due = isOwn ? [] : dueObservations(service, limits, clock.now());
      await observe(app, `service:${service.id}`, [...billingObservations(service, "sold"), ...due], round);
    }
  }

  async function seeOrders(rows: Order[], round: PollingRound): Promise<void> {
    for (const row of rows) {
      await noteFacts(app, row.id, { product: row.product_name });
      await observe(app, `sold-order:${row.id}`, orderObservations(row), round);
    }
  }

  const openServices = openResources<"reseller", Service>(app, {
    kind: "service",
    aspects: ["sold"],
    idOf: ({ serviceId }) => serviceId,
    judges: isAboutResold,
    read: (client, id) => readService(client, id),
    see: (row, round) => seeServices([row], round),
  });
  const services = (status?: keyof typeof urgentServices) =>
    pageReader<"reseller", Service>({
      name: status ? urgentServices[status] : "services",
      every: status ? intervals.urgent : intervals.usual,
      whole: status === undefined,
      page: (client, page) => listServices(client, { page, limit: largestServicePage, ...(status && { status }) }),
      see: seeServices,
      ...(status === undefined && { open: openServices }),
    });
  const orders = (status?: "failed") =>
    pageReader<"reseller", Order>({
      name: status ? "orders that failed" : "orders",
      every: intervals.usual,
      whole: status === undefined,
      page: (client, page) => listOrders(client, { page, limit: largestPage, ...(status && { status }) }),
      see: seeOrders,
    });

  return [services("suspended"), services("provisioning_failed"), orders("failed"), services(), orders()];
}

function serviceOf(row: Service): ObservedService {
  const {
    serviceId: id,
    hostname = null,
    serverIp = null,
    status,
    billingCycle,
    nextDueDate,
    externalCustomerId,
  } = row;
  return {
    id,
    name: null,
    hostname,
    serverIp,
    kind: null,
    status,
    source: "missed",
    dueAt: billingCycle === "hourly" ? null : (nextDueDate ?? null),
    externalCustomerId: externalCustomerId ?? null,
  };
}

const payments: Partial<Record<NonNullable<Order["payment_status"]>, EventName>> = {
  paid: "order.paid",
  failed: "order.payment_failed",
};

/** The observations of the order's payment and of its build; its services are observed on their own. */
export function orderObservations(row: Order): Observation[] {
  const { payment_status: status, payment_mode: mode, provisioning_status: built } = row;
  // Skip orders that were made in the supplier's panel: they do not belong to the reseller programme.
  if (mode === "storefront") return [];
  const payment = status === "pending" && mode === "invoice" ? "order.invoiced" : status && payments[status];
  // A service that shows the failure is alerted by its own row, and a failed charge by the payment.
  const isShown = status === "failed" || row.services.some((one) => one.status === "provisioning_failed");
  return [
    ...observed("payment", status, payment),
    ...observed("build", built, built === "failed" && !isShown ? "service.provisioning_failed" : null),
  ];

  function observed(aspect: string, state: string | null | undefined, event: EventName | null | undefined) {
    const eventFor = () => (event ? candidateFor(event, row) : null);
    return state ? [{ aspect, state, patient: true, eventFor }] : [];
  }
}

function candidateFor(event: EventName, row: Order): EventCandidate {
  const { id, order_number, external_order_id, external_customer_id, currency } = row;
  return {
    event,
    source: "missed",
    // Its requester waits for the webhook, and must learn that it never came.
    led: null,
    data: {
      orderId: id,
      orderNumber: order_number ?? null,
      externalOrderId: external_order_id ?? null,
      externalCustomerId: external_customer_id ?? null,
      amount: row.wholesale_amount ?? null,
      invoiceId: row.invoice_id ?? row.proforma_id ?? null,
      ...(currency ? { currency } : {}),
      paymentError: event === "order.payment_failed" ? (row.payment_failed_reason ?? null) : null,
      provisioningError: event === "service.provisioning_failed" ? (row.provisioning_error ?? null) : null,
      paymentMode: row.payment_mode ?? null,
      services: row.services.map(({ serviceId, hostname, status }) => ({ serviceId, hostname, status })),
    },
  };
}
