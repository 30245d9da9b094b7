import * as z from "zod";
import { type Preconditions, priceBeforeTax } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { InputError } from "../../../operation/errors.ts";
import { nameIs, textIs } from "../../../operation/preconditions.ts";
import { noTarget } from "../../../operation/target.ts";
import { plainly } from "../../../plain-text.ts";
import { amountOf, unitsOf } from "../../../platform/amounts.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { listCustomers } from "../../../platform/reseller/customers.ts";
import { type BillingCycle, billingCycles, catalogueNameOf, pricesOf } from "../../../platform/reseller/cycles.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { findOrder, listOrders, readOrder } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { type OrderBody, placeOrder } from "../../../platform/reseller/place-order.ts";
import {
  listProducts,
  type Product,
  type ProductSchema,
  readProduct,
  readProductSchema,
} from "../../../platform/reseller/products.ts";
import { namesSecret } from "../../../secret-parts.ts";
import { money } from "../../../views/format.ts";
import { clip, code, count, listing, prose } from "../../../views/text.ts";
import { resoldOrderEffects } from "../../kits/order-effects.ts";
import { collectionWords } from "../payment.ts";
import { byMonth, optionPrice, optionWords } from "../product/options.ts";
import { type ProductPlace, placesOf, secretFieldsOf } from "../product/schema-fields.ts";
import { most, OrderInput } from "./draft.ts";
import { nameOf, stateOf } from "./order.ts";
import { placedAnswer, refusedAnswer } from "./outcome.ts";
import { orderPages } from "./pages.ts";
import { orderedWords, provisioning } from "./provisioning.ts";

/** The words that the answer needs; saved before the write, so that nothing is read again after it. */
const Shown = z.object({ what: z.string() });

export const newOrder = defineOperation({
  command: "reseller order new",
  synonyms: ["buy", "create"],
  summary: "Order a product at wholesale for a customer of yours, page by page",
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
  makes: ({ order }) => {
    if (!order) return [];
    const { product, hostname = order.form.hostname, customer, ownId = "" } = order;
    // Without a host name, only the partner's own id distinguishes two services.
    const name = hostname ? String(hostname).toLowerCase() : ownId;
    return [{ what: `${product} ${name || `for ${customer?.id ?? "nobody"}`}`, named: name !== "" }];
  },
  target: noTarget,
  idempotent: true,
  wizard: orderPages,
  input: z.object({
    product: z.string().optional().meta({ title: "Product" }),
    customer: z
      .string()
      .max(most.customer)
      .optional()
      .meta({ title: "Customer", description: "Their name, e-mail address or your own id for them" }),
    cycle: z.enum(billingCycles).optional().meta({ title: "Billed" }),
    location: z.string().optional().meta({ title: "Datacentre" }),
    hostname: z.string().optional().meta({ title: "Host name" }),
    quantity: z.number().int().min(1).max(most.quantity).optional().meta({ title: "How many" }),
    image: z.string().optional().meta({ title: "System", description: "Or an image that you captured, by its name" }),
    own: z.string().max(most.customer).optional().meta({ title: "Your own id of the service" }),
    order: OrderInput.optional().meta({
      title: "Order",
      description: "Filled in page by page: plan, system, the provider's form, customer",
      writeOnly: true,
    }),
  }),
  positional: "product",
  async review(call) {
    const { client, input } = call;
    const order = filledIn(input.order);
    const [product, schema] = await Promise.all([
      readProduct(client, order.product),
      readProductSchema(client, order.product),
    ]);
    const place = placesOf(schema).find(({ value }) => value === order.location) ?? null;
    const what = orderName(product, order);
    const sum = sumOf(product, order, place);
    const hourly = order.cycle === "hourly";
    const unknown = hourly ? "charged by the hour, at the price below, excl. VAT" : "the sum is not known beforehand";
    const shown = sum ? `${money(sum, product.currency ?? null)} excl. VAT` : unknown;
    return {
      title: plainly`Order ${order.quantity} × ${clip(product.name, 100)}`,
      consequence: `${what}: ${shown}. The platform bills you until you terminate the service.`,
      // A known price follows in the button.
      press: sum === null ? `Order ${count(order.quantity, "service")}` : "Order",
      preconditions: {
        what: textIs("Product", what),
        ...pricePreconditions(product, order, place),
        sum: {
          value: sum === null ? null : [sum, product.currency ?? null],
          label: "Sum",
          text: sum || hourly ? shown : `${shown}: Rackbell cannot read the price of one part.`,
        },
        ...(await orderPreconditions(client, schema, order)),
      },
      shown: [
        { label: "VAT", value: "The platform adds it where it applies; the answer shows it." },
        { label: "Collected", value: await collectionWords(call, order.method) },
        {
          label: "Currency",
          value: "The platform's own. It charges an account in another currency in that currency, at the current rate.",
        },
      ],
      price: sum === null ? "unknown" : priceBeforeTax(sum, product.currency ?? null),
      before: { what },
    };
  },
  async run({ id, client, input }, before) {
    const { what } = Shown.parse(before);
    try {
      const order = filledIn(input.order);
      return placedAnswer(await placeOrder(client, bodyOf(id, order)), what, order.customer?.id);
    } catch (error) {
      return refusedAnswer(client, error);
    }
  },
  async reconcile({ id, client }) {
    const found = await findOrder(client, id);
    if (!found) return { is: "not done", text: "there is no order with this request's id." };
    return {
      is: "done",
      text: `the order ${code(nameOf(found))} exists (${stateOf(found)}). ${orderedWords(found)}`,
      handle: { order: found.id },
    };
  },
  follow: provisioning,
});

