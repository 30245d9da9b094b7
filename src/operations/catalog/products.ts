import * as z from "zod";
import { rowButton } from "../../notifications/answers/buttons.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listProducts, type Product } from "../../platform/customer/catalog.ts";
import { type Block, section } from "../../views/blocks.ts";
import { code, count, prose } from "../../views/text.ts";
import { beyondLast } from "../billing/turns.ts";
import { priceLine } from "./product.ts";
import { specsOf } from "./specs.ts";

const rowsPerPage = 10;

export const products = defineOperation({
  command: "catalog products",
  summary: "List what can be ordered, with list prices",
  act: listProducts,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name" }),
    sort: z.enum(["name", "price"]).optional().meta({ title: "Sorted by" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "text",
  async run({ client, input, may }) {
    const { text, sort, page } = input;
    const found = (await listProducts(client)).filter(
      ({ name }) => !text || name.toLowerCase().includes(text.toLowerCase()),
    );
    if (sort === "name") found.sort((a, b) => a.name.localeCompare(b.name));
    if (sort === "price") found.sort((a, b) => monthlyOf(a) - monthlyOf(b));
    const about = text ? ` for “${prose(text, 80)}”` : "";
    if (found.length === 0) {
      return {
        text: `There are no products${about}.`,
        next: text ? [{ label: "All products", command: "catalog products", replace: true }] : [],
      };
    }
    const pages = Math.ceil(found.length / rowsPerPage);
    if (page > pages) return beyondLast("catalog products", { text, sort }, { page, pages, many: "products" });
    const headline = `*${count(found.length, "product")}*${about}${pages > 1 ? ` · page ${page} of ${pages}` : ""}`;
    const rows = found.slice((page - 1) * rowsPerPage, page * rowsPerPage).map(row);
    const kept = { ...(text ? { text } : {}), ...(sort ? { sort } : {}) };
    const to = (label: string, at: number) => ({
      label,
      command: "catalog products",
      input: { ...kept, page: at },
      replace: true,
    });
    return {
      text: headline,
      blocks: [section(headline), ...rows],
      next: [
        ...(page > 1 ? [to("◀ Back", page - 1)] : []),
        ...(page < pages ? [to("More ▶", page + 1)] : []),
        ...(may("order new") ? [{ label: "Order…", command: "order new" }] : []),
      ],
    };
  },
});

function row(product: Product): Block {
  const open = rowButton("Open", { command: "catalog show", target: product.id }, product.id);
  const specs = specsOf(product.specs);
  return section(`:package: ${code(product.name, 60)}${specs ? ` · ${specs}` : ""}\n${priceLine(product)}`, open);
}

function monthlyOf({ monthly_price: monthly }: Product): number {
  return monthly === null || monthly === undefined ? Number.POSITIVE_INFINITY : Number(monthly);
}
