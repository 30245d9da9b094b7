import type { Fact } from "../../operation/answer.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import type { ProductDetail } from "../../platform/customer/catalog.ts";
import { money } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { cyclesOf } from "../catalog/cycles.ts";
import { surchargeOf } from "../catalog/places.ts";
import { currencyOf } from "../catalog/product.ts";
import { optionFacts } from "../catalog/show.ts";
import type { OrderInput, OrderLine } from "./draft.ts";

/** A line with the page of its product, read now. */
export interface Priced {
  line: OrderLine;
  product: ProductDetail;
  /** What the image is called. */
  image: string | null;
}

/** "2 × `VPS M`, monthly". */
export function lineName({ line, product }: Priced): string {
  return `${line.quantity} × ${code(product.name, 80)}, ${line.cycle}`;
}

/** What a line orders and what the catalogue says of its price; only what the contract names is summed. */
export function lineFacts(priced: Priced, order: OrderInput, label: string): Fact[] {
  const { line, product, image } = priced;
  const currency = currencyOf(product);
  const cycle = cyclesOf(product).find(({ name }) => name === line.cycle);
  const place = product.locations.find(({ value }) => value === order.location);
  const surcharge = place ? surchargeOf(place, currency) : null;
  const keys = line.keys.length + line.pasted.length;
  const facts: [string, string | null][] = [
    [label, lineName(priced)],
    ["List price", `${cycle?.price ?? "not told by the platform"}${line.quantity > 1 ? " each" : ""}`],
    ["For the location", surcharge],
    ["System", image],
    ...line.options.map(({ id, quantity }): [string, string] => ["Option", optionLine(product, id, quantity)]),
    ["SSH keys", keys > 0 ? count(keys, "key") : null],
    ["User data", line.userData ? userDataNote(line.userData) : null],
  ];
  return facts.flatMap(([name, value]) => (value ? [{ label: numbered(name, label), value }] : []));
}

// Facts are compared by their label: with several lines each needs its own.
function numbered(name: string, label: string): string {
  const number = /\d+$/.exec(label)?.[0];
  return number && name !== label ? `${name} (${number})` : name;
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

/** What a line costs at list price, a location and options apart: "`VPS M` 0.015 EUR an hour"; null where the platform names no price. */
function listPrice({ line, product }: Priced): string | null {
  const price = cyclesOf(product).find(({ name }) => name === line.cycle)?.price;
  return price ? `${line.quantity > 1 ? `${line.quantity} × ` : ""}${code(product.name, 80)} ${price}` : null;
}

/** What will be charged, or in plain words that the platform names no sum, with its list prices. */
export function priceWords(all: Priced[], order: OrderInput): string {
  const sum = sumOf(all, order);
  if (sum) return `${money(sum.amount, sum.currency)} before tax`;
  const prices = all.map(listPrice);
  const known = prices.every((price) => price !== null) ? `; list price ${listing(prices)}, before tax` : "";
  const less = order.discount ? `, and what ${code(order.discount)} takes off it is not told either` : "";
  return `the platform names no sum beforehand${known}${less}`;
}

/** An amount, and its currency where the catalogue names one. */
export interface Sum {
  amount: string;
  currency: string | null;
}

/** The sum of all lines before tax, or null where it takes a figure that the contract does not name. */
export function sumOf(all: Priced[], order: OrderInput): Sum | null {
  if (order.discount) return null;
  let sum = 0n;
  for (const { line, product } of all) {
    const { monthly_price: monthly } = product;
    if (line.cycle !== "monthly" || line.options.length > 0 || monthly === null || monthly === undefined) return null;
    const surcharge = product.locations.find(({ value }) => value === order.location)?.surcharge;
    const each = unitsOf(monthly) + unitsOf(surcharge?.monthly ?? "0") + unitsOf(surcharge?.setup ?? "0");
    sum += each * BigInt(line.quantity);
  }
  const [first] = all;
  return first ? { amount: amountOf(sum), currency: currencyOf(first.product) } : null;
}
