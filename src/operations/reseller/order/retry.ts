import * as z from "zod";
import { priceBeforeTax } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { listOrders, type Order, readOrder } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { retryOrder } from "../../../platform/reseller/place-order.ts";
import { code, prose } from "../../../views/text.ts";
import { nameOf as methodName } from "../payment/method.ts";
import { collectionWords } from "./collection.ts";
import { amountOf, isStorefront, nameOf, paySteps, showStep, stateOf, wholesaleOrder } from "./order.ts";
import { refusedAnswer } from "./outcome.ts";
import { provisioning } from "./provisioning.ts";

export const retry = defineOperation({
  command: "reseller order retry",
  summary: "Charge an order again whose charge failed, at what was quoted then",
  act: retryOrder,
  reads: [readOrder, listOrders, listPaymentMethods],
  risk: "spend",
  verb: "Charge again",
  target: wholesaleOrder,
  input: z.object({
    method: z
      .string()
      .optional()
      .meta({ title: "Charged to", description: "A saved card or wallet; the default one where none is chosen" }),
  }),
  choices: {
    // Only a key with the account scope sees payment methods.
    method: async ({ client, may }) =>
      may("reseller payment list")
        ? (await listPaymentMethods(client)).map((one) => ({ value: one.id, label: methodName(one) }))
        : [],
  },
  async review(call) {
    const { target, input } = call;
    requireChargeable(target);
    const amount = amountOf(target) ?? "what was quoted when it was placed";
    const name = code(nameOf(target));
    return {
      consequence: `The order ${name} is charged again: ${amount}, as it was quoted. Nothing is ordered twice.`,
      press: "Charge it again",
      preconditions: {
        order: nameIs("Order", nameOf(target)),
        amount: {
          value: [target.wholesale_amount ?? null, target.currency ?? null],
          label: "Amount",
          text: amount,
        },
        payment: { value: target.payment_status ?? null, label: "Payment", text: stateOf(target) },
      },
      shown: [
        ...(target.product_name ? [{ label: "Product", value: prose(target.product_name, 100) }] : []),
        ...(target.payment_failed_reason
          ? [{ label: "It failed because", value: prose(target.payment_failed_reason, 300) }]
          : []),
        { label: "Collected", value: await collectionWords(call, input.method) },
      ],
      price: target.wholesale_amount ? priceBeforeTax(target.wholesale_amount, target.currency ?? null) : "unknown",
    };
  },
  async run({ client, target, input }) {
    try {
      const done = await retryOrder(client, target.id, input.method ? { paymentMethodId: input.method } : undefined);
      const name = code(nameOf(target));
      const text =
        done.status === "paid"
          ? `The order ${name} is paid now${target.services.length > 0 ? "" : ", and is being built"}.`
          : `The order ${name} was charged again, and is ${done.status.replaceAll("_", " ")}.`;
      return { text, handle: { order: target.id }, customer: target.external_customer_id, next: [showStep(target.id)] };
    } catch (error) {
      return refusedAnswer(client, error);
    }
  },
  async reconcile({ target }) {
    const text = `the order ${code(nameOf(target))} is ${stateOf(target)}.`;
    if (target.payment_status === "paid") return { is: "done", text, handle: { order: target.id } };
    return { is: target.payment_status === "failed" ? "not done" : "unsure", text };
  },
  expects: {
    first: ["order.paid"],
    later: ["service.provisioned"],
    failing: ["order.payment_failed", "service.provisioning_failed"],
  },
  follow: provisioning,
});

/** The platform refuses to charge these orders. This check says so before anybody approves. */
function requireChargeable(order: Order): void {
  const name = code(nameOf(order));
  if (isStorefront(order))
    throw new Refusal(`The order ${name} was placed in the supplier's panel, and is paid there. Nothing was charged.`);
  if (order.payment_status === "paid")
    throw new Refusal(`The order ${name} is paid already. Nothing was charged.`, [showStep(order.id)]);
  if (order.payment_status === "pending" || order.payment_mode === "invoice")
    throw new Refusal(`The order ${name} waits for its document to be paid, and is not charged. Nothing was charged.`, [
      ...paySteps(order),
      showStep(order.id),
    ]);
}
