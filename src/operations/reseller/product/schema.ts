import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { pricesOf } from "../../../platform/reseller/cycles.ts";
import { type ProductSchema, readProductSchema } from "../../../platform/reseller/products.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { money } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { code, listing, prose } from "../../../views/text.ts";
import { soldProduct } from "./product.ts";
import { formFieldsOf, type Place, placesOf } from "./schema-fields.ts";

export const schema = defineOperation({
  api: "reseller",
  command: "reseller product schema",
  summary: "Show what an order of a product asks for: fields, systems, datacentres",
  routes: ["GET /products/{productId}/schema", "GET /products/{productId}"],
  scope: "read",
  risk: "read",
  target: soldProduct,
  input: z.object({}),
  async run({ client, target }) {
    const asked = await readProductSchema(client, target.id);
    const cycles = pricesOf(target.pricing).map(({ cycle }) => cycle);
    const lines = [
      `• Needed: ${listing(asked.requiredFields.map((field) => code(field))) || "nothing"}`,
      `• Billing cycles: ${listing(cycles) || "none"}`,
      ...(asked.hostnamePattern ? [`• A host name must match ${code(asked.hostnamePattern, 300)}`] : []),
      ...(asked.billingEnabled === false ? ["• The supplier has switched its billing off."] : []),
    ];
    return {
      text: `An order of ${code(target.name)} asks for ${listing(asked.requiredFields.map((field) => code(field))) || "nothing more"}.`,
      blocks: [
        section(`:package: *An order of ${code(target.name)}*`),
        ...paragraphs(lines),
        ...systems(asked),
        ...places(asked, target.currency ?? null),
        ...form(asked),
      ],
      next: [{ label: "Order…", command: "reseller order new", input: { product: target.id }, style: "primary" }],
    };
  },
});

function systems({ osImages }: ProductSchema) {
  const all = osImages ?? [];
  return all.length > 0 ? paragraphs(["*Systems*", ...all.map(({ name }) => `• ${prose(name, 100)}`)]) : [];
}

function places(asked: ProductSchema, currency: string | null) {
  const all = placesOf(asked);
  if (all.length > 0) return paragraphs(["*Datacentres*", ...all.map((place) => `• ${placeLine(place, currency)}`)]);
  const sent = asked.locationPricing;
  return sent === undefined || sent === null ? [] : paragraphs(["*Datacentres*", ...renderJson(sent)]);
}

function placeLine({ value, label, prices }: Place, currency: string | null): string {
  const named = label === value ? code(value) : `${prose(label, 80)} (${code(value)})`;
  const added = Object.entries(prices)
    .filter(([, price]) => Number(price) !== 0)
    .map(([name, price]) => `${money(price, currency)} ${name === "setupFee" ? "once" : name}`);
  return added.length > 0 ? `${named}, which adds ${listing(added)}` : named;
}

function form(asked: ProductSchema) {
  const fields = formFieldsOf(asked);
  if (fields === null) return paragraphs(["*The provider's own form*", ...renderJson(asked.orderSchema)]);
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
