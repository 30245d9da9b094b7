import * as z from "#zod";
import type { Json, Reconciled, TrackedAnswer } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { causedBy, Refusal } from "../../../operation/errors.ts";
import type { Risk } from "../../../operation/risk.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import { largestPage, readAllPages } from "../../../platform/http/pages.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import {
  type OptionQuantity,
  type OptionsChange,
  readOptions,
  type ServiceOptions,
  setOptions,
} from "../../../platform/reseller/options.ts";
import { listOrders, type Order, readOrder } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { orderIn } from "../../../platform/reseller/place-order.ts";
import { listProducts } from "../../../platform/reseller/products.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { plainly } from "../../../process/plain-text.ts";
import { code } from "../../../views/text.ts";
import { addOnLoss } from "../../kits/add-ons.ts";
import { collectedLater } from "../../kits/order-effects.ts";
import { withReceived } from "../../kits/received.ts";
import { isEndState } from "../../kits/service-states.ts";
import { orderState, paySteps, quotedOrder, retryStep, showOrderStep } from "../order/order.ts";
import { addonPayment, chargedWords, failureOf, failureWords, figuresOf } from "../order/outcome.ts";
import { readCollection } from "../payment.ts";
import { optionsById, presentQuantities, waitsForPayment } from "./options.ts";
import {
  chosenSet,
  countLines,
  type Difference,
  differenceOf,
  type OptionCount,
  offeredOptions,
  presentChoices,
  priceOfMore,
  setChoices,
} from "./options-input.ts";
import { requireNotOver, resoldService, soldName, soldWords } from "./service.ts";

/** The answer to a set of add-ons: applied, or waiting for its document to be paid. Reseller spec section 4.2. */
function changedAnswer(
  row: Service,
  status: number,
  change: OptionsChange,
  { less }: Difference,
): TrackedAnswer<{ order: string }> {
  const name = code(soldName(row));
  const { charge, idempotent, added, increased, decreased, removed } = change;
  const gone = less.length > 0 ? " The removed add-ons are gone, and nothing is refunded." : "";
  const waits = status === 202;
  const text = idempotent
    ? `The add-ons of ${name} were set by this request already. Nothing was charged twice.`
    : waits
      ? `The platform accepted the add-ons of ${name}. Nothing was charged yet. New add-ons start after you pay their document of ${figuresOf(charge)}.${gone}`
      : `The add-ons of ${name} are set. ${chargedWords(charge)}${gone}`;
  return {
    ...withReceived(text, { added, increased, decreased, removed }),
    next: [
      ...(waits ? paySteps({ invoice_id: charge?.invoiceId, proforma_id: charge?.proformaId }) : []),
      { label: "Add-ons", command: "reseller service options", target: row.serviceId },
      ...(charge?.orderId ? [showOrderStep(charge.orderId)] : []),
    ],
    handle: waits && charge?.orderId ? { order: charge.orderId } : null,
    order: charge?.orderId ?? undefined,
  };
}

/** A failed charge changed nothing, and its order can be charged again. Null for any other error. Reseller spec section 4.2. */
function chargeRefusal(error: unknown): Refusal | null {
  if (!(error instanceof PlatformRefused) || error.status !== 402) return null;
  const order = orderIn(error);
  const { why, first } = failureWords(failureOf(error));
  return new Refusal(
    `The charge failed. Nothing was charged, and the add-ons did not change.${why}${first}`,
    order ? [retryStep(order.orderId), showOrderStep(order.orderId)] : [],
  );
}

const Before = z.object({ held: z.record(z.string(), z.number()), orders: z.array(z.string()) });

/** The add-ons and orders before the write. A charge makes an order, so a lost answer can be compared with both. */
async function beforeSet(client: ResellerClient, row: Service, { active }: ServiceOptions): Promise<Json> {
  const orders = await ordersOf(client, row);
  return { held: Object.fromEntries(presentQuantities(active) ?? []), orders: orders.map(({ id }) => id) };
}

/**
 * All orders that can be about this service: those that name it, and those that name no service. The spec promises no order of the list,
 * so a new one can be on any page. Reseller spec section 4.
 */
async function ordersOf(client: ResellerClient, row: Service): Promise<Order[]> {
  const pages = await readAllPages(client, (page) => listOrders(client, { page, limit: largestPage }));
  return pages.flat().filter(({ services }) => services.length === 0 || isNamed(services, row));
}

/** Checks the outcome after a lost answer: by the present add-ons and the orders made since. */
async function reconcileSet(
  client: ResellerClient,
  row: Service,
  {
    found: { active },
    difference: { more, less },
    before,
  }: { found: ServiceOptions; difference: Difference; before: Json },
): Promise<Reconciled> {
  const was = Before.parse(before);
  const name = code(soldName(row));
  const made = (await ordersOf(client, row)).filter(({ id }) => !was.orders.includes(id));
  const about = made.find(({ services }) => isNamed(services, row));
  if (more.length === 0 && less.length === 0) {
    const waiting = active.some(waitsForPayment) ? ", some of which wait for payment" : "";
    const text = `${name} has exactly these add-ons${waiting}.`;
    if (!about) return { is: "done", text };
    return { is: "done", text, next: [showOrderStep(about.id)], ...(waiting ? { handle: { order: about.id } } : {}) };
  }
  const held = Object.entries(was.held);
  const now = presentQuantities(active);
  const same = now?.size === held.length && held.every(([id, count]) => now.get(id) === count);
  if (!same) return { is: "unsure", text: `${name} has neither these add-ons nor those that it had.` };
  if (about?.payment_status === "failed")
    return { is: "not done", text: `the charge failed, and ${name} has the add-ons that it had. ${retryWords(about)}` };
  if (made.length > 0)
    return {
      is: "unsure",
      text: `${name} has the add-ons that it had, though there is a new order. ${orderWords(made)}`,
    };
  return { is: "not done", text: `${name} has the add-ons that it had, and nothing was ordered since.` };
}

