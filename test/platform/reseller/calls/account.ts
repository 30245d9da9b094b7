import * as customers from "../../../../src/platform/reseller/customers.ts";
import * as options from "../../../../src/platform/reseller/options.ts";
import * as paymentMethods from "../../../../src/platform/reseller/payment-methods.ts";
import * as webhook from "../../../../src/platform/reseller/webhook.ts";
import type { Call } from "../call.ts";
import { customerRow, withMore } from "../rows.ts";

const set = { options: [{ optionId: "o1", quantity: 2 }, { optionId: "o2" }], externalReference: "ref-1" };
const changed = { added: [{ optionId: "o2" }], increased: [], decreased: [], removed: [], unchanged: ["o1"] };
const method = { id: 5, type: "card", label: null, cardBrand: "visa", cardLastFour: "4242", isDefault: true };

export const accountCalls: Call[] = [
  {
    name: "the add-ons of a service",
    call: (client) => options.readOptions(client, "s1"),
    sends: "GET /services/s1/options",
    answer: { priceBasis: "wholesale", active: [{ id: "a1", name: "Backups" }], available: [{ id: "o2" }] },
    gives: { priceBasis: "wholesale", active: [{ id: "a1", name: "Backups" }], available: [{ id: "o2" }] },
  },
  {
    name: "the add-ons of a service, under their name",
    call: (client) => options.readOptions(client, "s1"),
    sends: "GET /services/s1/options",
    answer: { options: { active: [] } },
    gives: { active: [] },
  },
  {
    name: "a set of add-ons that is applied",
    call: (client) => options.setOptions(client, "s1", set),
    sends: "PUT /services/s1/options",
    body: set,
    answer: { ...changed, options: [{ id: 1, optionId: "o1" }], charge: { orderId: "or2", total: "5.00" } },
    gives: {
      status: 200,
      value: {
        ...changed,
        options: [{ id: "1", optionId: "o1" }],
        charge: { orderId: "or2", total: "5.00" },
        idempotent: false,
      },
    },
  },
  {
    name: "a set of add-ons that waits for its document",
    call: (client) => options.setOptions(client, "s1", set),
    sends: "PUT /services/s1/options",
    body: set,
    status: 202,
    answer: { ...changed, charge: { orderId: "or2" } },
    gives: { status: 202, value: { ...changed, charge: { orderId: "or2" }, idempotent: false } },
  },
  {
    name: "a set of add-ons for which nothing is owed",
    call: (client) => options.setOptions(client, "s1", { options: [], externalReference: "ref-2" }),
    sends: "PUT /services/s1/options",
    body: { options: [], externalReference: "ref-2" },
    answer: { removed: ["o1"], charge: null },
    gives: { status: 200, value: { removed: ["o1"], charge: null, idempotent: false } },
  },
  {
    name: "a set of add-ons that was charged before",
    call: (client) => options.setOptions(client, "s1", set),
    sends: "PUT /services/s1/options",
    body: set,
    answer: { ...changed, idempotent: true },
    gives: { status: 200, value: { ...changed, charge: null, idempotent: true } },
  },
  {
    name: "taking an add-on off",
    call: (client) => options.removeOption(client, "s1", "a1"),
    sends: "DELETE /services/s1/options/a1",
  },
  {
    name: "customers",
    call: (client) => customers.listCustomers(client, { page: 1, limit: 100, search: "ops@acme.example" }),
    sends: "GET /customers?page=1&limit=100&search=ops%40acme.example",
    answer: [withMore(customerRow())],
    beside: { pagination: { page: 1, limit: 100, total: 1, totalPages: 1 } },
    gives: { rows: [customerRow()], pagination: { page: 1, limit: 100, total: 1, pages: 1 } },
  },
  {
    name: "a new customer",
    call: (client) => customers.createCustomer(client, { externalCustomerId: "acme", externalCustomerName: "Acme" }),
    sends: "POST /customers",
    body: { externalCustomerId: "acme", externalCustomerName: "Acme" },
    status: 201,
    answer: { customer: customerRow({ metadata: null }) },
    gives: { status: 201, value: customerRow({ metadata: null }) },
  },
  {
    name: "a customer that was known",
    call: (client) => customers.createCustomer(client, { externalCustomerId: "acme" }),
    sends: "POST /customers",
    body: { externalCustomerId: "acme" },
    answer: customerRow(),
    gives: { status: 200, value: customerRow() },
  },
  {
    name: "a customer's new name, and nothing else",
    call: (client) => customers.changeCustomer(client, "cu1", { externalCustomerName: "Acme Ltd" }),
    sends: "PUT /customers/cu1",
    body: { externalCustomerName: "Acme Ltd" },
  },
  {
    name: "a customer's metadata, in place of all that was stored",
    call: (client) => customers.changeCustomer(client, "cu1", { metadata: {} }),
    sends: "PUT /customers/cu1",
    body: { metadata: {} },
  },
  {
    name: "deleting a customer",
    call: (client) => customers.deleteCustomer(client, "cu1"),
    sends: "DELETE /customers/cu1",
  },
  {
    name: "payment methods",
    call: (client) => paymentMethods.listPaymentMethods(client),
    sends: "GET /payment-methods",
    answer: { paymentMethods: [method] },
    gives: [{ ...method, id: "5" }],
  },
  {
    name: "the payment method that is charged from now on",
    call: (client) => paymentMethods.setDefaultPaymentMethod(client, "5"),
    sends: "PUT /payment-methods/5/default",
  },
  {
    name: "where events go",
    call: (client) => webhook.setWebhook(client, "https://rackbell.example.com/webhooks/reseller/T1"),
    sends: "PUT /account/webhook",
    body: { webhookUrl: "https://rackbell.example.com/webhooks/reseller/T1" },
  },
  {
    name: "a test event",
    call: (client) => webhook.testWebhook(client),
    sends: "POST /webhooks/test",
    answer: { queued: true },
  },
];
