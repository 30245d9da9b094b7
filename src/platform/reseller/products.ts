import * as z from "zod";
import { dataOf, itOrIn } from "../http/data.ts";
import { path } from "../http/path.ts";
import { rowsOf } from "../http/rows.ts";
import { Currency } from "../money.ts";
import type { ResellerClient } from "./client.ts";
import { OptionPricing, Pricing } from "./cycles.ts";

/** An add-on that a product can be ordered with. A one-time one is billed once, on the setup side. Reseller spec sections 1.1 and 2.2. */
const ProductOption = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  pricingType: z.enum(["recurring", "one_time"]),
  maxQuantity: z.int().nonnegative().nullish(),
  pricing: OptionPricing.nullish(),
});
export type ProductOption = z.infer<typeof ProductOption>;

/** A product of the partner's catalogue, at wholesale and excl. VAT. Its `pricing` says in which cycles it can be ordered. Reseller spec section 2.2. */
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

/** What an order of a product asks for. The form of a plugin, its defaults and the datacentre prices come as the platform lays them out. Reseller spec section 2.2. */
export const ProductSchema = z.object({
  productId: z.string().nullish(),
  productName: z.string().nullish(),
  category: z.string().nullish(),
  billingEnabled: z.boolean().nullish(),
  /** Made of retail prices, so that a cycle may be missing: where `pricing` of the product has one, it can be ordered all the same. */
  billingCycles: z.array(z.string()),
  requiredFields: z.array(z.string()),
  osImages: z.array(z.looseObject({ id: z.string().min(1), name: z.string() })).nullish(),
  osImageField: z.string().nullish(),
  /** A regular expression, as text. */
  hostnamePattern: z.string().nullish(),
  locationPricing: z.unknown().optional(),
  locationField: z.string().nullish(),
  locationRequired: z.boolean().nullish(),
  orderSchema: z.looseObject({ fields: z.unknown().optional(), layout: z.unknown().optional() }).nullish(),
  pluginDefaults: z.unknown().optional(),
});
export type ProductSchema = z.infer<typeof ProductSchema>;

const beside = z.object({ currency: Currency.nullish() });
const Listed = beside.extend({ data: rowsOf("products", Product) });
const Single = beside.extend({ data: itOrIn("product", Product) });

/** GET /products: the whole catalogue at wholesale; the currency is told beside it. Reseller spec sections 2.1, 2.2 and 4. */
export async function listProducts(client: ResellerClient): Promise<Product[]> {
  const { data: products, currency } = await client.get("/products", Listed);
  return products.map((product) => inCurrency(product, currency));
}

/** GET /products/{productId}; 404 where it is not in the partner's catalogue. Reseller spec sections 2.1, 2.2 and 4. */
export async function readProduct(client: ResellerClient, productId: string): Promise<Product> {
  const { data: product, currency } = await client.get(path("/products/{productId}", { productId }), Single);
  return inCurrency(product, currency);
}

/** GET /products/{productId}/schema. Reseller spec section 2.2. */
export async function readProductSchema(client: ResellerClient, productId: string): Promise<ProductSchema> {
  const route = path("/products/{productId}/schema", { productId });
  return (await client.get(route, dataOf("schema", ProductSchema))).data;
}

function inCurrency(product: Product, told: string | null | undefined): Product {
  return { ...product, currency: product.currency ?? product.pricing.currency ?? told ?? null };
}
