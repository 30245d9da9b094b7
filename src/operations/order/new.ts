import * as z from "zod";
import { type Answer, type Fact, type Preconditions, priceBeforeTax } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { nameIs, textIs } from "../../operation/preconditions.ts";
import { noTarget } from "../../operation/target.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import { listProducts, type ProductDetail, readAvailability, readProduct } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { DocumentState } from "../../platform/customer/documents.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import {
  billingCycles,
  type CreateResult,
  createOrder,
  listOrders,
  readOrder,
} from "../../platform/customer/orders.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { listSshKeys } from "../../platform/customer/ssh-keys.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { money } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { availabilityMeaning, placesLeft, refusesOrders, surchargeOf } from "../catalog/places.ts";
import { currencyOf, cyclesOf, namesFee } from "../catalog/product.ts";
import { optionFacts } from "../catalog/show.ts";
import { balanceFact, balanceOf } from "../kits/balance.ts";
import { namedProject } from "../project/project.ts";
import { bodyOf, OrderInput, type OrderLine } from "./draft.ts";
import { orderPages } from "./pages.ts";
import { openDocumentIds, provisioning } from "./provisioning.ts";

/** Data of the review for the answer: a second read after the write could differ, or fail. */
const ReviewedOrder = z.object({
  what: z.string(),
  currency: z.string().nullable(),
  hourly: z.boolean(),
  /** The unpaid documents before the order. */
  open: z.array(z.string()).nullable().default(null),
});
type ReviewedOrder = z.infer<typeof ReviewedOrder>;

