import * as lifecycle from "../../../../src/platform/reseller/lifecycle.ts";
import { changePackage, readUpgrades } from "../../../../src/platform/reseller/package-change.ts";
import * as services from "../../../../src/platform/reseller/services.ts";
import type { Call } from "../call.ts";
import { serviceRow, withMore } from "../rows.ts";

const row = serviceRow();
const page = { page: 2, limit: 20, total: 21, totalPages: 2 };
const change = {
  serviceId: "s1",
  upgradeId: "u1",
  status: "awaiting_payment",
  billingDocumentType: "proforma",
  billingDocumentId: "pf-1",
  billingDocumentNumber: "PF-7",
  orderId: "or2",
  message: "Waits for its payment",
};

export const serviceCalls: Call[] = [
  {
    name: "services, page by page",
    call: (client) => services.listServices(client, { page: 2, status: "active", externalCustomerId: "acme" }),
    sends: "GET /services?page=2&status=active&externalCustomerId=acme",
    answer: { services: [withMore(row)], pagination: page },
    gives: { rows: [row], pagination: { page: 2, limit: 20, total: 21, pages: 2 } },
  },
  {
    name: "a service",
    call: (client) => services.readService(client, "s1"),
    sends: "GET /services/s1",
    answer: withMore({ ...row, serverLocation: "Prague", serverPort: 22 }),
    gives: { ...row, serverLocation: "Prague", serverPort: 22 },
  },
  {
    name: "a service under its name, as little known as can be",
    call: (client) => services.readService(client, "s1"),
    sends: "GET /services/s1",
    answer: { service: { serviceId: "s1", status: "fraud", serverIp: null } },
    gives: { serviceId: "s1", status: "fraud", serverIp: null },
  },
  {
    name: "power of a VPS, in the backend's words",
    call: (client) => lifecycle.powerService(client, "s1", "restart"),
    sends: "POST /services/s1/power",
    body: { action: "restart" },
    answer: "queued",
    gives: { alreadyInState: false, result: "queued" },
  },
  {
    name: "power of a dedicated server that was in that state",
    call: (client) => lifecycle.powerService(client, "s1", "shutdown"),
    sends: "POST /services/s1/power",
    body: { action: "shutdown" },
    answer: { action: "stop", alreadyInState: true },
    gives: { alreadyInState: true, result: { action: "stop", alreadyInState: true } },
  },
  {
    name: "suspending, with a reason",
    call: (client) => lifecycle.suspendService(client, "s1", "Unpaid"),
    sends: "POST /services/s1/suspend",
    body: { reason: "Unpaid" },
    answer: { serviceId: "s1", status: "suspended", actions: ["stop", "stats"] },
    gives: { status: "suspended", actions: ["stop", "stats"] },
  },
  {
    name: "suspending, without a word about it",
    call: (client) => lifecycle.suspendService(client, "s1"),
    sends: "POST /services/s1/suspend",
    answer: null,
    gives: { status: null, actions: [] },
  },
  {
    name: "taking a suspension back",
    call: (client) => lifecycle.unsuspendService(client, "s1"),
    sends: "POST /services/s1/unsuspend",
    answer: { serviceId: "s1", status: "active" },
    gives: { status: "active", actions: [] },
  },
  {
    name: "terminating",
    call: (client) => lifecycle.terminateService(client, "s1"),
    sends: "DELETE /services/s1",
    answer: { serviceId: "s1", status: "terminated" },
    gives: { alreadyTerminated: false },
  },
  {
    name: "terminating what is terminated",
    call: (client) => lifecycle.terminateService(client, "s1"),
    sends: "DELETE /services/s1",
    answer: { alreadyTerminated: true },
    gives: { alreadyTerminated: true },
  },
  {
    name: "terminating what is terminated, told beside the data",
    call: (client) => lifecycle.terminateService(client, "s1"),
    sends: "DELETE /services/s1",
    beside: { alreadyTerminated: true },
    gives: { alreadyTerminated: true },
  },
  {
    name: "changing a package",
    call: (client) => changePackage(client, "s1", "p2"),
    sends: "POST /services/s1/change-package",
    body: { productId: "p2" },
    status: 202,
    answer: withMore(change),
    gives: { status: 202, value: change },
  },
  {
    name: "changing a package that costs nothing",
    call: (client) => changePackage(client, "s1", "p2"),
    sends: "POST /services/s1/change-package",
    body: { productId: "p2" },
    status: 202,
    answer: { serviceId: "s1", upgradeId: "u1", status: "executing", billingDocumentType: null },
    gives: { status: 202, value: { serviceId: "s1", upgradeId: "u1", status: "executing", billingDocumentType: null } },
  },
  {
    name: "what a service could be upgraded to",
    call: (client) => readUpgrades(client, "s1"),
    sends: "GET /services/s1/upgrades",
    answer: { available: [{ toProductId: "p2" }], addons: [], pendingUpgrade: null },
    gives: { available: [{ toProductId: "p2" }], addons: [], pendingUpgrade: null },
  },
  {
    name: "what a service could be upgraded to, under its name",
    call: (client) => readUpgrades(client, "s1"),
    sends: "GET /services/s1/upgrades",
    answer: { upgrades: { available: {}, pendingUpgrade: { id: "u1" } } },
    gives: { available: {}, pendingUpgrade: { id: "u1" } },
  },
];