function filledIn(order: OrderInput | undefined): OrderInput {
  if (order) return order;
  throw new InputError("The order is not filled in yet. Type /reseller order new and fill in the pages.");
}

async function orderPreconditions(
  client: ResellerClient,
  schema: ProductSchema,
  order: OrderInput,
): Promise<Preconditions> {
  const { customer, hostname, ownId, osImage, customImage } = order;
  const system = (schema.osImages ?? []).find(({ id }) => id === osImage)?.name ?? osImage;
  const captured = customImage ? (await listCapturedImages(client)).find(({ id }) => id === customImage) : undefined;
  const own = customImage ? `Your image ${code(captured?.name ?? customImage, 80)}` : null;
  const forWhom = customer && (customer.name ? `${code(customer.name)} (${code(customer.id)})` : code(customer.id));
  const secret = secretFieldsOf(schema);
  const form = Object.entries(order.form).map(([name, value]) =>
    secret.has(name) || namesSecret(name)
      ? `${prose(name, 60)}: (secret)`
      : `${prose(name, 60)}: ${code(String(value), 100)}`,
  );
  const image = system ? prose(system, 80) : own;
  return {
    buyer: { value: customer?.id ?? null, label: "Sold to", text: forWhom ?? "no customer" },
    ...(image && { system: textIs("System", image) }),
    ...(hostname && { hostname: nameIs("Host name", hostname) }),
    ...(ownId && { ownId: nameIs("Your own id", ownId) }),
    ...(form.length > 0 && { form: textIs("The provider's form", form.join("\n")) }),
  };
}

/**
 * The body of an order. The request's id is the idempotency key, by which a lost answer is reconciled. It names nothing else: an invented
 * id would be the service's name in the partner's books. Reseller spec section 4.1.
 */
