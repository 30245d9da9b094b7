import * as customers from "../../../../src/platform/reseller/customers.ts";
import * as options from "../../../../src/platform/reseller/options.ts";
import * as paymentMethods from "../../../../src/platform/reseller/payment-methods.ts";
import * as webhook from "../../../../src/platform/reseller/webhook.ts";
import type { ResellerCall } from "../call.ts";
import { customerRow, withMore } from "../rows.ts";

const set = { options: [{ optionId: "o1", quantity: 2 }, { optionId: "o2" }], externalReference: "ref-1" };
const changed = { added: [{ optionId: "o2" }], increased: [], decreased: [], removed: [], unchanged: ["o1"] };
const method = {
  id: 5,
  type: "card",
  label: null,
  cardBrand: "visa",
  cardLastFour: "4242",
  isDefault: true,
  lastUsedAt: "2026-11-20T10:00:00Z",
};

const { id, external_customer_id, external_customer_name } = customerRow();
const newCustomer = { id, external_customer_id, external_customer_name };

export const accountCalls: ResellerCall[] = [
  [
    "GET /services/s1/options",
    (client) => options.readOptions(client, "s1"),
    { passes: { priceBasis: "wholesale", active: [{ id: "a1", name: "Backups" }], available: [{ id: "o2" }] } },
    { answer: { options: { active: [] } }, gives: { active: [] } },
  ],
  [
    "PUT /services/s1/options",
    (client) => options.setOptions(client, "s1", set),
    {
      body: set,
      answer: { ...changed, options: [{ id: 1, optionId: "o1" }], charge: { orderId: "or2", total: "5.00" } },
      gives: {
        status: 200,
        value: {
          ...changed,
          options: [{ id: 1, optionId: "o1" }],
          charge: { orderId: "or2", total: "5.00" },
          idempotent: false,
        },
      },
    },
    {
      body: set,
      status: 202,
      answer: { ...changed, charge: { orderId: "or2" } },
      gives: { status: 202, value: { ...changed, charge: { orderId: "or2" }, idempotent: false } },
    },
  ],
  [
    "PUT /services/s1/options",
    (client) => options.setOptions(client, "s1", { options: [], externalReference: "ref-2" }),
    {
      body: { options: [], externalReference: "ref-2" },
      answer: { removed: ["o1"], charge: null },
      gives: { status: 200, value: { removed: ["o1"], charge: null, idempotent: false } },
    },
  ],
  [
    "PUT /services/s1/options",
    (client) => options.setOptions(client, "s1", set),
    {
      body: set,
      answer: { ...changed, idempotent: true },
      gives: { status: 200, value: { ...changed, idempotent: true } },
    },
  ],
  ["DELETE /services/s1/options/a1", (client) => options.removeOption(client, "s1", "a1")],
  [
    "GET /customers?page=1&limit=100&search=ops%40acme.example",
    (client) => customers.listCustomers(client, { page: 1, limit: 100, search: "ops@acme.example" }),
    {
      answer: [withMore(customerRow())],
      beside: { pagination: { page: 1, limit: 100, total: 1, totalPages: 1 } },
      gives: { rows: [customerRow()], pagination: { page: 1, limit: 100, total: 1, pages: 1 } },
    },
  ],
  [
    "POST /customers",
    (client) => customers.createCustomer(client, { externalCustomerId: "acme", externalCustomerName: "Acme" }),
    {
      body: { externalCustomerId: "acme", externalCustomerName: "Acme" },
      status: 201,
      answer: { customer: customerRow({ metadata: null }) },
      gives: newCustomer,
    },
  ],
  [
    "POST /customers",
    (client) => customers.createCustomer(client, { externalCustomerId: "acme" }),
    { body: { externalCustomerId: "acme" }, answer: customerRow(), gives: newCustomer },
  ],
  [
    "PUT /customers/cu1",
    (client) => customers.changeCustomer(client, "cu1", { externalCustomerName: "Acme Ltd" }),
    { body: { externalCustomerName: "Acme Ltd" } },
  ],
  [
    "PUT /customers/cu1",
    (client) => customers.changeCustomer(client, "cu1", { metadata: {} }),
    { body: { metadata: {} } },
  ],
  ["DELETE /customers/cu1", (client) => customers.deleteCustomer(client, "cu1")],
  [
    "GET /payment-methods",
    (client) => paymentMethods.listPaymentMethods(client),
    { answer: { paymentMethods: [method] }, gives: [{ ...method, id: "5" }] },
  ],
  ["PUT /payment-methods/5/default", (client) => paymentMethods.setDefaultPaymentMethod(client, "5")],
  [
    "PUT /account/webhook",
    (client) => webhook.setWebhook(client, "https://rackbell.example.com/webhooks/reseller/T1"),
    { body: { webhookUrl: "https://rackbell.example.com/webhooks/reseller/T1" } },
  ],
  ["POST /webhooks/test", (client) => webhook.testWebhook(client), { answer: { queued: true } }],
];
