import { expect, test } from "vitest";
import { notBuilt, placedAnswer, retriedAnswer } from "../../../src/operations/reseller/order/outcome.ts";
import { Order } from "../../../src/platform/reseller/orders.ts";
import { PlacedOrder, RetriedOrder } from "../../../src/platform/reseller/place-order.ts";

test.each([
  ["paid", "credit", "was charged, but not built"],
  ["failed", "saved_method", "nothing was charged"],
  ["pending", "invoice", "nothing was charged"],
  ["pending", "credit", "does not show yet if the order was charged"],
  ["processing", "saved_method", "does not show yet if the order was charged"],
])("an order that could not be built, %s in %s mode, says of its charge only what is so", (payment, mode, words) => {
  const order = Order.parse({ id: "o1", payment_status: payment, payment_mode: mode, provisioning_status: "failed" });
  const { text } = notBuilt(order);
  expect(text).toContain(words);
  expect(text.includes("nothing was charged")).toBe(words === "nothing was charged");
});

const charges = [
  ["paid", "saved_method", false],
  ["invoiced", "invoice", true],
  ["payment_failed", "saved_method", true],
  ["provisioning_failed", "saved_method", false],
  ["provisioning_failed", "invoice", true],
] as const;

test.each(charges)("an order that comes back %s in %s mode says if it was charged", (status, paymentMode, isFree) => {
  const placed = { orderId: "o1", status, paymentMode, amount: "5.0000", currency: "EUR" };
  const order = Order.parse({ id: "o1", order_number: "RES-1", payment_mode: paymentMode });
  const isRetried = paymentMode !== "invoice" || status === "invoiced";
  const answers = [
    () => placedAnswer(PlacedOrder.parse(placed), "1 × VPS M"),
    // An order in invoice mode is not charged again.
    ...(isRetried ? [() => retriedAnswer(order, RetriedOrder.parse(placed), "`RES-1`")] : []),
  ];
  for (const answer of answers) {
    if (status === "payment_failed") expect(answer).toThrow("The charge failed: nothing was charged");
    else expect(/(nothing|not) (was )?charged/i.test(answer().text)).toBe(isFree);
  }
});

test("an order whose answer names no sum counts as placed", () => {
  const { text } = placedAnswer(PlacedOrder.parse({ orderId: "o1", status: "paid" }), "1 × VPS M");
  expect(text).toContain("Ordered 1 × VPS M. A sum that the platform does not name was charged.");
});
