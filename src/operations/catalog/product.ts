import * as z from "#zod";
import type { TargetKind } from "../../operation/target.ts";
import { Amount, amountOf, unitsOf } from "../../platform/amounts.ts";
import { listProducts, type Product, type ProductDetail, readProduct } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { AvailableOption } from "../../platform/customer/options.ts";
import { type BillingCycle, billingCycles } from "../../platform/customer/orders.ts";
import { inOnePage } from "../../platform/http/pages.ts";
import { money, perCycle } from "../../views/format.ts";
import { dotted } from "../../views/text.ts";
import { isObject } from "../../views/values.ts";
import { restLine } from "../kits/lines.ts";
import { rowLine } from "../kits/row-words.ts";
import { specsOf } from "../kits/specs.ts";

/** A product of the list; `detail` is set once its own page was read. */
export interface CatalogProduct {
  id: string;
  name: string;
  row: Product;
  detail: ProductDetail | null;
}

/** Products of the catalogue, which the platform sends whole. */
export const product: TargetKind<"customer", CatalogProduct> = {
  noun: "product",
  label: "product",
  ...inOnePage(async (client: CustomerClient) =>
    (await listProducts(client)).map((row) => ({ id: row.id, name: row.name, row, detail: null })),
  ),
  async read(client, id) {
    const detail = await readProduct(client, id);
    return { id: detail.id, name: detail.name, row: detail, detail };
  },
  entry: ({ row }) => ({
    id: row.id,
    name: row.name,
    aliases: [],
    state: "",
    detail: dotted([specsOf(row.specs), priceLine(row)]),
  }),
  identity: {
    project: "The catalogue is of the whole account.",
    address: "A product has no address.",
    hostname: "A product has no host name.",
    location: "A product is sold in several places.",
    apart: "Nothing is done to a product.",
  },
};

/** "10.00 EUR a month · 0.015 EUR an hour · setup fee 25.00 EUR", with the prices that the row names. */
export function priceLine(row: Product): string {
  const { monthly_price: monthly, hourly_price: hourly } = row;
  const currency = rowCurrency(row);
  const prices = dotted([
    monthly === null || monthly === undefined ? null : `${money(monthly, currency)} a month`,
    hourly === null || hourly === undefined ? null : `${money(hourly, currency)} an hour`,
  ]);
  return dotted([prices || "price unknown", ...feesIn(ownFields(row), currency)]);
}

/** The row's own currency; null if it has none: the contract does not promise one. */
export function rowCurrency(row: Record<string, unknown>): string | null {
  return typeof row.currency === "string" ? row.currency : null;
}

const onceWords = /setup|install|activation|one_?time|once|(^|_)fees?(_|$)|Fee/;

/**
 * The fees that a row of the catalogue names beside its price, as mrkdwn: "setup fee 25.00 EUR". The spec shows neither their names nor how
 * they are charged, so a sum without them could be too small: callers then name no sum.
 */
function feesIn(row: unknown, currency: string | null): string[] {
  if (typeof row !== "object" || row === null) return [];
  return Object.entries(row).flatMap(([name, value]) => {
    if (!onceWords.test(name)) return feesIn(value, currency);
    return isFee(value) ? [rowLine({ [name]: value }, currency)] : [];
  });
}

/** A fee that cannot be read counts as a fee. Words without a figure are none, such as how something is installed. */
function isFee(value: unknown): boolean {
  if (typeof value === "string" && !/\d/.test(value)) return false;
  if (value === null || value === undefined || typeof value === "boolean") return false;
  return typeof value === "object" || Number(value) !== 0;
}

/** Without the cycles, options and locations of a product, each of which names its own prices. */
function ownFields(row: Product): object {
  const { billing_cycles: _, options: __, locations: ___, ...own } = row;
  return own;
}

/** The fees of a product on a cycle, as mrkdwn. Its options and its locations name their own, and so may each other cycle. */
export function feesOf(product: ProductDetail, cycle: BillingCycle): string[] {
  const sold = [ownFields(product), withoutOthers(product.billing_cycles, cycle)];
  return [...new Set(feesIn(sold, rowCurrency(product)))];
}

/** The layout of the cycles without the entries that are surely of others. */
function withoutOthers(value: unknown, cycle: BillingCycle): unknown {
  if (typeof value !== "object" || value === null) return value;
  const others = billingCycles.filter((name) => name !== cycle);
  const isOther = (key: string, inner: unknown) =>
    others.some((name) => key === name || (mentions(inner, name) && !mentions(inner, cycle)));
  const own = Object.entries(value).filter(([key, inner]) => !isOther(key, inner));
  return Object.fromEntries(own.map(([key, inner]) => [key, withoutOthers(inner, cycle)]));
}

/** A billing cycle of a product. `price` is the platform's price as mrkdwn; null if it names none. `fees`: those beside it. */
export interface Cycle {
  name: BillingCycle;
  price: string | null;
  fees: string[];
}

/**
 * The cycles that a product is sold in. The spec does not show their layout, so each is searched by name in the whole row. If
 * none is named all are offered, and the platform refuses those it does not sell.
 */
export function cyclesOf(product: ProductDetail): Cycle[] {
  const entry = billingCycles.filter((name) => mentions(product.billing_cycles, name));
  return (entry.length > 0 ? entry : billingCycles).map((name) => ({
    name,
    price: priceOf(product, name),
    fees: feesOf(product, name),
  }));
}

