import * as z from "zod";
import { data } from "../http/data.ts";
import { path } from "../http/path.ts";
import { Amount } from "../money.ts";
import type { CustomerClient } from "./client.ts";

/** A product on sale; what else it carries is kept as it comes. Spec section 2.7. */
export const Product = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  monthly_price: Amount.nullish(),
  hourly_price: Amount.nullish(),
});
export type Product = z.infer<typeof Product>;

/** Where a product is sold: `value` is what an order sends, `name` what people read. Spec section 2.7. */
export const Location = z.object({
  value: z.string().min(1),
  name: z.string(),
  id: z.int().nullish(),
  flag: z.string().nullish(),
  country_code: z.string().nullish(),
  product_ids: z.array(z.string()).nullish(),
  shared: z.boolean(),
  sold_out: z.boolean(),
});
export type Location = z.infer<typeof Location>;

/** A location of one product; the surcharge's `monthly` counts for each month of a cycle. */
export const ProductLocation = Location.extend({
  available: z.boolean(),
  surcharge: z.object({ monthly: Amount, setup: Amount }).nullable(),
});
export type ProductLocation = z.infer<typeof ProductLocation>;

const OsImage = z.looseObject({ id: z.string().min(1), name: z.string() });

/** A product with all that an order of it needs. How cycles and options are laid out, the spec does not show. */
export const ProductDetail = z.preprocess(
  gathered,
  Product.extend({
    billing_cycles: z.unknown().optional(),
    options: z.array(z.looseObject({ id: z.string().min(1), name: z.string().nullish() })).nullish(),
    os_images: z.array(OsImage),
    default_os_image_id: z.string().nullish(),
    locations: z.array(ProductLocation),
    location_required: z.boolean(),
  }),
);
export type ProductDetail = z.infer<typeof ProductDetail>;

/** `unknown` means that the check could not be made: it is not sold out and refuses no order. */
const AvailabilityCode = z.enum([
  "available",
  "no_capacity",
  "location_unavailable",
  "forced_unavailable",
  "plan_disabled",
  "no_location",
  "unknown",
  "sold_out",
]);

export const Availability = z.object({
  available: z.boolean(),
  code: AvailabilityCode,
  reason: z.string().nullable(),
  product_id: z.string(),
  location: z.string().nullish(),
  location_required: z.boolean(),
  locations: z.array(
    z.object({
      value: z.string(),
      name: z.string(),
      available: z.boolean(),
      reason: z.string().nullish(),
      code: AvailabilityCode,
    }),
  ),
});
export type Availability = z.infer<typeof Availability>;

/** GET /products. Spec sections 2.7 and 4.6. */
export async function listProducts(client: CustomerClient): Promise<Product[]> {
  return (await client.get("/products", data(z.object({ products: z.array(Product) })))).data.products;
}

/** GET /products/{id}. Spec section 2.7. */
export async function readProduct(client: CustomerClient, id: string): Promise<ProductDetail> {
  return (await client.get(path("/products/{id}", { id }), data(ProductDetail))).data;
}

/** GET /products/{id}/availability: as of now, anywhere or in one location. Spec section 2.7. */
export async function readAvailability(client: CustomerClient, id: string, location?: string): Promise<Availability> {
  return (await client.get(path("/products/{id}/availability", { id }), data(Availability), { location })).data;
}

/** GET /locations, of up to 50 products or of all. Spec sections 2.7 and 4.6. */
export async function listLocations(client: CustomerClient, productIds: readonly string[] = []): Promise<Location[]> {
  const query = { productId: productIds.length > 0 ? productIds.join(",") : undefined };
  return (await client.get("/locations", data(z.object({ locations: z.array(Location) })), query)).data.locations;
}

/** Whether what the detail adds stands in the product or beside it, the spec does not say. */
function gathered(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || !("product" in sent)) return sent;
  return typeof sent.product === "object" ? { ...sent, ...sent.product } : sent;
}
