import * as z from "zod";
import { type Preconditions, priceBeforeTax } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { InputError } from "../../../operation/errors.ts";
import { nameIs, textIs } from "../../../operation/preconditions.ts";
import { noTarget } from "../../../operation/target.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { listCustomers } from "../../../platform/reseller/customers.ts";
import { billingCycles } from "../../../platform/reseller/cycles.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { findOrder, listOrders, readOrder } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { placeOrder } from "../../../platform/reseller/place-order.ts";
import {
  listProducts,
  type ProductSchema,
  readProduct,
  readProductSchema,
} from "../../../platform/reseller/products.ts";
import { money } from "../../../views/format.ts";
import { code, prose } from "../../../views/text.ts";
import { placesOf } from "../product/schema-fields.ts";
import { bodyOf } from "./body.ts";
import { collectionWords } from "./collection.ts";
import { most, OrderInput } from "./draft.ts";
import { nameOf, stateOf } from "./order.ts";
import { placedAnswer, refusedAnswer } from "./outcome.ts";
import { orderPages } from "./pages.ts";
import { orderName, pricePreconditions, sumOf } from "./price.ts";
import { orderedWords, provisioning } from "./provisioning.ts";

/** The words that the answer needs; saved before the write, so that nothing is read again after it. */
const Shown = z.object({ what: z.string() });

export const newOrder = defineOperation({
  command: "reseller order new",
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
  verb: "Order to sell on",
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
      .meta({ title: "Customer", description: "By your own id of them" }),
    cycle: z.enum(billingCycles).optional().meta({ title: "Billed" }),
    location: z.string().optional().meta({ title: "Datacentre" }),
    hostname: z.string().optional().meta({ title: "Host name" }),
    quantity: z.number().int().min(1).max(most.quantity).optional().meta({ title: "How many" }),
    image: z.string().optional().meta({ title: "Captured image", description: "By its name" }),
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
      consequence: `${what}: ${shown}. It is billed to you until it is terminated.`,
      press: "Order it",
      preconditions: {
        what: textIs("What", what),
        ...pricePreconditions(product, order, place),
        sum: {
          value: sum === null ? null : [sum, product.currency ?? null],
          label: "Sum",
          text: sum || hourly ? shown : `${shown}: a part of it has no price that can be read here.`,
        },
        ...(await orderPreconditions(client, schema, order)),
      },
      shown: [
        { label: "VAT", value: "Added by the platform where it applies; the answer names it." },
        { label: "Collected", value: await collectionWords(call, order.method) },
        {
          label: "Currency",
          value: "The supplier's own. An account in another is charged in that, at the rate of the moment.",
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
      return placedAnswer((await placeOrder(client, bodyOf(id, order))).value, what, order.customer?.id);
    } catch (error) {
      return refusedAnswer(client, error);
    }
  },
  async reconcile({ id, client }) {
    const found = await findOrder(client, id);
    if (!found) return { is: "not done", text: "there is no order with this request's id." };
    return {
      is: "done",
      text: `the order ${code(nameOf(found))} exists; it is ${stateOf(found)}. ${orderedWords(found)}`,
      handle: { order: found.id },
    };
  },
  expects: {
    first: ["order.paid", "order.invoiced"],
    later: ["order.paid", "service.provisioned"],
    failing: ["order.payment_failed", "service.provisioning_failed"],
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
  const form = Object.entries(order.form).map(([name, value]) => `${prose(name, 60)}: ${code(String(value), 100)}`);
  const image = system ? prose(system, 80) : own;
  return {
    buyer: { value: customer?.id ?? null, label: "Sold to", text: forWhom ?? "nobody in particular" },
    ...(image && { system: textIs("System", image) }),
    ...(hostname && { hostname: nameIs("Host name", hostname) }),
    ...(ownId && { ownId: nameIs("Your own id", ownId) }),
    ...(form.length > 0 && { form: textIs("The provider's form", form.join("\n")) }),
  };
}
