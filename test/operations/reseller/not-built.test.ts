import { expect, test } from "vitest";
import { notBuilt } from "../../../src/operations/reseller/order/outcome.ts";
import { Order } from "../../../src/platform/reseller/orders.ts";

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
