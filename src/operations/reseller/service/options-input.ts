import { type Precondition, type Price, priceBeforeTax } from "../../../operation/answer.ts";
import { Refusal, wrongInput } from "../../../operation/errors.ts";
import { textIs } from "../../../operation/preconditions.ts";
import { amountOf, unitsOf } from "../../../platform/amounts.ts";
import { type BillingCycle, cycleIn } from "../../../platform/reseller/cycles.ts";
import type { OptionQuantity, ServiceOptions } from "../../../platform/reseller/options.ts";
import type { Product } from "../../../platform/reseller/products.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { partSecrets } from "../../../process/secret-parts.ts";
import { money } from "../../../views/format.ts";
import { jsonLines } from "../../../views/json.ts";
import { code, prose } from "../../../views/text.ts";
import { withoutIds } from "../../kits/lines.ts";
import { mostOf, overMaximum } from "../../kits/ordering.ts";
import { optionPrice, optionWords } from "../product/options.ts";
import { optionIdOf, optionsById, presentQuantities } from "./options.ts";
import { rowsOrNone, soldProduct } from "./service.ts";

/** A quantity of one add-on. */
export interface OptionCount {
  id: string;
  name: string;
  quantity: number;
}

/** The add-ons that a requested set adds to and removes from the present ones. */
export interface Difference {
  more: OptionCount[];
  less: OptionCount[];
}

/** A line for each: "2 × `Extra IPv4 address`". */
export function countLines(counted: OptionCount[]): string {
  return counted.map(({ name, quantity }) => `${quantity} × ${code(name, 60)}`).join("\n") || "none";
}

/** The word for an empty set. A member must type it, so that leaving the field empty never removes everything. */
const none = "none";

/**
 * The present set in the words of the input: "Daily backup", "2 x Extra IPv4 address". An add-on appears by its id where its name could
 * be misread.
 */
export function presentTexts(found: ServiceOptions): string[] {
  const present = requirePresent(found);
  const names = optionsById(found);
  const titles = [...names.values()].map((title) => title.toLowerCase());
  const texts = (byName: boolean) =>
    [...present].map(([id, quantity]) => {
      const title = names.get(id) ?? id;
      const isAlone = titles.filter((one) => one === title.toLowerCase()).length === 1;
      const isPlain =
        isAlone && title === title.trim() && !/[,\n]|^\d+ ?[x×] |^none$/i.test(title) && title.length < 100;
      return `${quantity === 1 ? "" : `${quantity} x `}${byName && isPlain ? title : id}`;
    });
  const byName = present.size === 0 ? [none] : texts(true);
  return byName.join(", ").length > longestText ? texts(false) : byName;
}

/** The longest text; the ids of all possible add-ons fit into a form field. */
const longestText = 2_500;

/** Parses a typed set: "2 x backups" is two of it. Names and ids must match whole; "none" alone is the empty set. Throws an InputError. */
export function parseOptions(typed: string[], found: ServiceOptions): Required<OptionQuantity>[] {
  if (typed.length === 1 && typed[0]?.toLowerCase() === none) return [];
  const known = [...optionsById(found)];
  return typed.map((text) => {
    const [, amount, rest] = /^(\d{1,3})\s*[x×]\s+(\S.*)$/i.exec(text) ?? [null, "1", text];
    const name = (rest ?? "").toLowerCase();
    const fits = known.filter(([id, title]) => id.toLowerCase() === name || title.toLowerCase() === name);
    const [only] = fits;
    const quantity = Number(amount);
    if (quantity < 1 || quantity > 100) throw wrongInput("options", "choose 1 to 100 of each.", "Add-ons");
    if (only && fits.length === 1) return { optionId: only[0], quantity };
    const names = known
      .map(([, title]) => title)
      .slice(0, 10)
      .join(", ");
    const problem =
      fits.length > 1 ? `several are called “${rest}”: use the id` : `there is no “${rest}” for this service`;
    throw wrongInput("options", `${problem}.${names ? ` There is ${names}.` : ""}`, "Add-ons");
  });
}

