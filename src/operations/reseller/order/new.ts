import * as z from "#zod";
import { type Preconditions, priceBeforeTax } from "../../../operation/answer.ts";
import type { CallContext } from "../../../operation/call-context.ts";
import { defineOperation } from "../../../operation/define.ts";
import { nameIs, textIs } from "../../../operation/preconditions.ts";
import { indexedKindOf, noTarget } from "../../../operation/target.ts";
import { amountOf, unitsOf } from "../../../platform/amounts.ts";
import { listCustomers } from "../../../platform/reseller/customers.ts";
import { type BillingCycle, catalogueNameOf, pricesOf } from "../../../platform/reseller/cycles.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { findOrder, listOrders, readOrder } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { placeOrder } from "../../../platform/reseller/place-order.ts";
import { listProducts, type Product, readProduct, readProductSchema } from "../../../platform/reseller/products.ts";
import { characters, plainly } from "../../../process/plain-text.ts";
import { namesSecret } from "../../../process/secret-parts.ts";
import { money, perCycle } from "../../../views/format.ts";
import { clip, code, count, listing, prose } from "../../../views/text.ts";
import { resoldOrderEffects } from "../../kits/order-effects.ts";
import { chosenImage } from "../../kits/ordering.ts";
import { customer } from "../customer.ts";
import { readCollection, ShownMethod } from "../payment.ts";
import { byMonth, optionPrice, optionWords } from "../product/options.ts";
import { type ProductPlace, secretFieldsOf } from "../product/schema-fields.ts";
import {
  bodyOf,
  OrderInput,
  orderChoices,
  orderLeading,
  settledBuyer,
  valuesOf,
  type WholeOrder,
  wholeOrder,
} from "./input.ts";
import { orderName, orderState } from "./order.ts";
import { orderedWords, placedAnswer, provisioning, refusedAnswer } from "./outcome.ts";

/** Saved before the write, so that nothing is read again after it: the words that the answer needs, and the saved method that was shown. */
const Shown = z.object({ what: z.string(), method: ShownMethod.nullish() });

export const newOrder = defineOperation({
  command: "reseller order new",
  synonyms: ["buy", "create"],
  summary: "Order a product at wholesale for a customer of yours",
  example: "/reseller order new VPS S cycle=monthly",
  act: placeOrder,
  reads: [
    listProducts,
    readProduct,
    readProductSchema,
    listOrders,
    readOrder,
    listCustomers,
    listCapturedImages,
    listPaymentMethods,
  ],
  risk: "spend",
  effects: resoldOrderEffects,
  verb: "Order to resell",
  makes: ({ product, hostname, own = "", form, ...to }) => {
    const named = hostname ?? valuesOf(form).hostname;
    // Without a host name, only the partner's own id distinguishes two services.
    const name = named ? String(named).toLowerCase() : own;
    return [{ what: `${product} ${name || `for ${to.new ?? to.customer ?? "nobody"}`}`, named: name !== "" }];
  },
  target: noTarget,
  idempotent: true,
  input: OrderInput,
  positional: "product",
  leading: orderLeading,
  settled: settledBuyer,
  describesInput: true,
  choices: orderChoices,
  typed: ["location"],
  // A text that names no customer is the own id of a new one.
  open: ["customer"],
  async review(call) {
    const order = await wholeOrder(call, call.input);
    const { product, input } = order;
    const collection = await readCollection(call, input.method);
    const what = goodsName(order);
    const sum = sumOf(order);
    const hour = input.cycle === "hourly" ? hourOf(order) : null;
    const shown =
      hour?.words ?? (sum ? `${money(sum, product.currency ?? null)} excl. VAT` : "the sum is not known beforehand");
    return {
      title: plainly`Order ${input.quantity} × ${clip(product.name, 100)}`,
      consequence: `${what}: ${shown}. The platform bills you until you terminate the service.`,
      // A known price follows in the button.
      press: sum === null && !hour?.rate ? `Order ${count(input.quantity, "service")}` : "Order",
      rate: hour?.rate ?? null,
      preconditions: {
        what: textIs("Product", what),
        ...pricePreconditions(order),
        sum: {
          value: sum === null ? null : [sum, product.currency ?? null],
          label: "Sum",
          text: sum || hour ? shown : `${shown}: Rackbell cannot read the price of one part.`,
          ...(hour?.isWhole && { decides: "known" }),
        },
        ...(await orderPreconditions(call, order)),
        ...collection.preconditions,
      },
      shown: [
        { label: "VAT", value: "The platform adds it where it applies; the answer shows it.", decides: "unknown" },
        {
          label: "Currency",
          value: "The platform's own. It charges an account in another currency in that currency, at the current rate.",
        },
      ],
      price: sum === null ? "unknown" : priceBeforeTax(sum, product.currency ?? null),
      before: { what, method: collection.method },
    };
  },
  async run(call, before) {
    const { id, client } = call;
    const { what, method = null } = Shown.parse(before);
    const order = await wholeOrder(call, call.input);
    try {
      return placedAnswer(await placeOrder(client, bodyOf(id, order, method)), what, { customer: order.buyer, method });
    } catch (error) {
      return refusedAnswer(client, error);
    }
  },
  async reconcile({ id, client }) {
    const found = await findOrder(client, id);
    if (!found) return { is: "not done", text: "there is no order with this request's id." };
    return {
      is: "done",
      text: `the order ${code(orderName(found))} exists (${orderState(found)}). ${orderedWords(found)}`,
      handle: { order: found.id },
    };
  },
  follow: provisioning,
});

