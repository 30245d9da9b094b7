import * as z from "#zod";
import { listFields } from "../../../messages/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { TargetKind } from "../../../operation/target.ts";
import { inOnePage } from "../../../platform/http/pages.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import {
  listProducts,
  type Product,
  type ProductSchema,
  readProduct,
  readProductSchema,
} from "../../../platform/reseller/products.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { money, perCycle } from "../../../views/format.ts";
import { jsonLines } from "../../../views/json.ts";
import { code, dotted, listing, prose } from "../../../views/text.ts";
import { card } from "../../kits/card.ts";
import { listOperation } from "../../kits/list.ts";
import { specsOf } from "../../kits/specs.ts";
import { optionLines } from "./options.ts";
import { formFieldsOf, type ProductPlace, placesOf } from "./schema-fields.ts";

/** Lists and names the products of the partner's catalogue. The platform sends the catalogue whole, so this cuts the pages. */
const wholesaleProduct: TargetKind<"reseller", Product> = {
  noun: "product",
  label: "product to resell",
  plural: "products to resell",
  foundBy: "name, slug",
  ...inOnePage(listProducts),
  read: readProduct,
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: row.slug ? [row.slug] : [],
    state: "",
    detail: dotted([priceLine(row), row.category]),
    columns: { ...priceColumns(row), Category: row.category ?? "" },
  }),
  identity: {
    project: "The reseller API knows no projects.",
    address: "A product has no address.",
    hostname: "A product has no host name.",
    location: "A product is sold in several places.",
    apart: "Nothing is done to a product.",
  },
};

/** The most usual price comes first: on a phone only the first column beside the name is visible. */
function priceColumns(row: Product): Record<string, string> {
  const [first = "", ...others] = pricesIn(row);
  return { Price: first || notSold, "Other cycles": others.join(" · ") };
}

const notSold = "not sold on any billing cycle";

/** "10.00 EUR a month · 0.015 EUR an hour", at wholesale and excl. VAT. */
function priceLine(row: Product): string {
  return pricesIn(row).join(" · ") || notSold;
}

function pricesIn({ pricing, currency }: Product): string[] {
  return pricesOf(pricing).map(({ cycle, price }) => perCycle(money(price, currency ?? null), cycle));
}

const list = listOperation({
  kind: wholesaleProduct,
  command: "reseller product list",
  phrase: "List products to resell",
  synonyms: ["ls", "prices"],
  summary: "List products to resell, at what they cost you",
  example: "/reseller product list VPS",
  act: listProducts,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name" }),
    page: listFields.page,
  }),
  many: "products at wholesale, excl. VAT",
  mark: () => ":package:",
});

const show = defineOperation({
  command: "reseller product show",
  summary: "Show a product to resell: its cost to you on each cycle, and its add-ons",
  example: '/reseller product show "VPS M"',
  act: readProduct,
  risk: "read",
  target: wholesaleProduct,
  input: z.object({}),
  async run({ target }) {
    const specs = specsOf(target.specs);
    return card({
      text: `${code(target.name)} costs you ${priceLine(target)}, excl. VAT.`,
      title: `:package: *${code(target.name)}*${target.category ? ` · ${prose(target.category, 80)}` : ""}`,
      lines: [`Costs you ${priceLine(target)}, excl. VAT.`, specs],
      facts: [],
      details: [
        ...(target.description ? [section(prose(target.description, 1_000))] : []),
        ...paragraphs(["*At wholesale, excl. VAT*", ...priceLines(target)]),
        ...(target.options.length > 0 ? paragraphs(["*Add-ons*", ...optionLines(target)]) : []),
      ],
      id: `You can order only these cycles. Product ${code(target.id)}`,
      next: [
        { label: "Order…", command: "reseller order new", input: { product: target.id }, style: "primary" },
        { label: "Order fields", command: "reseller product schema", target: target.id },
      ],
    });
  },
});

function priceLines({ pricing, currency }: Product): string[] {
  const fee = typeof pricing.setupFee === "string" && Number(pricing.setupFee) > 0 ? pricing.setupFee : null;
  const lines = pricesOf(pricing).map(({ cycle, price }) => `• ${cycle}: ${money(price, currency ?? null)}`);
  const once = fee ? [`• once, for each service: ${money(fee, currency ?? null)}`] : [];
  return lines.length > 0 ? [...lines, ...once] : ["This product has no price on any cycle. You cannot order it."];
}

const schema = defineOperation({
  command: "reseller product schema",
  summary: "Show the order form of a product: fields, systems, datacentres",
  example: '/reseller product schema "VPS M"',
  act: readProductSchema,
  reads: [readProduct],
  risk: "read",
  target: wholesaleProduct,
  input: z.object({}),
  async run({ client, target }) {
    const productSchema = await readProductSchema(client, target.id);
    const cycles = pricesOf(target.pricing).map(({ cycle }) => cycle);
    const lines = [
      `• Needed: ${listing(productSchema.requiredFields.map((field) => code(field))) || "nothing"}`,
      `• Billing cycles: ${listing(cycles) || "none"}`,
      ...(productSchema.hostnamePattern
        ? [`• A host name must match ${code(productSchema.hostnamePattern, 300)}`]
        : []),
      ...(productSchema.billingEnabled === false ? ["• The platform has switched off billing of this product."] : []),
    ];
    return {
      text: `An order of ${code(target.name)} needs ${listing(productSchema.requiredFields.map((field) => code(field))) || "nothing more"}.`,
      blocks: [
        section(`:package: *An order of ${code(target.name)}*`),
        ...paragraphs(lines),
        ...systems(productSchema),
        ...places(productSchema, target.currency ?? null),
        ...form(productSchema),
      ],
      next: [{ label: "Order…", command: "reseller order new", input: { product: target.id }, style: "primary" }],
    };
  },
});

function systems({ osImages }: ProductSchema) {
  const all = osImages ?? [];
  return all.length > 0 ? paragraphs(["*Systems*", ...all.map(({ name }) => `• ${prose(name, 100)}`)]) : [];
}

function places(productSchema: ProductSchema, currency: string | null) {
  const all = placesOf(productSchema);
  if (all.length > 0) return paragraphs(["*Datacentres*", ...all.map((place) => `• ${placeLine(place, currency)}`)]);
  const raw = productSchema.locationPricing;
  return raw === undefined || raw === null ? [] : paragraphs(["*Datacentres*", ...jsonLines(raw, currency)]);
}

function placeLine({ value, label, prices }: ProductPlace, currency: string | null): string {
  const named = label === value ? code(value) : `${prose(label, 80)} (${code(value)})`;
  const added = Object.entries(prices)
    .filter(([, price]) => Number(price) !== 0)
    .map(([name, price]) => `${money(price, currency)} ${name === "setupFee" ? "once" : name}`);
  return added.length > 0 ? `${named}, which adds ${listing(added)}` : named;
}

function form(productSchema: ProductSchema) {
  const fields = formFieldsOf(productSchema);
  if (fields === null) return paragraphs(["*The provider's own form*", ...jsonLines(productSchema.orderSchema)]);
  if (fields.length === 0) return [];
  const lines = fields.map(({ name, label, required, options }) => {
    const among =
      options.length > 0
        ? `: one of ${listing(
            options.map(({ value }) => code(value)),
            "or",
          )}`
        : "";
    return `• ${prose(label, 80)} (${code(name)})${required ? ", needed" : ""}${among}`;
  });
  return paragraphs(["*The provider's own form*", ...lines]);
}

/** Operations on the products that a partner can resell, at wholesale. */
export const productOperations = [list, show, schema];
