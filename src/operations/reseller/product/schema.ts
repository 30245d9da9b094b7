import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import { type ProductSchema, readProduct, readProductSchema } from "../../../platform/reseller/products.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { money } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { code, listing, prose } from "../../../views/text.ts";
import { wholesaleProduct } from "./product.ts";
import { formFieldsOf, type Place, placesOf } from "./schema-fields.ts";

export const schema = defineOperation({
  command: "reseller product schema",
  summary: "Show what an order of a product asks for: fields, systems, datacentres",
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
      ...(productSchema.billingEnabled === false ? ["• The supplier has switched its billing off."] : []),
    ];
    return {
      text: `An order of ${code(target.name)} asks for ${listing(productSchema.requiredFields.map((field) => code(field))) || "nothing more"}.`,
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
  return raw === undefined || raw === null ? [] : paragraphs(["*Datacentres*", ...renderJson(raw)]);
}

function placeLine({ value, label, prices }: Place, currency: string | null): string {
  const named = label === value ? code(value) : `${prose(label, 80)} (${code(value)})`;
  const added = Object.entries(prices)
    .filter(([, price]) => Number(price) !== 0)
    .map(([name, price]) => `${money(price, currency)} ${name === "setupFee" ? "once" : name}`);
  return added.length > 0 ? `${named}, which adds ${listing(added)}` : named;
}

function form(productSchema: ProductSchema) {
  const fields = formFieldsOf(productSchema);
  if (fields === null) return paragraphs(["*The provider's own form*", ...renderJson(productSchema.orderSchema)]);
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