export const newOrder = defineOperation({
  command: "order new",
  summary: "Order servers and other products, page by page",
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
  ],
  risk: "spend",
  verb: "Order",
  idempotent: true,
  makes: ({ order }) => {
    const hostname = order?.hostname?.toLowerCase() ?? "";
    const products = new Set(order?.lines.map(({ product }) => product));
    return [...products].map((product) => ({ what: `${product} ${hostname}`, named: hostname !== "" }));
  },
  target: noTarget,
  wizard: orderPages,
  input: z.object({
    product: z.string().optional().meta({ title: "Product" }),
    cycle: z.enum(billingCycles).optional().meta({ title: "Billed" }),
    location: z.string().optional().meta({ title: "Location" }),
    hostname: z.string().optional().meta({ title: "Host name" }),
    quantity: z.number().int().min(1).optional().meta({ title: "How many" }),
    image: z.string().optional().meta({ title: "System" }),
    project: z.string().optional().meta({ title: "Project" }),
    discount: z.string().optional().meta({ title: "Discount code" }),
    template: z.string().optional().meta({ title: "Template", description: "The name of a saved template" }),
    order: OrderInput.optional().meta({
      title: "Order",
      description: "Filled in page by page: lines, SSH keys, user data, options",
      writeOnly: true,
    }),
  }),
  positional: "product",
  place: ({ client, input }) => namedProject(client, input.order?.project),
  async review({ client, input }) {
    const order = filledIn(input.order);
    const all = await pricedLines(client, order);
    await refuseWhatIsGone(client, all, order);
    const [balance, open] = await Promise.all([balanceOf(client), openDocumentIds(client)]);
    const [first] = all;
    const currency = (first && currencyOf(first.product)) ?? balance?.currency ?? null;
    const what = listing(all.map(lineName));
    const sum = sumOf(all, order);
    const words = priceWords(all, order);
    const hourly = all.some(({ line }) => line.cycle === "hourly");
    const reviewed: ReviewedOrder = { what, currency, hourly: all.every(({ line }) => line.cycle === "hourly"), open };
    return {
      consequence: consequenceOf(what, words, reviewed.hourly),
      press: `Order ${count(
        order.lines.reduce((total, { quantity }) => total + quantity, 0),
        "item",
      )}`,
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
        ...(sum ? [] : [{ label: "Sum", value: `${words.charAt(0).toUpperCase()}${words.slice(1)}.` }]),
        { label: "Tax", value: "Added by the platform; the document says how much." },
        { label: "Payment", value: collectionOf(hourly, reviewed.hourly) },
      ],
      personal: personalOf(balance, sum?.amount ?? null),
      price: sum ? priceBeforeTax(sum.amount, sum.currency ?? currency) : "unknown",
      before: reviewed,
    };
  },
  async run({ id, client, input }, before) {
    const reviewed = ReviewedOrder.parse(before);
    return orderedAnswer(await createOrder(client, id, bodyOf(filledIn(input.order))), reviewed);
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

function filledIn(order: OrderInput | undefined): OrderInput {
  if (order) return order;
  throw new InputError("The order is not filled in yet. Type /order new and fill in the pages.");
}

async function pricedLines(client: CustomerClient, { lines }: OrderInput): Promise<PricedLine[]> {
  const ids = [...new Set(lines.map(({ product }) => product))];
  const products = new Map(await Promise.all(ids.map(async (id) => [id, await readProduct(client, id)] as const)));
  const own = lines.some(({ customImage }) => customImage) ? await listCustomImages(client) : [];
  return lines.flatMap((line) => {
    const product = products.get(line.product);
    if (!product) return [];
    const system = product.os_images.find(({ id }) => id === line.osImage)?.name ?? line.osImage;
    const custom = own.find(({ id }) => id === line.customImage)?.name ?? line.customImage;
    const image = system ? prose(system, 80) : custom ? `Your image ${code(custom, 80)}` : null;
    return [{ line, product, image }];
  });
}

async function refuseWhatIsGone(client: CustomerClient, all: PricedLine[], { location }: OrderInput): Promise<void> {
  for (const product of new Set(all.map((priced) => priced.product))) {
    const verdict = await readAvailability(client, product.id, location);
    if (!refusesOrders(verdict.code)) continue;
    const place = product.locations.find(({ value }) => value === location);
    throw new Refusal(
      `${code(product.name)}${place ? ` in ${prose(place.name, 80)}` : ""} ${availabilityMeaning[verdict.code]}. Nothing was ordered. ${placesLeft(verdict.locations)}`,
      [{ label: "Order…", command: "order new", input: { product: product.id } }],
    );
  }
}

async function orderPreconditions(
  client: CustomerClient,
  all: PricedLine[],
  order: OrderInput,
): Promise<Preconditions> {
  const { location, hostname, project, discount } = order;
  const place = all.flatMap(({ product }) => product.locations).find(({ value }) => value === location);
  const projects = project ? await listProjects(client) : [];
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

/** The balance after the order is only an estimate: tax is added, and the operator decides about automatic payment. */
function personalOf(balance: { balance: string; currency: string | null } | null, sum: string | null): Fact[] {
  return balanceFact(balance, sum).map(({ label, value }) => ({
    label,
    value: sum === null ? value : `${value}, less the tax, once it is paid`,
  }));
}

function collectionOf(some: boolean, all: boolean): string {
  const byHour =
    "By the hour from your balance, without an invoice. The platform requires a minimum balance, but does not name it.";
  const document =
    "The platform issues an invoice or proforma. If the operator has switched automatic payment on, your balance pays it at once. Otherwise, a button to pay it follows.";
  return all ? byHour : some ? `${document} Hourly items: ${byHour}` : document;
}

function orderedAnswer(made: CreateResult, { what, currency, hourly }: ReviewedOrder): Answer {
  const { document, settled, order } = made;
  const handle = order
    ? { order: order.id, document: document ? { type: document.type, id: document.id } : null, openBefore: null }
    : null;
  const again = made.idempotent ? "The platform had this order already; nothing was ordered twice. " : "";
  const lead = `${again}Ordered ${what}.`;
  const show = order ? [{ label: "The order", command: "order show", target: order.id }] : [];
  if (settled) return { text: `${lead} ${paidWords(document ?? null, currency, hourly)}`, handle, next: show };
  if (!document)
    return {
      text: `${lead} The order is not paid yet, and the platform names no document for it.`,
      handle,
      next: show,
    };
  return {
    text: `${lead} Its ${document.type} of ${money(document.total, currency)} is ${document.status}. The platform builds the server after the payment.`,
    handle,
    next: [{ label: "Pay…", command: "billing pay", target: document.id, style: "primary" }, ...show],
  };
}

function paidWords(document: DocumentState | null, currency: string | null, hourly: boolean): string {
  if (!document)
    return hourly
      ? "The order is charged by the hour, without an invoice, and is being built."
      : "Nothing is owed for the order.";
  const became = document.status === "converted" ? " and became an invoice" : "";
  return `Its ${document.type} of ${money(document.total, currency)} was paid at once from the balance${became}. The platform is building the order.`;
}

/** An order line with its product, read now. */
export interface PricedLine {
  line: OrderLine;
  product: ProductDetail;
  /** The name of the image. */
  image: string | null;
}

/** "2 × `VPS M`, monthly". */
function lineName({ line, product }: PricedLine): string {
  return `${line.quantity} × ${code(product.name, 80)}, ${line.cycle}`;
}

/** The contents of each line and the catalogue's prices. */
function linesPreconditions(all: readonly PricedLine[], order: OrderInput): Preconditions {
  const lines = all.map((priced, at) => linePreconditions(priced, order, all.length > 1 ? at + 1 : null));
  return Object.assign({}, ...lines);
}

/** `number`: of the line among several; its keys and labels end in it. */
function linePreconditions(priced: PricedLine, order: OrderInput, number: number | null): Preconditions {
  const { line, product, image } = priced;
  const currency = currencyOf(product);
  const cycle = cyclesOf(product).find(({ name }) => name === line.cycle);
  const place = product.locations.find(({ value }) => value === order.location);
  const surcharge = place ? surchargeOf(place, currency) : null;
  const keys = line.keys.length + line.pasted.length;
  const rows: [string, string, string | null][] = [
    ["what", number === null ? "Product" : `Line ${number}`, lineName(priced)],
    ["price", "List price", `${cycle?.price ?? "not named by the platform"}${line.quantity > 1 ? " each" : ""}`],
    ["place", "For the location", surcharge],
    ["system", "System", image],
    ...line.options.map(({ id, quantity }): [string, string, string] => [
      `option ${id}`,
      "Option",
      optionLine(product, id, quantity),
    ]),
    ["keys", "SSH keys", keys > 0 ? count(keys, "key") : null],
    ["userData", "User data", line.userData ? userDataNote(line.userData) : null],
  ];
  return Object.fromEntries(
    rows.flatMap(([key, label, text]) => {
      const numbered = number === null || key === "what" ? label : `${label} (${number})`;
      return text ? [[number === null ? key : `${key} ${number}`, textIs(numbered, text)]] : [];
    }),
  );
}

function optionLine(product: ProductDetail, id: string, quantity: number): string {
  const option = product.options?.find((one) => one.id === id);
  const facts = option ? optionFacts(option, product) : "";
  return `${quantity} × ${prose(option?.name ?? id, 80)}${facts ? ` · ${facts}` : ""}`;
}

function userDataNote(text: string): string {
  const size = count(text.length, "character");
  if (text.startsWith("#!")) return `A script of ${size}`;
  if (text.startsWith("#cloud-config")) return `A cloud-config document of ${size}`;
  return `${size}; it begins with neither #! nor #cloud-config, so the platform may refuse it`;
}

/** The list price of a line without location and options: "`VPS M` 0.015 EUR an hour"; null if the platform names no price. */
function listPrice({ line, product }: PricedLine): string | null {
  const price = cyclesOf(product).find(({ name }) => name === line.cycle)?.price;
  return price ? `${line.quantity > 1 ? `${line.quantity} × ` : ""}${code(product.name, 80)} ${price}` : null;
}

/** The sum, or a statement that the platform names none, with the list prices. */
function priceWords(all: PricedLine[], order: OrderInput): string {
  const sum = sumOf(all, order);
  if (sum) return `${money(sum.amount, sum.currency)} before tax`;
  const prices = all.map(listPrice);
  const known = prices.every((price) => price !== null) ? `; list price ${listing(prices)}, before tax` : "";
  const less = order.discount ? `; the discount of ${code(order.discount)} is not named either` : "";
  return `the platform names no sum beforehand${known}${less}`;
}

/** An amount, with its currency if the catalogue names one. */
export interface Sum {
  amount: string;
  currency: string | null;
}

/** The sum of all lines before tax; null if it depends on a figure that the contract does not name. */
export function sumOf(all: PricedLine[], order: OrderInput): Sum | null {
  if (order.discount) return null;
  let sum = 0n;
  for (const { line, product } of all) {
    const { monthly_price: monthly } = product;
    if (line.cycle !== "monthly" || line.options.length > 0 || monthly === null || monthly === undefined) return null;
    // Check the other fields alone: locations name their setup fee in a documented way, and this line has no options.
    const { locations: _, options: __, ...rest } = product;
    if (namesFee(rest)) return null;
    const surcharge = product.locations.find(({ value }) => value === order.location)?.surcharge;
    const each = unitsOf(monthly) + unitsOf(surcharge?.monthly ?? "0") + unitsOf(surcharge?.setup ?? "0");
    sum += each * BigInt(line.quantity);
  }
  const [first] = all;
  return first ? { amount: amountOf(sum), currency: currencyOf(first.product) } : null;
}
