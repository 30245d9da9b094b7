import type { Fact, Preconditions } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { InputError } from "../../operation/errors.ts";
import { textIs } from "../../operation/preconditions.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import type { ProductDetail } from "../../platform/customer/catalog.ts";
import { type CustomImage, listCustomImages } from "../../platform/customer/images.ts";
import { listSshKeys, type SshKey } from "../../platform/customer/ssh-keys.ts";
import { monthsIn } from "../../platform/cycles.ts";
import { money } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { surchargeOf } from "../catalog/places.ts";
import { cyclePriceOf, cyclesOf, feesOf, optionPrice, rowCurrency } from "../catalog/product.ts";
import { optionFacts } from "../catalog/show.ts";
import { type NewOrder, type OrderInput, type OrderLine, orderSources, readNewOrder } from "./input.ts";

/** An order line with its product, read now. */
export interface PricedLine {
  line: OrderLine;
  product: ProductDetail;
  /** The name of the image. */
  image: string | null;
}

/** Throws an InputError if the project of the order does not have an own image or an SSH key of a line. */
export async function readPricedOrder(
  call: CallContext<"customer">,
  input: OrderInput,
): Promise<{ order: NewOrder; all: PricedLine[] }> {
  const { order, products } = await readNewOrder(call, input);
  const { lines, project } = order;
  const sources = await orderSources(call, project);
  const own = lines.some(({ customImage }) => customImage) ? await listCustomImages(sources.client) : [];
  const keys = lines.some((line) => line.keys.length > 0) ? await listSshKeys(sources.client) : [];
  refuseElsewhere(lines, { own, keys, where: sources.name === null ? "your project" : code(sources.name, 60) });
  const all = lines.flatMap((line) => {
    const product = products.get(line.product);
    if (!product) return [];
    const system = product.os_images.find(({ id }) => id === line.osImage)?.name ?? line.osImage;
    const custom = own.find(({ id }) => id === line.customImage)?.name ?? line.customImage;
    const image = system ? prose(system, 80) : custom ? `Your image ${code(custom, 80)}` : null;
    return [{ line, product, image }];
  });
  return { order, all };
}

/** The platform may refuse an order with an image or a key of another project, or one that is deleted, only after the confirmation. */
function refuseElsewhere(
  lines: readonly OrderLine[],
  { own, keys, where }: { own: readonly CustomImage[]; keys: readonly SshKey[]; where: string },
): void {
  const images = new Set(own.map(({ id }) => id));
  const stored = new Set(keys.map(({ id }) => id));
  const faults = lines.flatMap((line, at) => [
    ...(line.customImage && !images.has(line.customImage)
      ? [
          {
            field: `items.${at}.image`,
            message: `${where} does not have this image. Choose another one, or another project.`,
          },
        ]
      : []),
    ...(line.keys.every((id) => stored.has(id))
      ? []
      : [
          {
            field: `items.${at}.ssh_key_ids`,
            message: `${where} does not have each of these SSH keys. Choose others, or another project.`,
          },
        ]),
  ]);
  if (faults.length > 0) throw new InputError(faults);
}

/** "2 × `VPS M`, monthly". */
export function lineName({ line, product }: PricedLine): string {
  return `${line.quantity} × ${code(product.name, 80)}, ${line.cycle}`;
}

/** The contents of each line and the catalogue's prices. */
export function linesPreconditions(all: readonly PricedLine[], order: NewOrder): Preconditions {
  const lines = all.map((priced, at) => linePreconditions(priced, order, all.length > 1 ? at + 1 : null));
  return Object.assign({}, ...lines);
}