function bodyOf(id: string, order: OrderInput): OrderBody {
  const { customer, location, hostname, osImage, customImage } = order;
  return {
    productId: order.product,
    billingCycle: order.cycle,
    quantity: order.quantity,
    externalOrderId: id,
    ...(customer ? { externalCustomerId: customer.id } : {}),
    ...(customer?.name ? { externalCustomerName: customer.name } : {}),
    ...(customer?.email ? { externalCustomerEmail: customer.email } : {}),
    configuration: {
      ...order.form,
      ...(hostname ? { hostname } : {}),
      ...(location ? { location } : {}),
      ...(osImage ? { [order.imageField]: osImage } : {}),
      ...(customImage ? { custom_image_id: customImage } : {}),
      ...(order.ownId ? { externalServiceId: order.ownId } : {}),
    },
    ...(order.options.length > 0
      ? { options: order.options.map((option) => ({ optionId: option.id, quantity: option.quantity })) }
      : {}),
    ...(order.method ? { paymentMethodId: order.method } : {}),
  };
}

/** "2 × `VPS M`, monthly". */
function orderName({ name }: Product, { quantity, cycle }: OrderInput): string {
  return `${quantity} × ${code(name, 80)}, ${cycle}`;
}

/** The catalogue's prices of the ordered products, at wholesale and excl. VAT. */
function pricePreconditions(product: Product, order: OrderInput, place: ProductPlace | null): Preconditions {
  const currency = product.currency ?? null;
  const price = priceOn(product, order.cycle);
  const fee = typeof product.pricing.setupFee === "string" ? product.pricing.setupFee : "0";
  const each = order.quantity > 1 ? " each" : "";
  const added = place ? placeWords(place, order.cycle, currency) : null;
  const options = optionsText(product, order);
  return {
    price: {
      value: price === null ? null : [price, currency, order.cycle],
      label: "Price",
      text: price ? `${money(price, currency)} ${order.cycle}${each}` : "not offered on this cycle",
    },
    ...(Number(fee) > 0 && {
      setup: { value: [fee, currency], label: "Setup", text: `${money(fee, currency)} once${each}` },
    }),
    ...(place && { place: textIs("Datacentre", `${prose(place.label, 80)}${added ? `, which adds ${added}` : ""}`) }),
    ...(options && { options: textIs("Add-ons", options) }),
  };
}

function priceOn({ pricing }: Product, ordered: BillingCycle): string | null {
  return pricesOf(pricing).find(({ cycle }) => cycle === ordered)?.price ?? null;
}

function optionsText(product: Product, { options, cycle }: OrderInput): string | null {
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

/** The sum of the first cycle and the setup, excl. VAT. Null where a part has no readable price: the sum would be too small. */
function sumOf(product: Product, order: OrderInput, place: ProductPlace | null): string | null {
  const price = priceOn(product, order.cycle);
  // Null is no fee. A field that is missing says nothing, and the sum could be too small.
  const fee = product.pricing.setupFee === null ? "0" : product.pricing.setupFee;
  if (price === null || typeof fee !== "string" || order.cycle === "hourly") return null;
  let each = unitsOf(price) + unitsOf(fee);
  for (const { id, quantity } of order.options) {
    const option = product.options.find((one) => one.id === id);
    const { cycle, once } = option ? optionPrice(option, order.cycle) : { cycle: null, once: null };
    if (cycle === null || once === null) return null;
    each += (unitsOf(cycle) + unitsOf(once)) * BigInt(quantity);
  }
  if (order.location !== undefined) {
    const added = place ? placePrice(place, order.cycle) : null;
    if (added === null) return null;
    each += added;
  }
  return amountOf(each * BigInt(order.quantity));
}

/**
 * A datacentre's surcharge: the cycle's own figure, else the monthly one times the months. It is the product's, as the customer API shows it:
 * per month, multiplied for longer cycles. Null if neither is named. Customer spec section 2.7, reseller spec section 1.1.
 */
function placePrice({ prices, partly }: ProductPlace, cycle: BillingCycle): bigint | null {
  if (partly) return null;
  const own = prices[catalogueNameOf[cycle]] ?? prices[cycle] ?? byMonth(prices.monthly, cycle);
  return own === null ? null : unitsOf(own) + unitsOf(prices.setupFee ?? "0");
}
