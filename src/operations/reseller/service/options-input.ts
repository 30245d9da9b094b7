import { type Precondition, type Price, priceBeforeTax } from "../../../operation/answer.ts";
import { Refusal, wrongInput } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import { textIs } from "../../../operation/preconditions.ts";
import { amountOf, unitsOf } from "../../../platform/amounts.ts";
import { type BillingCycle, cycleIn } from "../../../platform/reseller/cycles.ts";
import { type OptionQuantity, readOptions, type ServiceOptions } from "../../../platform/reseller/options.ts";
import { listProducts, type Product } from "../../../platform/reseller/products.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { partSecrets } from "../../../process/secret-parts.ts";
import { money } from "../../../views/format.ts";
import { jsonLines } from "../../../views/json.ts";
import { code, prose } from "../../../views/text.ts";
import { wholeLines, withoutIds } from "../../kits/lines.ts";
import { chosenOptions, mostOf, optionChoices, optionValue } from "../../kits/ordering.ts";
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
export function countLines(counted: readonly OptionCount[]): string {
  return counted.map(({ name, quantity }) => `${quantity} × ${code(name, 60)}`).join("\n") || "none";
}

/** The choice of an empty set. It must be chosen, so that leaving the field empty never removes everything. */
const none = { value: "none", label: "None: remove all add-ons" };

/** The add-ons of a service and those on offer. The catalogue names the price and the highest quantity; a service may have more already. */
export function offeredOptions(products: Product[], row: Service, found: ServiceOptions) {
  const sold = soldProduct(row, products);
  const cycle = cycleIn(row.billingCycle);
  const rows = rowsOrNone(found.available);
  const present = presentQuantities(found.active);
  return [...optionsById(found)].map(([id, name]) => {
    const priced = sold?.options.find((one) => one.id === id);
    const offer = priced ?? rows.find((one) => optionIdOf(one) === id);
    const most = typeof offer === "object" && offer !== null ? mostOf(offer) : null;
    return {
      id,
      name,
      ...(most === null ? {} : { maxQuantity: Math.max(most, present?.get(id) ?? 0) }),
      facts: priced && cycle ? optionWords(priced, [cycle], sold?.currency ?? null) : "",
    };
  });
}

/**
 * The choices of a set: each add-on in its quantities. Throws a Refusal where the platform does not show the add-ons on offer: those that
 * cannot be read would seem not to exist.
 */
export const setChoices: Chooser<"reseller", Service> = async ({ client, target }) => {
  const [products, found] = await Promise.all([listProducts(client), readOptions(client, target.serviceId)]);
  if (!Array.isArray(found.available) || found.available.some((row) => optionIdOf(row) === null))
    throw new Refusal(
      "The platform does not show which add-ons the service can have. Nothing was charged. Remove single add-ons by name, or ask the platform's support.",
    );
  return [none, ...optionChoices(offeredOptions(products, target, found), ({ facts }) => facts)];
};

/** The present set as it is chosen. */
export function presentChoices(found: ServiceOptions): string[] {
  const chosen = [...requirePresent(found)].map(([id, quantity]) => optionValue(quantity, id));
  return chosen.length > 0 ? chosen : [none.value];
}

/** The quantities of a chosen set. Throws an InputError for more of one than `offered` lets a service have. */
export function chosenSet(chosen: string[], offered: Parameters<typeof chosenOptions>[1]): Required<OptionQuantity>[] {
  if (!chosen.includes(none.value))
    return chosenOptions(chosen, offered).map(({ id, quantity }) => ({ optionId: id, quantity }));
  if (chosen.length === 1) return [];
  throw wrongInput("options", "none stands alone: leave it out, or the add-ons.", "Add-ons");
}

/** The additions and removals of a set. Throws a Refusal where the platform does not show the present add-ons: the set could remove some unseen. */
export function differenceOf(found: ServiceOptions, requested: Required<OptionQuantity>[]): Difference {
  const present = requirePresent(found);
  const names = optionsById(found);
  const quantities = new Map(requested.map(({ optionId, quantity }) => [optionId, quantity]));
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

const dueUnknown = "Due now: unknown before the order";

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
      precondition: {
        ...textIs("The platform's prices, excl. VAT", offeredRows(found, more, products[0]?.currency ?? null)),
        decides: "unknown",
      },
      price: "unknown",
    };
  const currency = product.currency ?? null;
  const lines = more.map(({ id, name, quantity }) => {
    const option = product.options.find((one) => one.id === id);
    return `${quantity} × ${prose(name, 80)}: ${option ? optionWords(option, [cycle], currency) : "price unknown"}`;
  });
  const sum = cycle === "hourly" ? null : sumOf(product, more, cycle);
  const together = [sum === null ? dueUnknown : `Due now: ${money(sum, currency)}`];
  return {
    precondition: {
      ...textIs("Price, excl. VAT", [...lines, ...together].join("\n")),
      decides: sum === null ? "unknown" : "known",
    },
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

/** The offered rows of these add-ons. Prices may be in any field, so none is computed, and the sum is said to be unknown. */
function offeredRows({ available }: ServiceOptions, more: OptionCount[], currency: string | null): string {
  const rows = rowsOrNone(available).filter((row) => more.some(({ id }) => optionIdOf(row) === id));
  const lines = rows.flatMap((row) => jsonLines(withoutIds(partSecrets(row).rest), currency));
  const shown = lines.length > 0 ? wholeLines(lines, 1_500, "\n") : "no prices yet: the answer will show them";
  return `${shown}\n${dueUnknown}`;
}
