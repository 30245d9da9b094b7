import type { Preconditions } from "../../operation/answer.ts";
import { textIs } from "../../operation/preconditions.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { type ProductDetail, readProduct } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { money } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { surchargeOf } from "../catalog/places.ts";
import { currencyOf, cyclesOf, namesFee } from "../catalog/product.ts";
import { optionFacts } from "../catalog/show.ts";
import type { OrderInput, OrderLine } from "./draft.ts";

/** An order line with its product, read now. */
export interface PricedLine {
  line: OrderLine;
  product: ProductDetail;
  /** The name of the image. */
  image: string | null;
}

export async function pricedLines(client: CustomerClient, { lines }: OrderInput): Promise<PricedLine[]> {
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

/** "2 × `VPS M`, monthly". */
export function lineName({ line, product }: PricedLine): string {
  return `${line.quantity} × ${code(product.name, 80)}, ${line.cycle}`;
}

/** The contents of each line and the catalogue's prices. */
export function linesPreconditions(all: readonly PricedLine[], order: OrderInput): Preconditions {
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

/** The sum, or a statement that the platform names none, with the list prices. `currency`: the account's. */
export function priceWords(all: PricedLine[], order: OrderInput, currency: string | null): string {
  const sum = sumOf(all, order);
  if (sum) return `${money(sum.amount, sum.currency ?? currency)} before tax`;
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
  const [currency, another] = [...new Set(all.map(({ product }) => currencyOf(product)))];
  return currency === undefined || another !== undefined ? null : { amount: amountOf(sum), currency };
}
