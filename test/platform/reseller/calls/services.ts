import * as lifecycle from "../../../../src/platform/reseller/lifecycle.ts";
import { changePackage, readUpgrades } from "../../../../src/platform/reseller/package-change.ts";
import * as services from "../../../../src/platform/reseller/services.ts";
import type { ResellerCall } from "../call.ts";
import { serviceRow, withMore } from "../rows.ts";

const row = serviceRow();
const page = { page: 2, limit: 20, total: 21, totalPages: 2 };
const change = {
  status: "awaiting_payment",
  billingDocumentId: "pf-1",
  billingDocumentNumber: "PF-7",
  orderId: "or2",
  message: "Waits for its payment",
};

export const serviceCalls: ResellerCall[] = [
  [
    "GET /services?page=2&status=active&externalCustomerId=acme",
    (client) => services.listServices(client, { page: 2, status: "active", externalCustomerId: "acme" }),
    {
      answer: { services: [withMore(row)], pagination: page },
      gives: { rows: [row], pagination: { page: 2, limit: 20, total: 21, pages: 2 } },
    },
  ],
  [
    "GET /services/s1",
    (client) => services.readService(client, "s1"),
    {
      answer: withMore({ ...row, serverLocation: "Prague", serverPort: 22 }),
      gives: { ...row, serverLocation: "Prague", serverPort: 22 },
    },
    {
      answer: { service: { serviceId: "s1", status: "fraud", serverIp: null } },
      gives: { serviceId: "s1", status: "fraud", serverIp: null },
    },
  ],
  [
    "POST /services/s1/power",
    (client) => lifecycle.powerService(client, "s1", "restart"),
    { body: { action: "restart" }, answer: "queued", gives: "begun" },
  ],
  [
    "POST /services/s1/power",
    (client) => lifecycle.powerService(client, "s1", "stop"),
    {
      body: { action: "stop" },
      answer: { action: "stop", alreadyInState: true },
      gives: "already",
    },
  ],
  [
    "POST /services/s1/suspend",
    (client) => lifecycle.suspendService(client, "s1", "Unpaid"),
    {
      body: { reason: "Unpaid" },
      answer: { serviceId: "s1", status: "suspended", actions: ["stop", "stats"] },
      gives: { status: "suspended", actions: ["stop", "stats"] },
    },
  ],
  [
    "POST /services/s1/suspend",
    (client) => lifecycle.suspendService(client, "s1"),
    { answer: null, gives: { status: null, actions: [] } },
  ],
  [
    "POST /services/s1/unsuspend",
    (client) => lifecycle.unsuspendService(client, "s1"),
    { answer: { serviceId: "s1", status: "active" }, gives: { status: "active", actions: [] } },
  ],
  [
    "DELETE /services/s1",
    (client) => lifecycle.terminateService(client, "s1"),
    { answer: { serviceId: "s1", status: "terminated" }, gives: { alreadyTerminated: false } },
    { passes: { alreadyTerminated: true } },
    { beside: { alreadyTerminated: true }, gives: { alreadyTerminated: true } },
  ],
  [
    "POST /services/s1/change-package",
    (client) => changePackage(client, "s1", "p2"),
    {
      body: { productId: "p2" },
      status: 202,
      answer: withMore({ serviceId: "s1", upgradeId: "u1", ...change }),
      gives: change,
    },
    {
      body: { productId: "p2" },
      status: 202,
      answer: { serviceId: "s1", upgradeId: "u1", status: "executing", billingDocumentType: null },
      gives: { status: "executing", billingDocumentType: null },
    },
  ],
  [
    "GET /services/s1/upgrades",
    (client) => readUpgrades(client, "s1"),
    { passes: { available: [{ toProductId: "p2" }], addons: [], pendingUpgrade: null } },
    {
      answer: { upgrades: { available: {}, pendingUpgrade: { id: "u1" } } },
      gives: { available: {}, pendingUpgrade: { id: "u1" } },
    },
  ],
];
