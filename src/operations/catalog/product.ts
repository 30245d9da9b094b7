import type { TargetKind } from "../../operation/target.ts";
import { listProducts, type Product, type ProductDetail, readProduct } from "../../platform/customer/catalog.ts";
import { money } from "../../views/format.ts";
import { specsOf } from "./specs.ts";

/** A product as the list tells it, and with its own page once that was read. */
export interface Sold {
  id: string;
  name: string;
  row: Product;
  detail: ProductDetail | null;
}

/** How a product is found and named. The platform sends the catalogue whole; the pages are cut here. */
export const product: TargetKind<"customer", Sold> = {
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

/** "10.00 EUR a month · 0.015 EUR an hour", as far as it is told. */
export function priceLine(row: Product): string {
  const { monthly_price: monthly, hourly_price: hourly } = row;
  const currency = currencyOf(row);
  const prices = [
    monthly === null || monthly === undefined ? null : `${money(monthly, currency)} a month`,
    hourly === null || hourly === undefined ? null : `${money(hourly, currency)} an hour`,
  ].filter((price) => price !== null);
  return prices.join(" · ") || "price not told";
}

/** The currency that a row names itself; the contract does not promise one. */
export function currencyOf(row: Record<string, unknown>): string | null {
  return typeof row.currency === "string" ? row.currency : null;
}
