import * as z from "#zod";
import { type Preconditions, priceBeforeTax, type TrackedAnswer } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { wrongInput } from "../../operation/errors.ts";
import { nameIs } from "../../operation/preconditions.ts";
import { noTarget } from "../../operation/target.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import { listProducts, readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { autoCreditIn, type CreateResult, createOrder, listOrders, readOrder } from "../../platform/customer/orders.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { listServices } from "../../platform/customer/services.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { plainly } from "../../process/plain-text.ts";
import { money } from "../../views/format.ts";
import { capital, clip, code, count, listing, prose, unmarked } from "../../views/text.ts";
import { costOf, payStep } from "../billing/bill.ts";
import { openDocumentIds } from "../billing/open-documents.ts";
import { availabilityMeaning, placesLeft, refusesOrders } from "../catalog/places.ts";
import { rowCurrency } from "../catalog/product.ts";
import { balanceFact, oncePaidWithTax, readOwnBalance } from "../kits/balance.ts";
import { orderEffects } from "../kits/order-effects.ts";
import { namedProject } from "../project/project.ts";
import {
  bodyOf,
  type NewOrder,
  OrderInput,
  orderCart,
  orderChoices,
  orderLeading,
  orderProject,
  readNewOrder,
} from "./input.ts";
import {
  hourlyRate,
  lineName,
  linesPreconditions,
  type PricedLine,
  priceWords,
  readPricedOrder,
  sumOf,
} from "./lines.ts";
import { type OrderHandle, provisioning } from "./provisioning.ts";

/** Data of the review for the answer: a second read after the write could differ, or fail. */
const ReviewedOrder = z.object({
  what: z.string(),
  currency: z.string().nullable(),
  hourly: z.boolean(),
  /** The unpaid documents before the order. */
  open: z.array(z.string()).nullable(),
});
type ReviewedOrder = z.infer<typeof ReviewedOrder>;

export const newOrder = defineOperation({
  command: "order new",
  synonyms: [
    "buy",
    "create",
    "/vps order",
    "/vps buy",
    "/vps create",
    "/vps new",
    "/service order",
    "/service buy",
    "/dedicated order",
    "/dedicated buy",
    "/catalog order",
    "/catalog buy",
  ],
  summary: "Order servers and other products",
  example: "/order new VPS S cycle=monthly",
  act: createOrder,
  reads: [
    listOrders,
    readOrder,
    listProducts,
    readProduct,
    readAvailability,
    listCustomImages,
    listSshKeys,
    listProjects,
    readBalance,
    listInvoices,
    listProformas,
    readInvoice,
    readProforma,
    readVps,
    listServices,
  ],
  risk: "spend",
  effects: orderEffects,
  verb: "Order",
  idempotent: true,
  makes: ({ product, more = [], hostname = "" }) => {
    const products = new Set([...more.map((line) => line.product), product]);
    return [...products].map((id) => ({ what: `${id} ${hostname.toLowerCase()}`, named: hostname !== "" }));
  },
  target: noTarget,
  input: OrderInput,
  positional: "product",
  leading: orderLeading,
  cart: orderCart,
  choices: orderChoices,
  describesInput: true,
  place: ({ client, input }) => namedProject(client, input.project),
  async review(call) {
    const { client, input } = call;
    const { order, all } = await readPricedOrder(call, input);
    await refuseWhatIsGone(client, all, order);
    const [balance, open] = await Promise.all([readOwnBalance(client), openDocumentIds(client)]);
    const [first] = all;
    const currency = (first && rowCurrency(first.product)) ?? balance?.currency ?? null;
    const what = listing(all.map(lineName));
    const sum = sumOf(all, order);
    const price = sum ? priceBeforeTax(sum.amount, sum.currency ?? currency) : "unknown";
    const words = priceWords(all, order, currency);
    const rate = hourlyRate(all, order);
    const hourly = all.some(({ line }) => line.cycle === "hourly");
    const reviewed: ReviewedOrder = { what, currency, hourly: all.every(({ line }) => line.cycle === "hourly"), open };
    return {
      title: clip(
        plainly`Order ${listing(all.map(({ line, product }) => `${line.quantity} × ${clip(product.name, 80)}`))}`,
        150,
      ),
      consequence: consequenceOf(what, words, reviewed.hourly),
      press: sum || rate ? "Order" : `Order ${count(itemsIn(order), "item")}`,
      rate: rate === null ? null : unmarked(rate),
      preconditions: {
        ...linesPreconditions(all, order),
        ...(await orderPreconditions(client, all, order)),
        ...(sum && {
          sum: {
            value: [sum.amount, sum.currency ?? currency],
            label: "Sum before tax",
            text: money(sum.amount, sum.currency ?? currency),
          },
        }),
      },
      shown: [
        { label: "Tax", value: "Added by the platform; the document says how much.", decides: "unknown" },
        { label: "Payment", value: collectionOf(hourly, reviewed.hourly) },
      ],
      personal: balanceFact(balance, price, oncePaidWithTax),
      price,
      before: reviewed,
    };
  },
  async run(call, before) {
    const { id, client, input } = call;
    const reviewed = ReviewedOrder.parse(before);
    const { order } = await readNewOrder(call, input);
    // Spec section 4.6: the body places an order. A header could name another project, or hide images and keys that the order uses.
    const body = bodyOf({ ...order, project: orderProject(call, order.project) ?? undefined });
    const made = await createOrder(client.in(null), id, body);
    // The document does not have what is charged by the hour.
    const byHour = order.lines.some(({ cycle }) => cycle === "hourly");
    const cost = byHour
      ? made.document && { price: "unknown" as const, document: made.document.id }
      : costOf(made, reviewed.currency);
    return { ...orderedAnswer(made, reviewed), cost: cost ?? undefined };
  },
  async reconcile({ id, client }, { before }) {
    // Search all projects: the order may be in another one than the member's chosen project.
    const { rows } = await listOrders(client.in(null), { idempotencyKey: id });
    const found = rows.find(({ idempotency_key: key }) => key === id);
    if (found) {
      const handle = { order: found.id, document: null, openBefore: ReviewedOrder.parse(before).open };
      return { is: "done", text: "the order exists.", handle };
    }
    const nameless = rows.some(({ idempotency_key: key }) => key === undefined);
    return nameless
      ? { is: "unsure", text: "The platform does not say which order it is." }
      : { is: "not done", text: "there is no such order." };
  },
  follow: provisioning,
});