/** True if a customer of the partner has this own id, as the one of a bound key has. */
async function isCustomer(call: CallContext<"reseller">, own: string): Promise<boolean> {
  if (call.confinedTo) return true;
  const { entries } = await call.listing(indexedKindOf(customer));
  return entries.some(({ aliases: [first = ""] }) => characters(first) === own);
}

/** The name of the chosen system, or of the own image; null if none was chosen. */
async function systemWords(
  { client }: CallContext<"reseller">,
  image: WholeOrder["input"]["image"],
  systems: NonNullable<WholeOrder["schema"]["osImages"]>,
): Promise<string | null> {
  const { osImage, customImage } = chosenImage(image, systems);
  const system = systems.find(({ id }) => id === osImage)?.name ?? osImage;
  if (system) return prose(system, 80);
  if (!customImage) return null;
  const captured = (await listCapturedImages(client)).find(({ id }) => id === customImage);
  return `Your image ${code(captured?.name ?? customImage, 80)}`;
}

async function orderPreconditions(
  call: CallContext<"reseller">,
  { input: { image, name, hostname, own }, schema, form, buyer }: WholeOrder,
): Promise<Preconditions> {
  const words = await systemWords(call, image, schema.osImages ?? []);
  const secret = secretFieldsOf(schema);
  const values = Object.entries(form).map(([field, value]) => {
    const isSecret = secret.has(field) || namesSecret(field);
    return `${prose(field, 60)}: ${isSecret ? "(secret)" : code(String(value), 100)}`;
  });
  const isNew = buyer !== undefined && !(await isCustomer(call, buyer));
  const forWhom = buyer && `${name ? `${code(name)} (${code(buyer)})` : code(buyer)}${isNew ? ", a new customer" : ""}`;
  return {
    buyer: { value: buyer ?? null, label: "Sold to", text: forWhom ?? "no customer", decides: "known" },
    ...(words && { system: textIs("System", words) }),
    ...(hostname && { hostname: nameIs("Host name", hostname) }),
    ...(own && { ownId: nameIs("Your own id", own) }),
    ...(values.length > 0 && { form: textIs("The provider's form", values.join("\n")) }),
  };
}

/** "2 × `VPS M`, monthly". */
function goodsName({ product, input: { quantity, cycle } }: WholeOrder): string {
  return `${quantity} × ${code(product.name, 80)}, ${cycle}`;
}

/** The catalogue's prices of the ordered products, at wholesale and excl. VAT. */
function pricePreconditions({ product, input: order, place, options: chosen }: WholeOrder): Preconditions {
  const currency = product.currency ?? null;
  const price = priceOn(product, order.cycle);
  const fee = typeof product.pricing.setupFee === "string" ? product.pricing.setupFee : "0";
  const each = order.quantity > 1 ? " each" : "";
  const added = place ? placeWords(place, order.cycle, currency) : null;
  const options = optionsText(product, chosen, order.cycle);
  return {
    price: {
      value: price === null ? null : [price, currency, order.cycle],
      label: "Price",
      text: price ? `${money(price, currency)} ${order.cycle}${each}` : "not offered on this cycle",
    },
    ...(Number(fee) > 0 && {
      setup: { value: [fee, currency], label: "Setup", text: `${money(fee, currency)} once${each}` },
    }),
    ...(place && {
      place: {
        ...textIs("Datacentre", `${prose(place.label, 80)}${added ? `, which adds ${added}` : ""}`),
        decides: place.partly ? "unknown" : "known",
      },
    }),
    ...(options && { options: { ...textIs("Add-ons", options), decides: "known" } }),
  };
}

function priceOn({ pricing }: Product, ordered: BillingCycle): string | null {
  return pricesOf(pricing).find(({ cycle }) => cycle === ordered)?.price ?? null;
}

