import type { Product, ProductLocation } from "../../world/catalogue.ts";
import type { World } from "../../world/world.ts";

type AvailabilityCode =
  | "available"
  | "no_capacity"
  | "location_unavailable"
  | "forced_unavailable"
  | "plan_disabled"
  | "no_location"
  | "unknown"
  | "sold_out";

const reasons: Record<AvailabilityCode, string | null> = {
  available: null,
  no_capacity: "No host has room for this plan",
  location_unavailable: "The product is not sold in this location",
  forced_unavailable: "The operator does not sell this product now",
  plan_disabled: "The plan is switched off",
  no_location: "The product has no location",
  unknown: "The check could not be made",
  sold_out: "Sold out",
};

/** The availability of a product, in general or in one location (spec 2.7). `unknown` is no refusal. */
export function codeFor(product: Product, location: string | undefined): AvailabilityCode {
  if (product.forced !== null) return product.forced;
  if (location !== undefined) {
    const place = product.locations.find((one) => one.value === location);
    return place === undefined ? "location_unavailable" : codeAt(place);
  }
  if (product.locations.length === 0) return product.location_required ? "no_location" : "available";
  return product.locations.some((place) => !place.sold_out) ? "available" : "sold_out";
}

export function availabilityOf(world: World, product: Product, location: string | undefined) {
  return {
    ...verdict(codeFor(product, location)),
    product_id: product.id,
    location: location ?? null,
    location_required: product.location_required,
    locations: product.locations.map((place) => ({
      value: place.value,
      name: locationName(world, place.value),
      ...verdict(product.forced ?? codeAt(place)),
    })),
  };
}

export function locationName(world: World, value: string): string {
  return world.catalogue.locations.find((one) => one.value === value)?.name ?? value;
}

function codeAt(place: ProductLocation): AvailabilityCode {
  return place.sold_out ? "sold_out" : "available";
}

function verdict(code: AvailabilityCode) {
  return { available: code === "available", code, reason: reasons[code] };
}
