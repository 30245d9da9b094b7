import { badField, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { euros, monthsOf } from "../../money/money.ts";
import type { Location, Option, Product } from "../../world/catalogue.ts";
import { isUuid } from "../../world/ids.ts";
import type { Template } from "../../world/os-images.ts";
import type { World } from "../../world/world.ts";
import type { Call, Route } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { availabilityOf, locationName } from "./availability.ts";

export const productRoutes: Route[] = [
  { method: "GET", path: "/locations", scope: "read", handle: locations },
  { method: "GET", path: "/products", scope: "read", handle: list },
  { method: "GET", path: "/products/{id}", scope: "read", handle: show },
  { method: "GET", path: "/products/{id}/availability", scope: "read", handle: availability },
];

/** A product whose module is off is as good as absent. */
export function moduleIsOn(world: World, product: Product): boolean {
  const { modules } = world.settings;
  if (product.kind === "vps") return product.provider !== "native" || modules.native_vps;
  if (product.kind === "dedicated") return modules.inventory;
  return product.kind !== "game" || modules.game;
}

function sold(world: World): Product[] {
  return [...world.catalogue.products.values()].filter((product) => moduleIsOn(world, product));
}

function list(call: Call) {
  return ok({ products: sold(call.world).map(productRow) });
}

function productRow(product: Product) {
  const { id, name, kind, specs, monthly, hourly } = product;
  return { id, name, type: kind, specs, monthly_price: euros(monthly), hourly_price: hourly, currency: "EUR" };
}

function show(call: Call) {
  const product = productOf(call);
  const orderable = product.templates.map((image) => imageRow(image, true));
  return underName(call, "product", {
    ...productRow(product),
    billing_cycles: cyclesOf(call, product),
    options: product.options.map((option) => optionRow(call, option)),
    os_images: orderable,
    default_os_image_id: product.templates.find((image) => image.is_default)?.id ?? null,
    os_images_all: [...orderable, ...product.not_orderable.map((image) => imageRow(image, false))],
    locations: product.locations.map((place) => ({
      ...locationRow(locationNamed(call.world, place.value), [product]),
      available: !place.sold_out && product.forced === null,
      surcharge: place.surcharge,
    })),
    location_required: product.location_required,
  });
}

// The spec shows neither how cycles and options are laid out nor where their prices stand.

function cyclesOf(call: Call, product: Product): unknown {
  const priced = product.cycles.map((cycle) => ({ cycle, price: priceFor(product, cycle) }));
  const layouts = [priced, product.cycles, Object.fromEntries(priced.map(({ cycle, price }) => [cycle, { price }]))];
  return layouts[layoutOf(call, layouts.length)];
}

function optionRow(call: Call, { id, name, monthly }: Option): object {
  const layouts = [
    { id, name, monthly_price: euros(monthly), max_quantity: /backup/i.test(name) ? 1 : 10 },
    { id, name, description: null },
    { id, name, prices: { monthly: euros(monthly), annually: euros(monthly * 12) } },
  ];
  return layouts[layoutOf(call, layouts.length)] ?? {};
}

/** All products are laid out alike. */
function layoutOf(call: Call, count: number): number {
  return (call.world.settings.shapes.payload ?? 0) % count;
}

function priceFor(product: Product, cycle: Product["cycles"][number]): number | null {
  return cycle === "hourly" ? product.hourly : euros(product.monthly * monthsOf[cycle]);
}

function imageRow({ id, name }: Template, orderable: boolean) {
  return { id, name, orderable };
}

function availability(call: Call) {
  return ok(availabilityOf(call.world, productOf(call), call.query.get("location") ?? undefined));
}

function locations(call: Call) {
  const productIds = call.query.getAll("productId").flatMap((ids) => ids.split(","));
  if (productIds.length > 50) throw badField("productId", "At most 50 products may be named");
  if (!productIds.every(isUuid)) throw badField("productId", "productId must be a uuid");
  const products = sold(call.world).filter((one) => productIds.length === 0 || productIds.includes(one.id));
  const rows = call.world.catalogue.locations
    .map((location) => ({ location, sellers: products.filter((product) => isSoldIn(product, location)) }))
    .filter(({ sellers }) => sellers.length > 0)
    .map(({ location, sellers }) => locationRow(location, sellers));
  return ok({ locations: rows, count: rows.length });
}

function isSoldIn(product: Product, location: Location): boolean {
  return product.locations.some((place) => place.value === location.value);
}

/** Sold out here means: for every product that lists the location. */
function locationRow(location: Location, products: Product[]) {
  const places = products.flatMap((product) => product.locations.filter((place) => place.value === location.value));
  return {
    ...location,
    product_ids: products.map((product) => product.id),
    sold_out: places.every((place) => place.sold_out),
  };
}

function locationNamed(world: World, value: string): Location {
  const known = world.catalogue.locations.find((one) => one.value === value);
  return known ?? { value, name: locationName(world, value), id: null, flag: "", country_code: "", shared: false };
}

function productOf(call: Call): Product {
  const product = call.world.catalogue.products.get(param(call, "id").toLowerCase());
  if (product === undefined || !moduleIsOn(call.world, product)) throw notFound("Product");
  return product;
}
