import { euros } from "../money/money.ts";
import type { Service } from "../world/service.ts";
import type { World } from "../world/world.ts";
import type { Partner, WholesaleOrder } from "./partner.ts";

export const eventNames = [
  "order.paid",
  "order.invoiced",
  "order.payment_failed",
  "service.provisioned",
  "service.provisioning_failed",
  "service.suspended",
  "service.unsuspended",
  "service.terminated",
  "webhook.test",
] as const;
export type EventName = (typeof eventNames)[number];

/** The destination of events: they are queued while an address is on file, and dropped while there is none (spec 6). */
export interface EventSink {
  raise(partner: Partner, event: EventName, data: object): void;
}

/** The data of an order event, without the unknown fields (spec 6). */
export function orderData(order: WholesaleOrder, invoiceId: string | null) {
  const paid = order.status === "paid" || order.status === "provisioning_failed";
  return {
    orderId: order.id,
    orderNumber: order.number,
    externalOrderId: order.externalOrderId,
    externalCustomerId: order.customer?.id ?? null,
    status: order.status,
    paymentMode: order.mode,
    amount: euros(order.amount),
    currency: order.currency,
    ...(paid || order.status === "invoiced" ? { vat: euros(order.vat), total: euros(order.amount + order.vat) } : {}),
    ...(invoiceId === null ? {} : { invoiceId }),
    ...(order.paymentError === null ? {} : { paymentError: order.paymentError }),
    ...(order.provisioningError === null ? {} : { provisioningError: order.provisioningError }),
  };
}

/** The data of a service event (spec 6). */
export function serviceData(partner: Partner, service: Service, reason: string | null) {
  const resold = partner.resold.get(service.id);
  const customer = partner.customers.get(resold?.customer ?? "");
  return {
    serviceId: service.id,
    orderId: resold?.orderId ?? service.order_id,
    externalOrderId: resold?.externalOrderId ?? null,
    externalCustomerId: customer?.externalId ?? null,
    status: service.status,
    serverIp: addressOf(service),
    hostname: service.hostname,
    ...(reason === null ? {} : { reason }),
  };
}

/** The number and id of the document of an order; a proforma has no invoice yet. */
export function documentOf(world: World, order: WholesaleOrder) {
  const document = order.documentId === null ? undefined : world.documents.get(order.documentId);
  return {
    invoiceId: document?.type === "invoice" ? document.id : (document?.invoice_id ?? null),
    proformaId: document?.type === "proforma" ? document.id : null,
    number: document?.number ?? null,
  };
}

export function addressOf(service: Service): string | null {
  return "ip_addresses" in service ? (service.ip_addresses[0]?.address ?? null) : null;
}
