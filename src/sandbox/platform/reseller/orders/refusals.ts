import { Refusal } from "../../http/refusal.ts";
import { type ApiResponse, json } from "../../http/response.ts";
import type { WholesaleOrder } from "../../programme/partner.ts";
import type { Call } from "../request/call.ts";
import { placed, shapeOf } from "../request/shapes.ts";
import { orderResult } from "./rows.ts";
import { raise } from "./settle.ts";

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

/** The charge failed: the order stays, and can be retried. By which status that is told, the spec does not say. */
export function chargeRefused(call: Call, order: WholesaleOrder): ApiResponse {
  const { refusedCharge } = call.world.settings.shapes;
  if (refusedCharge === 201) return placed(call, "order", orderResult(call, order), 201);
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