function isNamed(services: Order["services"], { serviceId }: Service): boolean {
  return services.some((one) => one.serviceId === serviceId);
}

function retryWords(order: Order): string {
  return `Its order ${quotedOrder(order)} is kept; \`/reseller order retry\` charges it again.`;
}

function orderWords([first]: Order[]): string {
  return first ? `The order ${quotedOrder(first)} is ${orderState(first)}. Check if it belongs to this request.` : "";
}

export const optionsSet = defineOperation({
  command: "reseller service options set",
  does: ["options set", "option remove"],
  summary: "Set all add-ons of a resold service: this removes add-ons that you leave out, and charges new ones",
  example: "/reseller service options set web-2 options=Monitoring",
  act: setOptions,
  reads: [readOptions, readService, listProducts, listOrders, readOrder, listPaymentMethods],
  // The risk depends on the present add-ons. If they change before the approval, "Removed" changes, and that voids the request.
  risk: { usual: "spend", of: riskOf },
  effects: [collectedLater],
  verb: "Set the add-ons of",
  target: resoldService,
  idempotent: true,
  input: z.object({
    options: z.array(z.string().max(120)).min(1, "name all add-ons of the new set, or none.").max(50).meta({
      title: "Add-ons",
      description: "The complete set; “2 x name” for two, at most 100 of each. none removes all.",
    }),
  }),
  choices: { options: setChoices },
  present: async ({ client, target }) => ({ options: presentChoices(await readOptions(client, target.serviceId)) }),
  usable: ({ target }) => requireNotOver(target),
  async review(call) {
    const { client, target, input, name } = call;
    const { found, more, less } = await readSet(client, target, input);
    const products = more.length > 0 ? await listProducts(client) : [];
    chosenSet(input.options, offeredOptions(products, target, found));
    if (more.length === 0 && less.length === 0)
      throw new Refusal(`${name} has exactly these add-ons already. Nothing was sent.`);
    const priced = more.length > 0 ? priceOfMore(products, target, found, more) : null;
    // One of several may end, so the quantity is always named.
    const loss = addOnLoss(less, (one) => countLines([one]));
    const charged = priced ? " New add-ons are charged at your price, excl. VAT, with their setup fees." : "";
    return {
      press: plainly`Change ${soldName(target)}`,
      back: "Keep the add-ons",
      consequence: `The add-ons of ${soldWords(target)} will change.${charged}`,
      warnings: loss === null ? [] : [loss, "Removed add-ons end at once, and nothing is refunded."],
      preconditions: {
        removed: { value: less.map(quantityOf), label: "Removed", text: countLines(less) },
        added: { value: more.map(quantityOf), label: "Added", text: countLines(more) },
        price: priced?.precondition ?? { value: null, label: "Price", text: "nothing is charged", decides: "known" },
        // The platform takes no payment method for add-ons, and charges the default one: reseller spec section 4.2.
        ...(priced && (await readCollection(call, undefined)).preconditions),
      },
      price: priced ? priced.price : null,
      before: await beforeSet(client, target, found),
    };
  },
  async run({ id, client, target, input }) {
    const { requested, ...difference } = await readSet(client, target, input);
    try {
      const { status, value } = await setOptions(client, target.serviceId, {
        options: requested,
        externalReference: id,
      });
      return changedAnswer(target, status, value, difference);
    } catch (error) {
      const refusal = chargeRefusal(error);
      throw refusal ? causedBy(refusal, error) : error;
    }
  },
  async reconcile({ client, target, input }, { before }) {
    const { found, ...difference } = await readSet(client, target, input);
    return reconcileSet(client, target, { found, difference, before });
  },
  follow: addonPayment,
});

type OptionsInput = { options: string[] };

/** A set that removes something is `destroy`, whatever it adds. A service that is over is refused before this risk matters. */
async function riskOf(call: { client: ResellerClient; target: Service; input: OptionsInput }): Promise<Risk> {
  if (isEndState(call.target.status)) return "destroy";
  const { less } = await readSet(call.client, call.target, call.input);
  return less.length > 0 ? "destroy" : "spend";
}

/** The present add-ons, the requested set, and their difference. */
async function readSet(
  client: ResellerClient,
  { serviceId }: Service,
  { options }: OptionsInput,
): Promise<Difference & { found: ServiceOptions; requested: Required<OptionQuantity>[] }> {
  const found = await readOptions(client, serviceId);
  const known = [...optionsById(found)].map(([id, name]) => ({ id, name }));
  const requested = chosenSet(options, known);
  return { found, requested, ...differenceOf(found, requested) };
}

function quantityOf({ id, quantity }: OptionCount): [string, number] {
  return [id, quantity];
}