/** `number`: of the line among several; its keys and labels end in it. */
function linePreconditions(priced: PricedLine, order: NewOrder, number: number | null): Preconditions {
  const { line, product, image } = priced;
  const currency = rowCurrency(product);
  const cycle = cyclesOf(product).find(({ name }) => name === line.cycle);
  const place = product.locations.find(({ value }) => value === order.location);
  const surcharge = place ? surchargeOf(place, currency) : null;
  const keys = line.keys.length + line.pasted.length;
  const price = `${cycle?.price ?? "not named by the platform"}${line.quantity > 1 ? " each" : ""}`;
  const rows: [string, string, string | null, Fact["decides"]?][] = [
    ["what", number === null ? "Product" : `Line ${number}`, lineName(priced)],
    ["price", "List price", price, cycle?.price ? "known" : "unknown"],
    ["fee", "Beside the price", listing(feesOf(product, line.cycle)), "known"],
    ["place", "For the location", surcharge, "known"],
    ["system", "System", image],
    ...line.options.map(({ id, quantity }): [string, string, string, Fact["decides"]] => [
      `option ${id}`,
      "Option",
      optionLine(product, id, quantity),
      "known",
    ]),
    ["keys", "SSH keys", keys > 0 ? count(keys, "key") : null],
    ["userData", "User data", line.userData ? userDataNote(line.userData) : null],
  ];
  return Object.fromEntries(
    rows.flatMap(([key, label, text, decides]) => {
      const numbered = number === null || key === "what" ? label : `${label} (${number})`;
      return text ? [[number === null ? key : `${key} ${number}`, { ...textIs(numbered, text), decides }]] : [];
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
  if (!price) return null;
  const fees = feesOf(product, line.cycle);
  const beside = fees.length > 0 ? ` (beside it: ${listing(fees)})` : "";
  return `${line.quantity > 1 ? `${line.quantity} × ` : ""}${code(product.name, 80)} ${price}${beside}`;
}

/** The sum, or a statement that the platform names none, with the list prices. `currency`: the account's. */
export function priceWords(all: PricedLine[], order: NewOrder, currency: string | null): string {
  const sum = sumOf(all, order);
  if (sum) return `${money(sum.amount, sum.currency ?? currency)} before tax`;
  const rate = hourlyRate(all, order);
  if (rate) return `${rate}, before tax`;
  const prices = all.map(listPrice);
  const known = prices.every((price) => price !== null) ? `. List price: ${listing(prices)}, before tax` : "";
  const less = order.discount ? `. The discount of ${code(order.discount)} is not named either` : "";
  return `the platform names no sum beforehand${known}${less}`;
}

/** An amount, with its currency if the catalogue names one. */
export interface Sum {
  amount: string;
  currency: string | null;
}

/** The rate of an order of one product by the hour: "2 × 0.015 EUR an hour". Null if a location, an option or a discount changes it. */
export function hourlyRate(all: PricedLine[], order: NewOrder): string | null {
  const [only, another] = all;
  if (!only || another || order.discount || only.line.cycle !== "hourly" || only.line.options.length > 0) return null;
  if (feesOf(only.product, only.line.cycle).length > 0) return null;
  const added = placePrice(only, order);
  return added === null || added.monthly !== 0n || added.setup !== 0n ? null : rateOf(only);
}

function rateOf({ line, product }: PricedLine): string | null {
  const price = cyclesOf(product).find(({ name }) => name === line.cycle)?.price;
  return price ? `${line.quantity > 1 ? `${line.quantity} × ` : ""}${price}` : null;
}

/** The sum of all lines before tax; null if it depends on a figure that the platform does not name, as what an hour does. Spec section 2.7. */
export function sumOf(all: PricedLine[], order: NewOrder): Sum | null {
  if (order.discount) return null;
  let sum = 0n;
  for (const priced of all) {
    const { line, product } = priced;
    const price = cyclePriceOf(product, line.cycle);
    const count = monthsIn(line.cycle);
    const added = placePrice(priced, order);
    const options = optionsPrice(priced);
    if (price === null || count === null || added === null || options === null) return null;
    if (feesOf(product, line.cycle).length > 0) return null;
    sum += (unitsOf(price) + added.monthly * count + added.setup + options) * BigInt(line.quantity);
  }
  const [currency, another] = [...new Set(all.map(({ product }) => rowCurrency(product)))];
  return currency === undefined || another !== undefined ? null : { amount: amountOf(sum), currency };
}

/** The surcharge of the order's location for one piece; null if the product does not list that location. */
function placePrice({ product }: PricedLine, { location }: NewOrder): { monthly: bigint; setup: bigint } | null {
  if (!location) return { monthly: 0n, setup: 0n };
  const place = product.locations.find(({ value }) => value === location);
  if (!place) return null;
  const { surcharge } = place;
  return { monthly: unitsOf(surcharge?.monthly ?? "0"), setup: unitsOf(surcharge?.setup ?? "0") };
}

/**
 * The options of one piece for a cycle; null if a price is not named. With several pieces the spec leaves open whether a quantity of options
 * is that of each or of all, and the sum could be too small.
 */
function optionsPrice({ line, product }: PricedLine): bigint | null {
  if (line.options.length > 0 && line.quantity > 1) return null;
  let sum = 0n;
  for (const { id, quantity } of line.options) {
    const option = product.options?.find((one) => one.id === id);
    const price = option ? optionPrice(option, line.cycle, quantity) : null;
    if (price === null) return null;
    sum += unitsOf(price);
  }
  return sum;
}