function itemsIn({ lines }: NewOrder): number {
  return lines.reduce((total, { quantity }) => total + quantity, 0);
}

async function refuseWhatIsGone(client: CustomerClient, all: PricedLine[], { location }: NewOrder): Promise<void> {
  for (const product of new Set(all.map((priced) => priced.product))) {
    const verdict = await readAvailability(client, product.id, location);
    if (!refusesOrders(verdict.code)) continue;
    const place = product.locations.find(({ value }) => value === location);
    const where = place ? plainly` in ${place.name}` : "";
    const left = unmarked(placesLeft(verdict.locations));
    throw wrongInput(
      location ? "location" : "product",
      plainly`${product.name}${where} ${availabilityMeaning[verdict.code]}. Nothing was ordered. ${left}`,
    );
  }
}

async function orderPreconditions(client: CustomerClient, all: PricedLine[], order: NewOrder): Promise<Preconditions> {
  const { location, hostname, project, discount } = order;
  const place = all.flatMap(({ product }) => product.locations).find(({ value }) => value === location);
  const projects = project ? await listProjects(client.in(null)) : [];
  const named = projects.find(({ id, slug }) => id === project || slug === project)?.name ?? project;
  return {
    ...(location && { location: { value: location, label: "Location", text: prose(place?.name ?? location, 80) } }),
    ...(hostname && { hostname: nameIs("Host name", hostname) }),
    ...(named && { project: nameIs("Project", named) }),
    ...(discount && {
      discount: {
        value: discount,
        label: "Discount code",
        text: `${code(discount)}, if the platform accepts it`,
      },
    }),
  };
}

/** "…: 20.00 EUR before tax." */
function consequenceOf(what: string, words: string, hourly: boolean): string {
  return hourly
    ? `Order ${what}: ${words}. The platform charges it by the hour from the credit balance until it is cancelled.`
    : `Order ${what}: ${words}.`;
}

function collectionOf(some: boolean, all: boolean): string {
  const byHour =
    "By the hour from your balance, without an invoice. The platform requires a minimum balance, but does not name it.";
  const document =
    "The platform issues an invoice or proforma. If the operator has switched automatic payment on, your balance pays it at once. Otherwise, a button to pay it follows.";
  return all ? byHour : some ? `${document} Hourly items: ${byHour}` : document;
}

function orderedAnswer(made: CreateResult, { what, currency, hourly }: ReviewedOrder): TrackedAnswer<OrderHandle> {
  const { document, settled, order } = made;
  const handle = order
    ? { order: order.id, document: document ? { type: document.type, id: document.id } : null, openBefore: null }
    : null;
  const again = made.idempotent ? "The platform had this order already; nothing was ordered twice. " : "";
  const lead = `${again}Ordered ${what}.`;
  const show = order ? [{ label: "The order", command: "order show", target: order.id }] : [];
  if (settled) return { text: `${lead} ${settledWords(made, currency, hourly)}`, handle, next: show };
  if (!document)
    return {
      text: `${lead} The order is not paid yet, and the platform names no document for it.`,
      handle,
      next: show,
    };
  return {
    text: `${lead} Its ${document.type} of ${money(document.total, currency)} is ${document.status}. The platform builds the server after the payment.`,
    handle,
    next: [payStep(document.id), ...show],
  };
}

function settledWords(made: CreateResult, currency: string | null, hourly: boolean): string {
  const { document } = made;
  if (!document)
    return hourly
      ? "The order is charged by the hour, without an invoice, and is being built."
      : "Nothing is owed for the order.";
  const its = `its ${document.type} of ${money(document.total, currency)}`;
  const became = document.status === "converted" ? " and became an invoice" : "";
  const credit = autoCreditIn(made);
  if (!credit) return `Nothing is left to pay on ${its}. The platform is building the order.`;
  const { creditApplied: sum } = credit;
  const isPart = sum && unitsOf(sum) < unitsOf(document.total);
  const from = isPart ? `, ${money(sum, currency)} of it from the balance` : " from the balance";
  return `${capital(its)} was paid at once${from}${became}. The platform is building the order.`;
}
