import type { TargetKind } from "../../../operation/target.ts";
import { pageFrom } from "../../../platform/http/pages.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import { listProducts, type Product, readProduct } from "../../../platform/reseller/products.ts";
import { money } from "../../../views/format.ts";

/** Lists and names the products of the partner's catalogue. The platform sends the catalogue whole, so this cuts the pages. */
export const wholesaleProduct: TargetKind<"reseller", Product> = {
  noun: "product",
  label: "product that you can sell on",
  foundBy: "name, slug",
  pageSize: 200,
  list: async (client, query) => pageFrom(await listProducts(client), query),
  read: readProduct,
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: row.slug ? [row.slug] : [],
    state: "",
    project: "",
    detail: [priceLine(row), row.category].filter((part) => part).join(" · "),
    columns: { ...priceColumns(row), Category: row.category ?? "" },
  }),
};

const each = {
  monthly: "a month",
  quarterly: "a quarter",
  "semi-annually": "a half-year",
  annually: "a year",
  hourly: "an hour",
} as const;

/** The most usual price comes first: on a phone only the first column beside the name is visible. */
function priceColumns(row: Product): Record<string, string> {
  const [first = "", ...others] = pricesIn(row);
  return { Price: first || notSold, "Or else": others.join(" · ") };
}

const notSold = "not sold on any billing cycle";

/** "10.00 EUR a month · 0.015 EUR an hour", at wholesale and excl. VAT. */
export function priceLine(row: Product): string {
  return pricesIn(row).join(" · ") || notSold;
}

function pricesIn({ pricing, currency }: Product): string[] {
  return pricesOf(pricing).map(({ cycle, price }) => `${money(price, currency ?? null)} ${each[cycle]}`);
}
