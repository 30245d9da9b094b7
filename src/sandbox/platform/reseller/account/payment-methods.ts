import { notFound } from "../../http/refusal.ts";
import { type Call, param, type Route } from "../request/call.ts";
import { ok } from "../request/envelope.ts";
import { placed } from "../request/shapes.ts";

export const paymentMethodRoutes: Route[] = [
  { method: "GET", path: "/payment-methods", scope: "account", handle: list },
  { method: "PUT", path: "/payment-methods/{methodId}/default", scope: "account", handle: makeDefault },
];

function list(call: Call) {
  const rows = call.partner.paymentMethods.map(({ refusal, ...row }) => row);
  return placed(call, "paymentMethods", rows);
}

function makeDefault(call: Call) {
  const id = param(call, "methodId");
  const chosen = call.partner.paymentMethods.find((one) => one.id === id);
  if (chosen === undefined) throw notFound("Payment method");
  for (const method of call.partner.paymentMethods) method.isDefault = method === chosen;
  return ok({ id: chosen.id, isDefault: true });
}
