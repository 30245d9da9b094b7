import type { Precondition, Price } from "../../../operation/answer.ts";
import { priceBeforeTax } from "../../../operation/answer.ts";
import { textIs } from "../../../operation/preconditions.ts";
import { amountOf, unitsOf } from "../../../platform/amounts.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type BillingCycle, cycleIn } from "../../../platform/reseller/cycles.ts";
import type { ServiceOptions } from "../../../platform/reseller/options.ts";
import { listProducts, type Product } from "../../../platform/reseller/products.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { money } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { prose } from "../../../views/text.ts";
import { optionPrice, optionWords } from "../product/options.ts";
import type { OptionCount } from "./options-input.ts";
import { withoutIds } from "./without-ids.ts";

interface Priced {
  precondition: Precondition;
  /** Excl. VAT, in the supplier's currency. Unknown where a figure is missing: a partial sum would mislead. */
  price: Price | "unknown";
}

/**
 * The price of additional add-ons: the first cycle, on the service's own cycle, with setup fees. It comes from the catalogue, by the
 * service's product. Otherwise the offered rows are shown in the platform's layout. Reseller spec sections 1.1, 2.2 and 4.2.
 */
export async function priceOfMore(
  client: ResellerClient,
  row: Service,
  found: ServiceOptions,
  more: OptionCount[],
): Promise<Priced> {
  // A service's row has only the product's name. If two products share it, neither price is certain.
  const [product, ...others] = (await listProducts(client)).filter(({ name }) => name === row.productName);
  const cycle = cycleIn(row.billingCycle);
  const known = more.every(({ id }) => product?.options.some((option) => option.id === id));
  if (!product || others.length > 0 || !cycle || !known)
    return {
      precondition: textIs("What the supplier tells of prices, excl. VAT", offeredRows(found, more)),
      price: "unknown",
    };
  const currency = product.currency ?? null;
  const lines = more.map(({ id, name, quantity }) => {
    const option = product.options.find((one) => one.id === id);
    return `${quantity} × ${prose(name, 80)}: ${option ? optionWords(option, [cycle], currency) : "price not told"}`;
  });
  const sum = cycle === "hourly" ? null : sumOf(product, more, cycle);
  const together = [`Now: ${sum === null ? "not known beforehand" : money(sum, currency)}`];
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
  const rows = (Array.isArray(available) ? available : []).filter((row: unknown) =>
    more.some(({ id }) => JSON.stringify(row)?.includes(JSON.stringify(id))),
  );
  const lines = rows.flatMap((row: unknown) => renderJson(withoutIds(partSecrets(row).rest)));
  return lines.length > 0 ? lines.join("\n").slice(0, 1_500) : "nothing: the answer will";
}