function priceOf(product: ProductDetail, name: BillingCycle): string | null {
  const currency = rowCurrency(product);
  const amount = ownPriceOf(product, name);
  if (amount !== null) return perCycle(money(amount, currency), name);
  const entry = withoutFees(priceEntryOf(product.billing_cycles, name));
  if (entry === undefined) return null;
  const line = amountIn(entry) === null ? rowLine(entry, currency) : money(amountIn(entry) ?? "", currency);
  if (line === "") return null;
  return typeof entry !== "object" || (entry !== null && "price" in entry) ? perCycle(line, name) : line;
}

/** The rest of an entry; undefined if it has nothing but fees. */
function withoutFees(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const rest = Object.entries(entry).filter(([name]) => !onceWords.test(name));
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

/**
 * The price of a whole cycle; null if the platform names none, or two that differ. The spec names two of them, and shows the layout of none
 * of the others: a figure counts if it stands by itself, or as the price or amount of its entry.
 */
export function cyclePriceOf(product: ProductDetail, name: BillingCycle): string | null {
  const own = ownPriceOf(product, name);
  const listed = amountIn(priceEntryOf(product.billing_cycles, name));
  if (own !== null && listed !== null && unitsOf(own) !== unitsOf(listed)) return null;
  return own ?? listed;
}

function ownPriceOf(
  { monthly_price: monthly, hourly_price: hourly }: ProductDetail,
  name: BillingCycle,
): string | null {
  if (name === "monthly") return monthly ?? null;
  return name === "hourly" ? (hourly ?? null) : null;
}

const Figure = z.union([Amount, z.looseObject({ price: Amount }), z.looseObject({ amount: Amount })]);

function amountIn(entry: unknown): string | null {
  const figure = Figure.safeParse(entry).data;
  if (figure === undefined || typeof figure === "string") return figure ?? null;
  return "price" in figure ? (Amount.safeParse(figure.price).data ?? null) : figure.amount;
}

/** The price data next to a cycle's name: the rest of its entry, or the value under it. */
function priceEntryOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value);
    const own = entries.find(([key]) => key === name);
    if (own) return own[1];
    const rest = entries.filter(([, inner]) => inner !== name);
    if (rest.length < entries.length) return rest.length > 0 ? Object.fromEntries(rest) : undefined;
  }
  for (const inner of Object.values(value)) {
    const found = priceEntryOf(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mentions(value: unknown, name: string): boolean {
  if (value === name) return true;
  if (typeof value !== "object" || value === null) return false;
  return (!Array.isArray(value) && name in value) || Object.values(value).some((inner) => mentions(inner, name));
}

/**
 * The platform's fields of an add-on beside its name, prices among them, as received: the spec does not show their names. If none of them
 * has a price, it says so; null without any field.
 */
export function priceLines({ held: _, ...row }: AvailableOption, currency: string | null = null): string | null {
  const lines = restLine(row, currency);
  if (lines === "") return null;
  return namesPrice(row) ? lines : `price unknown · ${lines}`;
}

/** True if a field whose name is about money has a figure in it, at any depth. */
function namesPrice(row: object): boolean {
  return Object.entries(row).some(([key, value]) => {
    const isMoney = /pric|amount|fee|cost|charge/i.test(key);
    if (typeof value === "object" && value !== null) return isMoney ? hasFigure(value) : namesPrice(value);
    return isMoney && figureIn(value) !== null;
  });
}

function hasFigure(value: object): boolean {
  return Object.values(value).some((inner) =>
    typeof inner === "object" && inner !== null ? hasFigure(inner) : figureIn(inner) !== null,
  );
}

/** Such fields where the price that is asked for cannot be read off them. */
export function unreadPrice(lines: string | null): string {
  return lines === null ? "unknown: the platform names none" : `unknown. The platform shows: ${lines}`;
}

const decimal = /^\d+(\.\d{1,4})?$/;

/**
 * The price of an add-on for a cycle, as a decimal string, if the row names that cycle. Null if it does not, or names a fee as
 * well: the spec does not show the names of prices (section 4.5), and the app must not guess.
 */
export function optionPrice(option: AvailableOption, cycle: string, quantity: number): string | null {
  if (feesIn(option, null).length > 0) return null;
  const fields = new Map<string, unknown>(Object.entries(option));
  const price = ownPrice(fields, cycle) ?? priceByCycle(fields, cycle);
  return price === null ? null : amountOf(unitsOf(price) * BigInt(quantity));
}

/** Reads `{ price, billing_cycle }`. */
function ownPrice(fields: Map<string, unknown>, cycle: string): string | null {
  const its = fields.get("billing_cycle") ?? fields.get("billingCycle") ?? fields.get("cycle");
  return its === cycle ? figureIn(fields.get("price") ?? fields.get("amount")) : null;
}

/** Reads `{ prices: { monthly } }` or `monthly_price`. */
function priceByCycle(fields: Map<string, unknown>, cycle: string): string | null {
  const prices = fields.get("prices") ?? fields.get("pricing");
  if (typeof prices === "object" && prices !== null) {
    const named = figureIn(new Map<string, unknown>(Object.entries(prices)).get(cycle));
    if (named !== null) return named;
  }
  return figureIn(fields.get(`${cycle.replaceAll("-", "_")}_price`));
}

function figureIn(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value.toFixed(4);
  return typeof value === "string" && decimal.test(value) ? value : null;
}
