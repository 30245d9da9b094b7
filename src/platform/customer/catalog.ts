import * as z from "#zod";
import { Amount } from "../amounts.ts";
import { inData } from "../http/data.ts";
import { everyRow } from "../http/pages.ts";
import { endpoint } from "./client.ts";

/** A product on sale; fields that are not named here pass through unchanged. Spec section 2.7. */
export const Product = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  monthly_price: Amount.nullish(),
  hourly_price: Amount.nullish(),
});
export type Product = z.infer<typeof Product>;

/** A place in which a product is sold: an order sends `value`, people read `name`. Spec section 2.7. */
export const Location = z.object({
  value: z.string().min(1),
  name: z.string(),
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

/** A product with everything that an order of it needs. The spec does not show the layout of cycles and options. */
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

/**
 * `unknown` means that the platform could not check. The product is not sold out, and orders are not refused for it. `other` stands for a
 * code that the spec does not have.
 */
const AvailabilityCode = z
  .enum([
    "available",
    "no_capacity",
    "location_unavailable",
    "forced_unavailable",
    "plan_disabled",
    "no_location",
    "unknown",
    "sold_out",
    "other",
  ])
  .catch("other");

export const Availability = z.object({
  available: z.boolean(),
  code: AvailabilityCode,
  reason: z.string().nullable(),
  locations: z.array(
    z.object({
      value: z.string(),
      name: z.string(),
      available: z.boolean(),
      code: AvailabilityCode,
    }),
  ),
});
export type Availability = z.infer<typeof Availability>;

export const listProducts = endpoint("GET /products", "read", "2.7, 4.6", everyRow("products", Product));

export const readProduct = endpoint("GET /products/{id}", "read", "2.7", inData(ProductDetail));

/** The present stock, in one location or in any. */
export const readAvailability = endpoint("GET /products/{id}/availability", "read", "2.7", inData(Availability), {
  sends: (location?: string) => ({ query: { location } }),
});

/** Of up to 50 products or of all. */
export const listLocations = endpoint(
  "GET /locations",
  "read",
  "2.7, 4.6",
  everyRow("locations", Location, (productIds: readonly string[] = []) => ({
    productId: productIds.join(",") || undefined,
  })),
);

/** Merges the detail's fields with the product's: the spec leaves open whether they are inside `product` or beside it. */
function gathered(raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null || !("product" in raw)) return raw;
  const { product, ...beside } = raw;
  return typeof product === "object" ? { ...beside, ...product } : raw;
}
