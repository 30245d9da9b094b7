import { notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import type { Call, Route } from "../request/call.ts";
import { underName } from "../request/envelope.ts";

export const paymentMethodRoutes: Route[] = [
  { method: "GET", path: "/payment-methods", scope: "account", handle: list },
  { method: "PUT", path: "/payment-methods/{methodId}/default", scope: "account", handle: makeDefault },
];

function list(call: Call) {
  const rows = call.partner.paymentMethods.map(({ refusal, ...row }) => row);
  return underName(call, "paymentMethods", rows);
}

function makeDefault(call: Call) {
  const id = param(call, "methodId");
  const chosen = call.partner.paymentMethods.find((one) => one.id === id);
  if (chosen === undefined) throw notFound("Payment method");
  for (const method of call.partner.paymentMethods) method.isDefault = method === chosen;
  return ok({ id: chosen.id, isDefault: true });
}
