import * as z from "#zod";
import { type Fact, priceBeforeTax, type Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import { nameIs, unshownFact } from "../../../operation/preconditions.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { listOrders, type Order, readOrder } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { retryOrder } from "../../../platform/reseller/place-order.ts";
import type { PaymentStatus } from "../../../platform/reseller/states.ts";
import { oncePer } from "../../../process/once-per.ts";
import { code, prose } from "../../../views/text.ts";
import { retryEffects } from "../../kits/order-effects.ts";
import { paymentMethodName, readCollection, ShownMethod } from "../payment.ts";
import { pendingLosses, pendingReads } from "../service/package.ts";
import { resoldService } from "../service/service.ts";
import { isStorefront, orderAmount, orderName, orderState, paySteps, showOrderStep, wholesaleOrder } from "./order.ts";
import { Goods, goodsOf, provisioning, refusedAnswer, retriedAnswer } from "./outcome.ts";

/** The order's goods before the charge, and the saved method that was shown. */
const Before = z.object({ goods: Goods, method: ShownMethod.nullable() });
type Before = z.infer<typeof Before>;

export const retry = defineOperation({
  command: "reseller order retry",
  phrase: "Charge an order again",
  group: "money",
  summary: "Charge an order again after a failed charge, at the quoted price",
  example: "/reseller order retry RES-1000 method=Wallet",
  act: retryOrder,
  reads: [readOrder, listOrders, listPaymentMethods, ...pendingReads],
  // The platform may carry out with the charge what it refused without it: a set of add-ons that removes some, or another package.
  risk: {
    usual: "spend",
    of: async ({ client, target }) => ((await readLosses(target, client)).length > 0 ? "destroy" : "spend"),
  },
  also: async ({ target }) =>
    goodsOf(target) === "services" ? { acts: [], kinds: [] } : { acts: changesSold, kinds: soldKinds },
  effects: retryEffects,
  verb: "Charge again",
  target: wholesaleOrder,
  input: z.object({
    method: z
      .string()
      .optional()
      .meta({ title: "Charged to", description: "A saved card or wallet; if empty, the default one" }),
  }),
  choices: {
    // Only a key with the account scope sees payment methods.
    method: async ({ client, may }) =>
      may("reseller payment list")
        ? (await listPaymentMethods(client)).map((one) => ({ value: one.id, label: paymentMethodName(one) }))
        : [],
  },
  async review(call) {
    const { target, input, name } = call;
    requireChargeable(target);
    const collection = await readCollection(call, input.method);
    const amount = orderAmount(target) ?? "the price quoted when the order was placed";
    return {
      consequence: `This will charge the order ${name} again: ${amount}. The price is the quoted one, and nothing is ordered twice.`,
      warnings: await readLosses(target, call.client),
      destroys: changedBy(target),
      press: "Charge again",
      back: "Not now",
      preconditions: {
        order: nameIs("Order", orderName(target)),
        amount: {
          value: [target.wholesale_amount ?? null, target.currency ?? null],
          label: "Amount",
          text: amount,
        },
        payment: {
          value: target.payment_status ?? null,
          label: "Payment",
          text: target.payment_status ? orderState(target) : `unknown; the order is ${orderState(target)}`,
        },
        ...collection.preconditions,
      },
      shown: [
        shownOrNot("Product", target.product_name, 100),
        shownOrNot("Reason of the failure", target.payment_failed_reason, 300),
      ],
      price: target.wholesale_amount ? priceBeforeTax(target.wholesale_amount, target.currency ?? null) : "unknown",
      before: { goods: goodsOf(target), method: collection.method } satisfies Before,
    };
  },
  async run({ client, target, input, name }, before) {
    const method = input.method ?? Before.parse(before).method?.id;
    try {
      const done = await retryOrder(client, target.id, method ? { paymentMethodId: method } : undefined);
      return retriedAnswer(target, done, name);
    } catch (error) {
      return refusedAnswer(client, error, goodsOf(target));
    }
  },
  async reconcile({ target, name }, { before }) {
    // After the charge the order names the services that were built for it: only the state before shows its goods.
    const { goods } = Before.parse(before);
    const text = `the platform shows the order ${name} as “${orderState(target)}”.`;
    if (target.payment_status === "paid") return { is: "done", text, handle: { order: target.id, goods } };
    return { is: target.payment_status === "failed" ? "not done" : "unsure", text };
  },
  follow: provisioning,
});

function shownOrNot(label: string, text: string | null | undefined, most: number): Fact {
  return text ? { label, value: prose(text, most) } : unshownFact(label);
}

const changesSold = ["options set", "option remove", "upgrade"];
const soldKinds = [`reseller ${resoldService.noun}`];

/** The ids of the services that the charge may take something from. */
function changedBy(order: Order): string[] {
  return mayTakeAway(order) ? order.services.map(({ serviceId }) => serviceId) : [];
}

/** An order of new services takes nothing away, and one that cannot be charged changes nothing. */
function mayTakeAway(order: Order): boolean {
  return goodsOf(order) !== "services" && unchargeable(order) === null;
}

/** Each service is up to four calls. Of an order with more, Rackbell says that it cannot read them. */
const mostRead = 20;

/**
 * The losses of what the charge may begin, as sentences. The platform does not show what an order changes about services that are there.
 */
const readLosses = oncePer(async (order: Order, client: ResellerClient): Promise<string[]> => {
  if (!mayTakeAway(order)) return [];
  const addOns = "The platform does not name the add-ons of this order. Add-ons that it leaves out may end.";
  const ids = [...new Set(order.services.map(({ serviceId }) => serviceId))];
  if (ids.length > mostRead)
    return [
      addOns,
      `Rackbell cannot read all services of the order, for it names ${ids.length}. Package changes that wait may begin. Data may be lost.`,
    ];
  const pending = await Promise.all(ids.map((id) => pendingLosses(client, id)));
  return [addOns, ...pending.flat()];
});

/** The platform charges only an order whose charge failed. This check says so before anybody approves. Reseller spec section 4.1. */
function requireChargeable(order: Order): void {
  const why = unchargeable(order);
  if (why) throw new Refusal(`The order ${code(orderName(order))} ${why.text}`, why.next);
}

/** The reason against another charge, and its next steps; null where it can be tried. An order without a payment is left to the platform. */
function unchargeable(order: Order): { text: string; next: Step[] } | null {
  const show = showOrderStep(order.id);
  if (isStorefront(order))
    return { text: "was placed in the platform's panel, and is paid there. Nothing was charged.", next: [show] };
  const unpaid = {
    text: "waits for the payment of its document. Nothing was charged.",
    next: [...paySteps(order), show],
  };
  const reasons: Record<PaymentStatus, typeof unpaid | null> = {
    failed: null,
    pending: unpaid,
    paid: { text: "is paid already. Nothing was charged.", next: [show] },
    processing: { text: "is being charged already. Nothing was charged twice.", next: [show] },
    refunded: { text: "was refunded. Nothing was charged. To have it again, place a new order.", next: [show] },
  };
  return (order.payment_status && reasons[order.payment_status]) ?? (order.payment_mode === "invoice" ? unpaid : null);
}
