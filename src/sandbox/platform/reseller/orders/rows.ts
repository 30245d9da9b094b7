import { isSettled } from "../../money/documents.ts";
import { euros, eurosText } from "../../money/money.ts";
import { addressOf, documentOf } from "../../programme/events.ts";
import type { WholesaleOrder } from "../../programme/partner.ts";
import { type Order, orderStatus, servicesOf, servicesWith } from "../../world/order.ts";
import type { Service } from "../../world/service.ts";
import { statusOf } from "../request/access.ts";
import type { Call } from "../request/call.ts";

/** A placed order (spec 2.3). */
export function orderResult(call: Call, order: WholesaleOrder) {
  const { invoiceId, number } = documentOf(call.world, order);
  return {
    orderId: order.id,
    orderNumber: order.number,
    externalOrderId: order.externalOrderId,
    status: order.status,
    paymentStatus: order.paymentStatus,
    paymentMode: order.mode,
    amount: euros(order.amount),
    vat: euros(order.vat),
    total: euros(order.amount + order.vat),
    currency: order.currency,
    invoiceId,
    services: builtOf(call, order),
    options: order.options.map(({ unitPrice, setupFee, ...option }) => ({
      ...option,
      unitPrice: unitPrice / 100,
      setupFee: euros(setupFee),
    })),
    message: messageOf(order, number),
  };
}

function messageOf({ status, paymentError }: WholesaleOrder, number: string | null): string {
  if (status === "payment_failed") return paymentError ?? "The charge failed";
  if (status === "invoiced") return `The document ${number} waits for its payment`;
  if (status === "provisioning_failed") return "The service could not be created";
  return number === null ? "The order was placed" : `The order was placed; it is paid by ${number}`;
}

/** The answer to a repeat with the same `externalOrderId`. */
export function replayResult(call: Call, order: WholesaleOrder) {
  const { invoiceId, proformaId } = documentOf(call.world, order);
  return {
    orderId: order.id,
    orderNumber: order.number,
    externalOrderId: order.externalOrderId,
    status: platformStatus(call, order),
    paymentStatus: order.paymentStatus,
    provisioningStatus: provisioningOf(call, order).status,
    amount: euros(order.amount),
    currency: order.currency,
    invoiceId,
    proformaId,
    createdAt: order.created_at,
    services: builtOf(call, order),
    idempotent: true,
  };
}

/** A row of the list (spec 2.3). */
export function orderRow(call: Call, order: WholesaleOrder) {
  const { invoiceId, proformaId } = documentOf(call.world, order);
  return {
    id: order.id,
    order_number: order.number,
    status: platformStatus(call, order),
    billing_cycle: order.cycle,
    total_amount: eurosText(order.base),
    created_at: order.created_at,
    external_order_id: order.externalOrderId,
    payment_status: order.paymentStatus,
    paymentMode: order.mode,
    provisioning_status: provisioningOf(call, order).status,
    wholesale_amount: eurosText(order.amount),
    currency: order.currency,
    payment_failed_reason: order.paymentError,
    invoice_id: invoiceId,
    proformaId,
    external_customer_id: order.customer?.id ?? null,
    external_customer_email: order.customer?.email ?? null,
    external_customer_name: order.customer?.name ?? null,
    product_name: order.product.name,
    services: servicesWith(call.world, order.serviceIds).map((service) => serviceRow(call, service)),
  };
}

/** An order that was placed in the supplier's panel. */
export function storefrontRow(call: Call, order: Order) {
  const document = call.world.documents.get(order.document_id ?? "");
  const [item] = order.items;
  const services = servicesOf(call.world, order);
  return {
    id: order.id,
    order_number: order.number,
    status: orderStatus(call.world, order),
    billing_cycle: item?.billing_cycle ?? null,
    total_amount: eurosText(order.total),
    created_at: order.created_at,
    external_order_id: null,
    payment_status: document === undefined || isSettled(document) ? "paid" : "pending",
    paymentMode: "storefront",
    provisioning_status: provisioned(services).status,
    wholesale_amount: eurosText(order.total),
    currency: "EUR",
    payment_failed_reason: null,
    invoice_id: document?.type === "invoice" ? document.id : null,
    proformaId: document?.type === "proforma" ? document.id : null,
    external_customer_id: null,
    external_customer_email: null,
    external_customer_name: null,
    product_name: item?.product_name ?? null,
    services: services.map((service) => serviceRow(call, service)),
  };
}

/** True if the key may see it: a key that is bound to a customer sees only that customer's. */
export function isVisible({ partner, key }: Call, order: WholesaleOrder): boolean {
  if (key.customer === null) return true;
  return order.customer?.id === partner.customers.get(key.customer)?.externalId;
}

/** How far the building is, and why it failed. */
export function provisioningOf(call: Call, order: WholesaleOrder) {
  if (order.status === "provisioning_failed") return { status: "failed", error: order.provisioningError };
  return provisioned(servicesWith(call.world, order.serviceIds));
}

export function provisioned(services: Service[]) {
  const failed = services.find(
    ({ status, failure }) => status === "provisioning_failed" || (status === "pending" && failure !== null),
  );
  if (failed !== undefined) return { status: "failed", error: failed.failure?.message ?? "The build failed" };
  const waits = services.some(({ status }) => ["pending", "pending_payment", "installing"].includes(status));
  return { status: waits || services.length === 0 ? "pending" : "provisioned", error: null };
}

function platformStatus(call: Call, order: WholesaleOrder): string {
  const record = call.world.orders.get(order.id);
  if (record !== undefined) return orderStatus(call.world, record);
  return order.kind === "options" && order.status === "paid" ? "completed" : "pending";
}

function builtOf(call: Call, order: WholesaleOrder) {
  return servicesWith(call.world, order.serviceIds).map((service) => ({
    serviceId: service.id,
    status: statusOf(call, service),
  }));
}

function serviceRow(call: Call, service: Service) {
  const { id, hostname } = service;
  return { serviceId: id, status: statusOf(call, service), hostname, serverIp: addressOf(service) };
}
