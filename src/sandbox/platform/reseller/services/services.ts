// reseller/services/: resold services: reading them, power, suspending and ending them, and what each backend can do (spec
// 2.4, 3.2 and 4.3).

import { addressOf } from "../../programme/events.ts";
import type { Service } from "../../world/service.ts";
import { myServices, serviceOf, statusOf } from "../request/access.ts";
import type { Call, Route } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { byPage } from "../request/pages.ts";
import { capabilitiesOf } from "./capabilities.ts";

const read = { method: "GET", scope: "read" } as const;

export const serviceRoutes: Route[] = [
  { ...read, path: "/services", handle: list },
  { ...read, path: "/services/{serviceId}", handle: show },
  { ...read, path: "/services/{serviceId}/capabilities", handle: capabilities },
];

/** A status that is not known gives an empty page. */
function list(call: Call) {
  const status = call.query.get("status");
  const customer = call.query.get("externalCustomerId");
  const rows = myServices(call)
    .map((service) => serviceRow(call, service))
    .filter((row) => status === null || row.status === status)
    .filter((row) => customer === null || row.externalCustomerId === customer);
  return byPage(call, "services", rows, { usual: 20, most: 100 }, (row) => row);
}

function serviceRow(call: Call, service: Service) {
  const { partner } = call;
  const resold = partner.resold.get(service.id);
  const { id, billing, product, hostname, created_at } = service;
  return {
    serviceId: id,
    externalServiceId: resold?.externalServiceId ?? null,
    externalCustomerId: partner.customers.get(resold?.customer ?? "")?.externalId ?? null,
    productName: product.name,
    status: statusOf(call, service),
    serverIp: addressOf(service),
    hostname,
    billingCycle: billing.cycle,
    wholesaleAmount: billing.amount,
    nextDueDate: billing.next_due_date,
    createdAt: created_at,
  };
}

function show(call: Call) {
  const service = serviceOf(call);
  const serverPort = service.kind === "game" ? 25_565 : null;
  return underName(call, "service", { ...serviceRow(call, service), serverLocation: service.location, serverPort });
}

function capabilities(call: Call) {
  return underName(call, "capabilities", capabilitiesOf(call, serviceOf(call)));
}
