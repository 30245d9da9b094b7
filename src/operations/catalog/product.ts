import type { TargetKind } from "../../operation/target.ts";
import { listProducts, type Product, type ProductDetail, readProduct } from "../../platform/customer/catalog.ts";
import { money } from "../../views/format.ts";
import { specsOf } from "./specs.ts";

/** A product of the list; `detail` is set once its own page was read. */
export interface CatalogProduct {
  id: string;
  name: string;
  row: Product;
  detail: ProductDetail | null;
}

/** Products of the catalogue. The platform sends the catalogue whole, so this file cuts it into pages. */
export const product: TargetKind<"customer", CatalogProduct> = {
  noun: "product",
  label: "product",
  pageSize: 200,
  async list(client, { page, limit }) {
    const all = await listProducts(client);
    const from = (page - 1) * limit;
    const pagination = { page, limit, total: all.length, pages: Math.ceil(all.length / limit) };
    const rows = all.slice(from, from + limit).map((row) => ({ id: row.id, name: row.name, row, detail: null }));
    return { rows, pagination };
  },
  async read(client, id) {
    const detail = await readProduct(client, id);
    return { id: detail.id, name: detail.name, row: detail, detail };
  },
  entry: ({ row }) => ({
    id: row.id,
    name: row.name,
    aliases: [],
    state: "",
    project: "",
    detail: [specsOf(row.specs), priceLine(row)].filter((part) => part !== null).join(" · "),
  }),
};

/** "10.00 EUR a month · 0.015 EUR an hour", with the prices that the row names. */
export function priceLine(row: Product): string {
  const { monthly_price: monthly, hourly_price: hourly } = row;
  const currency = currencyOf(row);
  const prices = [
    monthly === null || monthly === undefined ? null : `${money(monthly, currency)} a month`,
    hourly === null || hourly === undefined ? null : `${money(hourly, currency)} an hour`,
  ].filter((price) => price !== null);
  return prices.join(" · ") || "price not told";
}

/** The row's own currency; null if it has none: the contract does not promise one. */
export function currencyOf(row: Record<string, unknown>): string | null {
  return typeof row.currency === "string" ? row.currency : null;
}
