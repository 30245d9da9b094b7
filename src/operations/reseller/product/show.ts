import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import { type Product, readProduct } from "../../../platform/reseller/products.ts";
import { context, paragraphs, section } from "../../../views/blocks.ts";
import { money } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { code, prose } from "../../../views/text.ts";
import { optionLines } from "./options.ts";
import { priceLine, wholesaleProduct } from "./product.ts";

export const show = defineOperation({
  command: "reseller product show",
  summary: "Show a product that you can sell on: what it costs you on each cycle, and its add-ons",
  act: readProduct,
  risk: "read",
  target: wholesaleProduct,
  input: z.object({}),
  async run({ target }) {
    return {
      text: `${code(target.name)} costs you ${priceLine(target)}, excl. VAT.`,
      blocks: [
        section(`:package: *${code(target.name)}*${target.category ? ` · ${prose(target.category, 80)}` : ""}`),
        ...(target.description ? [section(prose(target.description, 1_000))] : []),
        ...paragraphs(["*At wholesale, excl. VAT*", ...priceLines(target)]),
        ...(target.options.length > 0 ? paragraphs(["*Add-ons*", ...optionLines(target)]) : []),
        ...(hasSpecs(target) ? paragraphs(["*Specification*", ...renderJson(target.specs)]) : []),
        context(`Only these cycles can be ordered. Product ${code(target.id)}`),
      ],
      next: [
        { label: "Order…", command: "reseller order new", input: { product: target.id }, style: "primary" },
        { label: "What an order asks for", command: "reseller product schema", target: target.id },
      ],
    };
  },
});

function priceLines({ pricing, currency }: Product): string[] {
  const fee = typeof pricing.setupFee === "string" && Number(pricing.setupFee) > 0 ? pricing.setupFee : null;
  const lines = pricesOf(pricing).map(({ cycle, price }) => `• ${cycle}: ${money(price, currency ?? null)}`);
  const once = fee ? [`• once, for each service: ${money(fee, currency ?? null)}`] : [];
  return lines.length > 0 ? [...lines, ...once] : ["It has no price on any cycle, so that it cannot be ordered."];
}

function hasSpecs({ specs }: Product): boolean {
  return typeof specs === "object" && specs !== null && Object.keys(specs).length > 0;
}
