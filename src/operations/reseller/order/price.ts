import type { Preconditions } from "../../../operation/answer.ts";
import { textIs } from "../../../operation/preconditions.ts";
import { amountOf, unitsOf } from "../../../platform/amounts.ts";
import { type BillingCycle, catalogueNameOf, pricesOf } from "../../../platform/reseller/cycles.ts";
import type { Product } from "../../../platform/reseller/products.ts";
import { money } from "../../../views/format.ts";
import { code, listing, prose } from "../../../views/text.ts";
import { optionPrice, optionWords } from "../product/options.ts";
import type { Place } from "../product/schema-fields.ts";
import type { OrderInput } from "./draft.ts";

/** "2 × `VPS M`, monthly". */
export function orderName({ name }: Product, { quantity, cycle }: OrderInput): string {
  return `${quantity} × ${code(name, 80)}, ${cycle}`;
}

/** The catalogue's prices of the ordered things, at wholesale and excl. VAT. */
export function pricePreconditions(product: Product, order: OrderInput, place: Place | null): Preconditions {
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
      text: price ? `${money(price, currency)} ${order.cycle}${each}` : "not sold on this cycle",
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

function placeWords({ prices, partly }: Place, cycle: BillingCycle, currency: string | null): string | null {
  const own = prices[catalogueNameOf[cycle]] ?? prices[cycle];
  const parts = [
    own && Number(own) !== 0 ? `${money(own, currency)} ${cycle}` : null,
    !own && prices.monthly && Number(prices.monthly) !== 0 ? `${money(prices.monthly, currency)} a month` : null,
    prices.setupFee && Number(prices.setupFee) !== 0 ? `${money(prices.setupFee, currency)} once` : null,
    partly ? "a surcharge that cannot be read here" : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? listing(parts) : null;
}

/** The sum of the first cycle and the setup, excl. VAT. Null where a part has no readable price: the sum would be too small. */
export function sumOf(product: Product, order: OrderInput, place: Place | null): string | null {
  const price = priceOn(product, order.cycle);
  const fee = product.pricing.setupFee ?? "0";
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

/** A datacentre's surcharge. Without a figure for this cycle, only a monthly zero is known to mean zero; otherwise null. */
function placePrice({ prices, partly }: Place, cycle: BillingCycle): bigint | null {
  if (partly) return null;
  const own = prices[catalogueNameOf[cycle]] ?? prices[cycle];
  const { monthly } = prices;
  if (own === undefined && (monthly === undefined || Number(monthly) !== 0)) return null;
  return unitsOf(own ?? "0") + unitsOf(prices.setupFee ?? "0");
}
