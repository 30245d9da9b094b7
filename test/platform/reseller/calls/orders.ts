import * as orders from "../../../../src/platform/reseller/orders.ts";
import { placeOrder, retryOrder } from "../../../../src/platform/reseller/place-order.ts";
import type { ResellerCall } from "../call.ts";
import { orderRow, placed, withMore } from "../rows.ts";

const row = orderRow();
/** The parsed row: the two camel-case fields of the spec get snake-case names. */
const read = { ...row, payment_mode: undefined, proforma_id: undefined };

const order = {
  productId: "p1",
  billingCycle: "semi-annually",
  quantity: 2,
  externalOrderId: "ext-1",
  externalCustomerId: "acme",
  configuration: { hostname: "a.example.net", location: "prg", osImageId: "i1", externalServiceId: "web-1" },
  options: [{ optionId: "o1", quantity: 1 }],
  paymentMethodId: "pm1",
} as const;

const made = {
  orderId: "or1",
  orderNumber: "ORD-1001",
  status: "paid",
  paymentMode: "saved_method",
  amount: "8",
  total: "9.68",
  currency: "EUR",
  invoiceId: "inv-1",
  message: "Order placed",
  idempotent: false,
};

const replay = {
  orderId: "or1",
  orderNumber: 1001,
  externalOrderId: "ext-1",
  status: "completed",
  paymentStatus: "processing",
  provisioningStatus: "pending",
  amount: "8.0000",
  currency: "EUR",
  invoiceId: null,
  proformaId: "pf-1",
  createdAt: "2026-11-20T10:00:00Z",
  services: [],
  idempotent: true,
};

export const orderCalls: ResellerCall[] = [
  [
    "POST /orders",
    (client) => placeOrder(client, { ...order, options: [...order.options] }),
    { body: order, status: 201, answer: withMore(placed()), gives: made },
  ],
  [
    "POST /orders",
    (client) => placeOrder(client, { productId: "p1", billingCycle: "monthly", quantity: 1, externalOrderId: "ext-1" }),
    {
      body: { productId: "p1", billingCycle: "monthly", quantity: 1, externalOrderId: "ext-1" },
      status: 201,
      answer: {
        order: placed({
          status: "invoiced",
          paymentMode: "invoice",
          paymentStatus: "pending",
          invoiceId: null,
          vat: null,
          options: null,
          services: null,
          message: "Proforma PF-7 was issued",
        }),
      },
      gives: {
        ...made,
        status: "invoiced",
        paymentMode: "invoice",
        invoiceId: null,
        message: "Proforma PF-7 was issued",
      },
    },
  ],
  [
    "POST /orders",
    (client) => placeOrder(client, { productId: "p1", billingCycle: "hourly", quantity: 1, externalOrderId: "ext-1" }),
    {
      body: { productId: "p1", billingCycle: "hourly", quantity: 1, externalOrderId: "ext-1" },
      status: 200,
      answer: replay,
      gives: {
        orderId: "or1",
        orderNumber: "1001",
        status: "completed",
        amount: "8.0000",
        currency: "EUR",
        invoiceId: null,
        proformaId: "pf-1",
        idempotent: true,
      },
    },
  ],
  [
    "GET /orders?status=failed&limit=200&offset=0",
    (client) => orders.listOrders(client, { status: "failed", limit: 200 }),
    {
      answer: [withMore(row)],
      beside: { pagination: { total: 450, limit: 200, offset: 0, hasMore: true } },
      gives: { rows: [read], pagination: { page: 1, limit: 200, total: 450, pages: 3 } },
    },
  ],
  [
    "GET /orders?limit=50&offset=100",
    (client) => orders.listOrders(client, { page: 3 }),
    {
      answer: { orders: [], total: 100, limit: 50, offset: 100, hasMore: false },
      gives: { rows: [], pagination: { page: 3, limit: 50, total: 100, pages: 2 } },
    },
  ],
  [
    "GET /orders?externalOrderId=ext+1%262&limit=50&offset=0",
    (client) => orders.findOrder(client, "ext 1&2"),
    {
      answer: { orders: [row, orderRow({ external_order_id: "ext 1&2" })], total: 2, limit: 50, offset: 0 },
      gives: { ...read, external_order_id: "ext 1&2" },
    },
  ],
  [
    "GET /orders?externalOrderId=ext-9&limit=50&offset=0",
    (client) => orders.findOrder(client, "ext-9"),
    { answer: { orders: [row], total: 1, limit: 50, offset: 0 }, gives: null },
  ],
  [
    "GET /orders/or1",
    (client) => orders.readOrder(client, "or1"),
    {
      answer: orderRow({
        external_order_id: null,
        paymentMode: "storefront",
        proformaId: "pf-1",
        provisioning_status: "failed",
        provisioning_error: "No room",
        services: null,
      }),
      gives: {
        ...row,
        external_order_id: null,
        payment_mode: "storefront",
        proforma_id: "pf-1",
        provisioning_status: "failed",
        provisioning_error: "No room",
        services: [],
      },
    },
    {
      answer: { order: orderRow({ payment_mode: "credit", proforma_id: "pf-1" }) },
      gives: { ...row, payment_mode: "credit", proforma_id: "pf-1" },
    },
  ],
  [
    "POST /orders/or1/retry",
    (client) => retryOrder(client, "or1", { paymentMethodId: "pm1" }),
    {
      body: { paymentMethodId: "pm1" },
      answer: { orderId: "or1", externalOrderId: "ext-1", status: "paid", paymentMode: "credit", invoiceId: null },
      gives: { status: "paid", invoiceId: null },
    },
  ],
  [
    "POST /orders/or1/retry",
    (client) => retryOrder(client, "or1"),
    { answer: { order: { orderId: "or1", status: "paid", services: [] } }, gives: { status: "paid" } },
  ],
];