function optionsText(product: Product, options: WholeOrder["options"], cycle: BillingCycle): string | null {
  const lines = options.map(({ id, quantity }) => {
    const option = product.options.find((one) => one.id === id);
    if (!option) return `${quantity} × ${code(id)}`;
    return `${quantity} × ${prose(option.name, 80)}: ${optionWords(option, [cycle], product.currency ?? null)}`;
  });
  return lines.length > 0 ? lines.join("\n") : null;
}

function placeWords({ prices, partly }: ProductPlace, cycle: BillingCycle, currency: string | null): string | null {
  const own = prices[catalogueNameOf[cycle]] ?? prices[cycle];
  const parts = [
    own && Number(own) !== 0 ? `${money(own, currency)} ${cycle}` : null,
    !own && prices.monthly && Number(prices.monthly) !== 0 ? `${money(prices.monthly, currency)} a month` : null,
    prices.setupFee && Number(prices.setupFee) !== 0 ? `${money(prices.setupFee, currency)} once` : null,
    partly ? "a surcharge that Rackbell cannot read" : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? listing(parts) : null;
}

/** The prices of one part of an order in units, excl. VAT: of a cycle, and once. Null where Rackbell cannot read them. */
interface PartPrice {
  cycle: bigint | null;
  once: bigint | null;
}

const unreadable: PartPrice = { cycle: null, once: null };

/** The parts of one piece: the product, its options, and its datacentre. */
function partsOf({ product, input: order, place, options }: WholeOrder): PartPrice[] {
  const { setupFee } = product.pricing;
  return [
    // Null is no fee. A field that is missing says nothing.
    { cycle: times(priceOn(product, order.cycle), 1), once: times(setupFee === null ? "0" : setupFee, 1) },
    ...options.map(({ id, quantity }) => {
      const option = product.options.find((one) => one.id === id);
      if (!option) return unreadable;
      const { cycle, once } = optionPrice(option, order.cycle);
      return { cycle: times(cycle, quantity), once: times(once, quantity) };
    }),
    ...(order.location === undefined ? [] : [place ? placePrice(place, order.cycle) : unreadable]),
  ];
}

function times(amount: unknown, quantity: number): bigint | null {
  return typeof amount === "string" ? unitsOf(amount) * BigInt(quantity) : null;
}

/** The sum of those that can be read; `isWhole`: these are all. */
function sumOfReadable(all: (bigint | null)[]): { sum: bigint; isWhole: boolean } {
  return { sum: all.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n), isWhole: !all.includes(null) };
}

/** The sum of the first cycle and the setup, excl. VAT. Null where a part has no readable price: the sum would be too small. */
function sumOf(order: WholeOrder): string | null {
  const { sum, isWhole } = sumOfReadable(partsOf(order).flatMap(({ cycle, once }) => [cycle, once]));
  return isWhole && order.input.cycle !== "hourly" ? amountOf(sum * BigInt(order.input.quantity)) : null;
}

/** The price of an order by the hour, in words. `rate`: the button has it where nothing else is charged. */
function hourOf(order: WholeOrder): { words: string; rate: string | null; isWhole: boolean } {
  const { product, input } = order;
  const parts = partsOf(order);
  const cycle = sumOfReadable(parts.map((part) => part.cycle));
  const once = sumOfReadable(parts.map((part) => part.once));
  if (priceOn(product, input.cycle) === null)
    return { words: "by the hour, at a price that Rackbell cannot read", rate: null, isWhole: false };
  const priceIn = (units: bigint) =>
    `${input.quantity > 1 ? `${input.quantity} × ` : ""}${money(amountOf(units), product.currency ?? null)}`;
  const rate = perCycle(priceIn(cycle.sum), input.cycle);
  const isWhole = cycle.isWhole && once.isWhole;
  const all = `${rate}${once.sum === 0n ? "" : ` and ${priceIn(once.sum)} once`}, excl. VAT`;
  return {
    words: isWhole ? all : `at least ${all}. Rackbell cannot add up the prices of all parts`,
    rate: isWhole && once.sum === 0n ? rate : null,
    isWhole,
  };
}

/**
 * A datacentre's surcharge: the cycle's own figure, else the monthly one times the months. It is the product's, as the customer API shows it:
 * per month, multiplied for longer cycles. Null if neither is named. Customer spec section 2.7, reseller spec section 1.1.
 */
function placePrice({ prices, partly }: ProductPlace, cycle: BillingCycle): PartPrice {
  if (partly) return unreadable;
  const own = prices[catalogueNameOf[cycle]] ?? prices[cycle] ?? byMonth(prices.monthly, cycle);
  return { cycle: times(own, 1), once: times(prices.setupFee ?? "0", 1) };
}
