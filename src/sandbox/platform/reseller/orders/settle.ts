import { Refusal } from "../../http/refusal.ts";
import { type ApiResponse, json } from "../../http/response.ts";
import { payByOperator } from "../../money/documents.ts";
import { documentOf, type EventName, orderData } from "../../programme/events.ts";
import type { WholesaleOrder } from "../../programme/partner.ts";
import { provision } from "../../provisioning/provision.ts";
import type { Service } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { Call } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { charge, issueFor } from "./charge.ts";
import { orderResult } from "./rows.ts";

/** Charges an order and begins what it is for: at once when it is placed, and again when it is retried. */
export function settle(
  call: Call,
  order: WholesaleOrder,
  methodId: string | undefined,
): "paid" | "refused" | "not created" {
  const refusal = charge(call, order, methodId);
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

function raise(call: Call, order: WholesaleOrder, event: EventName, more: object = {}): void {
  const { invoiceId } = documentOf(call.world, order);
  call.programme.events.raise(call.partner, event, { ...orderData(order, invoiceId), ...more });
}

function begin({ world }: Call, order: WholesaleOrder, service: Service | undefined): void {
  if (service === undefined || order.kind !== "services") return;
  provision(world, service);
}

const cannotBuild = "The service could not be created. The supplier has been told; do not order it again.";

/** 502: the charge stands, and nothing can be built of it (spec 4.1). */
export function notCreated(call: Call, order: WholesaleOrder): ApiResponse {
  Object.assign(order, {
    status: "provisioning_failed",
    paymentStatus: order.mode === "invoice" ? "pending" : "paid",
    provisioningError: "No node took the service",
  });
  raise(call, order, "service.provisioning_failed", { services: [] });
  return refusedWith(call, 502, cannotBuild, order);
}

/** The charge failed: the order stays, and can be retried. The spec does not say which status shows this. */
export function chargeRefused(call: Call, order: WholesaleOrder): ApiResponse {
  const { refusedCharge } = call.world.settings.shapes;
  if (refusedCharge === 201) return underName(call, "order", orderResult(call, order), 201);
  return refusedWith(call, refusedCharge, order.paymentError ?? "The charge failed", order);
}

/** The gateway refuses a retry again. */
export function retryRefused(order: WholesaleOrder): Refusal {
  return new Refusal(400, "", order.paymentError ?? "The charge failed");
}

/** A refusal that quotes its order. The spec does not show its place in the body. */
export function refusedWith(call: Call, status: number, error: string, order: WholesaleOrder): ApiResponse {
  const result = orderResult(call, order);
  const place = shapeOf(call, order.id, 3);
  if (place === 0) return json(status, { success: false, error, data: result });
  if (place === 1) return json(status, { success: false, error, ...result });
  return json(status, { success: false, error: { message: error, order: { ...result, id: order.id } } });
}