/** The additions and removals of a set. Throws a Refusal where the platform does not show the present add-ons: the set could remove some unseen. */
export function differenceOf(found: ServiceOptions, requested: Required<OptionQuantity>[]): Difference {
  const present = requirePresent(found);
  const names = optionsById(found);
  const quantities = new Map<string, number>();
  for (const { optionId, quantity } of requested) quantities.set(optionId, (quantities.get(optionId) ?? 0) + quantity);
  const counted = (id: string, quantity: number) => (quantity > 0 ? [{ id, name: names.get(id) ?? id, quantity }] : []);
  return {
    more: [...quantities].flatMap(([id, quantity]) => counted(id, quantity - (present.get(id) ?? 0))),
    less: [...present].flatMap(([id, quantity]) => counted(id, quantity - (quantities.get(id) ?? 0))),
  };
}

function requirePresent(found: ServiceOptions): Map<string, number> {
  const present = presentQuantities(found.active);
  if (present !== null) return present;
  throw new Refusal(
    "The platform does not show which add-ons the service has, and how many. A new set could remove some unseen. Nothing was charged. Remove single add-ons by name, or ask the platform's support.",
  );
}

/**
 * Refuses more of an add-on than the catalogue lets a service have, before anybody is asked. The maximum is that of the product, or of
 * the row on offer where that names one. Reseller spec sections 2.2 and 4.1.
 */
export function refuseTooMany(
  products: Product[],
  row: Service,
  { available }: ServiceOptions,
  { requested, more }: { requested: Required<OptionQuantity>[]; more: OptionCount[] },
): void {
  const options = products.filter(({ name }) => name === row.productName).flatMap((one) => one.options);
  const rows = rowsOrNone(available);
  for (const { id, name } of more) {
    const offer = options.find((one) => one.id === id) ?? rows.find((one) => optionIdOf(one) === id);
    const asked = requested.reduce((sum, one) => (one.optionId === id ? sum + one.quantity : sum), 0);
    const over = overMaximum(name, asked, typeof offer === "object" && offer !== null ? mostOf(offer) : null);
    if (over) throw wrongInput("options", `${over} Nothing was charged.`, "Add-ons");
  }
}

interface Priced {
  precondition: Precondition;
  /** Excl. VAT, in the supplier's currency. Unknown where a figure is missing: a partial sum would mislead. */
  price: Price | "unknown";
}

/**
 * The price of additional add-ons: the first cycle, on the service's own cycle, with setup fees. It comes from the catalogue, by the
 * service's product. Otherwise the offered rows are shown in the platform's layout. Reseller spec sections 1.1, 2.2 and 4.2.
 */
export function priceOfMore(products: Product[], row: Service, found: ServiceOptions, more: OptionCount[]): Priced {
  const product = soldProduct(row, products);
  const cycle = cycleIn(row.billingCycle);
  const known = more.every(({ id }) => product?.options.some((option) => option.id === id));
  if (!product || !cycle || !known)
    return {
      precondition: textIs("The platform's prices, excl. VAT", offeredRows(found, more)),
      price: "unknown",
    };
  const currency = product.currency ?? null;
  const lines = more.map(({ id, name, quantity }) => {
    const option = product.options.find((one) => one.id === id);
    return `${quantity} × ${prose(name, 80)}: ${option ? optionWords(option, [cycle], currency) : "price unknown"}`;
  });
  const sum = cycle === "hourly" ? null : sumOf(product, more, cycle);
  const together = [`Due now: ${sum === null ? "unknown before the order" : money(sum, currency)}`];
  return {
    precondition: textIs("Price, excl. VAT", [...lines, ...together].join("\n")),
    price: sum === null ? "unknown" : priceBeforeTax(sum, currency),
  };
}

function sumOf({ options }: Product, more: OptionCount[], cycle: BillingCycle): string | null {
  let sum = 0n;
  for (const { id, quantity } of more) {
    const option = options.find((one) => one.id === id);
    const price = option ? optionPrice(option, cycle) : { cycle: null, once: null };
    if (price.cycle === null || price.once === null) return null;
    sum += (unitsOf(price.cycle) + unitsOf(price.once)) * BigInt(quantity);
  }
  return amountOf(sum);
}

/** The offered rows of these add-ons. Prices may be in any field, so none is computed. */
function offeredRows({ available }: ServiceOptions, more: OptionCount[]): string {
  const rows = rowsOrNone(available).filter((row) => more.some(({ id }) => optionIdOf(row) === id));
  const lines = rows.flatMap((row) => jsonLines(withoutIds(partSecrets(row).rest)));
  return lines.length > 0 ? lines.join("\n").slice(0, 1_500) : "no prices yet: the answer will show them";
}
