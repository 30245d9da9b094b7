import { payByOperator } from "../../money/documents.ts";
import { documentOf, orderData } from "../../programme/event-data.ts";
import type { EventName } from "../../programme/events.ts";
import type { WholesaleOrder } from "../../programme/partner.ts";
import { provision } from "../../provisioning/provision.ts";
import type { Service } from "../../world/service.ts";
import type { Call } from "../request/call.ts";
import { charge, issueFor } from "./charge.ts";

/** Charges an order and begins what it is for: at once when it is placed, and again when it is retried. */
export function settle(
  call: Call,
  order: WholesaleOrder,
  methodId: string | undefined,
): "paid" | "refused" | "not created" {
  const { refusal } = charge(call, order, methodId);
  if (refusal !== null) {
    Object.assign(order, { status: "payment_failed", paymentStatus: "failed", paymentError: refusal });
    raise(call, order, "order.payment_failed");
    return "refused";
  }
  Object.assign(order, { status: "paid", paymentStatus: "paid", paymentError: null });
  const { fulfil } = order;
  order.fulfil = null;
  const created = fulfil === null || fulfil() !== null;
  raise(call, order, "order.paid");
  if (!created) return "not created";
  for (const id of order.serviceIds) begin(call, order, call.world.services.get(id));
  return "paid";
}

/** Raises the document that the order waits for; what begins once it is paid needs nobody to ask for it. */
export function invoice(call: Call, order: WholesaleOrder, services: Service[]): void {
  Object.assign(order, { status: "invoiced", paymentStatus: "pending" });
  const document = issueFor(call, order, () => {
    Object.assign(order, { status: "paid", paymentStatus: "paid" });
    order.fulfil?.();
    order.fulfil = null;
    raise(call, order, "order.paid");
    for (const service of services) begin(call, order, service);
  });
  const record = call.world.orders.get(order.id);
  if (record !== undefined) record.document_id = document.id;
  raise(call, order, "order.invoiced");
  if (document.total === 0) payByOperator(call.world, document);
}

export function raise(call: Call, order: WholesaleOrder, event: EventName, more: object = {}): void {
  const { invoiceId } = documentOf(call.world, order);
  call.programme.events.raise(call.partner, event, { ...orderData(order, invoiceId), ...more });
}

function begin({ world }: Call, order: WholesaleOrder, service: Service | undefined): void {
  if (service === undefined || order.kind !== "services") return;
  provision(world, service);
}
