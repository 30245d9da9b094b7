import * as z from "#zod";
import { Currency } from "../amounts.ts";
import { inData, objectOrField, rowsOf } from "../http/data.ts";
import { endpoint } from "./client.ts";
import { OptionPricing, Pricing } from "./cycles.ts";

/** An add-on that a product can be ordered with. A one-time add-on is billed once, with the setup. Reseller spec sections 1.1 and 2.2. */
const ProductOption = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  pricingType: z.enum(["recurring", "one_time"]),
  maxQuantity: z.int().nonnegative().nullish(),
  pricing: OptionPricing.nullish(),
});
export type ProductOption = z.infer<typeof ProductOption>;

/**
 * A product of the partner's catalogue, at wholesale and excl. VAT. It can be ordered in the cycles that have a price in `pricing`.
 * Reseller spec section 2.2.
 */
export const Product = z.object({
  id: z.string().min(1),
  name: z.string(),
  slug: z.string().nullish(),
  description: z.string().nullish(),
  category: z.string().nullish(),
  currency: Currency.nullish(),
  pricing: Pricing,
  specs: z.unknown().optional(),
  options: z
    .array(ProductOption)
    .nullish()
    .transform((options) => options ?? []),
});
export type Product = z.infer<typeof Product>;

/**
 * The fields that an order of a product needs. A plugin's form, its defaults and datacentre prices have the platform's layout. Reseller
 * spec section 2.2.
 */
export const ProductSchema = z.object({
  billingEnabled: z.boolean().nullish(),
  requiredFields: z.array(z.string()),
  osImages: z.array(z.looseObject({ id: z.string().min(1), name: z.string() })).nullish(),
  osImageField: z.string().nullish(),
  /** A regular expression, as text. */
  hostnamePattern: z.string().nullish(),
  locationPricing: z.unknown().optional(),
  locationRequired: z.boolean().nullish(),
  orderSchema: z.looseObject({ fields: z.unknown().optional() }).nullish(),
  pluginDefaults: z.unknown().optional(),
});
export type ProductSchema = z.infer<typeof ProductSchema>;

const beside = z.object({ currency: Currency.nullish() });

/** The whole catalogue at wholesale; the currency is beside the list. */
export const listProducts = endpoint(
  "GET /products",
  "read",
  "2.1, 2.2, 4",
  beside
    .extend({ data: rowsOf("products", Product) })
    .transform(({ data, currency }) => data.map((product) => inCurrency(product, currency))),
);

/** 404 for a product outside the partner's catalogue. */
export const readProduct = endpoint(
  "GET /products/{productId}",
  "read",
  "2.1, 2.2, 4",
  beside
    .extend({ data: objectOrField("product", Product) })
    .transform(({ data, currency }) => inCurrency(data, currency)),
);

export const readProductSchema = endpoint(
  "GET /products/{productId}/schema",
  "read",
  "2.2",
  inData(objectOrField("schema", ProductSchema)),
);

function inCurrency(product: Product, fallback: string | null | undefined): Product {
  return { ...product, currency: product.currency ?? product.pricing.currency ?? fallback ?? null };
}
