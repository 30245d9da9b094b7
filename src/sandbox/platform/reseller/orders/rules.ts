import { z } from "zod";
import { badField, badRequest, conflict, notFound } from "../../http/refusal.ts";
import { eurosText, monthsOf, toCents } from "../../money/money.ts";
import type { OrderedOption } from "../../programme/partner.ts";
import {
  discounted,
  optionPrice,
  optionsOf,
  setupFee,
  type WholesaleOption,
  wholesaleCycles,
  wholesalePrice,
} from "../../programme/prices.ts";
import type { Product } from "../../world/catalogue.ts";
import type { CustomImage } from "../../world/custom-image.ts";
import type { Call } from "../request/call.ts";
import { productNamed } from "./products.ts";
import { formOf, hostnamePattern } from "./schema.ts";

const quantity = z.int("quantity must be a whole number").min(1, "At least 1").max(100, "At most 100");

export const optionsBody = z
  .array(z.object({ optionId: z.guid("optionId must be a uuid"), quantity: quantity.default(1) }))
  .max(50, "At most 50 options");

/** Spec 4.1 and section 8. */
export const orderBody = z.object({
  productId: z.guid("productId must be a uuid"),
  billingCycle: z.enum(wholesaleCycles, "billingCycle is not known"),
  quantity: quantity.default(1),
  externalOrderId: z.string().min(1).max(100, "externalOrderId has at most 100 characters").optional(),
  externalCustomerId: z.string().min(1).max(255, "externalCustomerId has at most 255 characters").optional(),
  externalCustomerEmail: z.email("externalCustomerEmail is no address").optional(),
  externalCustomerName: z.string().max(255, "externalCustomerName has at most 255 characters").optional(),
  configuration: z.record(z.string(), z.unknown()).default({}),
  options: optionsBody.default([]),
  paymentMethodId: z.string().optional(),
});
export type OrderBody = z.infer<typeof orderBody>;

const GiB = 1024 ** 3;

/** The ordered items, checked and priced; money in whole cents of the base currency. */
export interface CheckedOrder {
  product: Product;
  body: OrderBody;
  hostname: string | undefined;
  location: string | undefined;
  osImageId: string | undefined;
  customImage: CustomImage | undefined;
  options: OrderedOption[];
  /** The price of each service per cycle; fractions of a cent if it is billed by the hour. */
  perService: number;
  /** Of the whole order, setup included. */
  base: number;
}

/** Checks an order against spec 4.1, and charges nothing. Throws the refusal of the first rule that it breaks. */
export function checkOrder(call: Call, body: OrderBody): CheckedOrder {
  const product = productNamed(call, body.productId);
  const price = wholesalePrice(call.programme, product, body.billingCycle);
  if (price === null) throw badRequest(`Product is not sold on the '${body.billingCycle}' billing cycle`);
  const { configuration } = body;
  const location = locationOf(product, text(configuration, "location"));
  const hostname = hostnameOf(text(configuration, "hostname"));
  const osImageId = imageOf(product, text(configuration, "osImageId") ?? text(configuration, "os_image_id"));
  checkForm(product, configuration);
  const options = wantedOptions(product, body.options).map(({ option, quantity }) => {
    const { cycle, setup } = optionPrice(call.programme, option, body.billingCycle);
    return { optionId: option.id, name: option.name, quantity, unitPrice: cycle, setupFee: setup };
  });
  const customImage = customImageOf(call, product, configuration);
  refuseOverCap(call, product, body.quantity);

  const surcharge = product.locations.find(({ value }) => value === location)?.surcharge;
  const monthly = discounted(call.programme, toCents(surcharge?.monthly ?? 0));
  const months = body.billingCycle === "hourly" ? 1 / 720 : monthsOf[body.billingCycle];
  const perService = price + monthly * months + options.reduce((sum, one) => sum + one.unitPrice * one.quantity, 0);
  const setup = setupFee(call.programme, product) + discounted(call.programme, toCents(surcharge?.setup ?? 0));
  const once = setup + options.reduce((sum, one) => sum + one.setupFee * one.quantity, 0);
  const base = Math.round((perService + once) * body.quantity);
  const { minimumOrder } = call.programme.settings;
  if (base < minimumOrder) {
    throw badRequest(`The minimum order amount is ${eurosText(minimumOrder)}; this order is ${eurosText(base)}`);
  }
  return { product, body, hostname, location, osImageId, customImage, options, perService, base };
}

function locationOf(product: Product, location: string | undefined): string | undefined {
  if (product.locations.length === 0) return undefined;
  if (location === undefined) throw badRequest("A datacentre must be selected");
  const place = product.locations.find(({ value }) => value === location);
  if (place === undefined) throw badRequest(`The product is not sold in the datacentre ${location}`);
  if (place.sold_out) throw conflict(`The datacentre ${location} is sold out`);
  return location;
}

function hostnameOf(hostname: string | undefined): string | undefined {
  if (hostname !== undefined && !new RegExp(hostnamePattern).test(hostname)) {
    throw badField("configuration.hostname", "hostname must be a full host name");
  }
  return hostname;
}

function imageOf(product: Product, id: string | undefined): string | undefined {
  if (id === undefined || product.kind !== "vps") return undefined;
  if (!product.templates.some((image) => image.id === id)) throw notFound("OS image");
  return id;
}

/** Checks the fields of a plugin's form, and their types. */
function checkForm(product: Product, configuration: Record<string, unknown>): void {
  for (const { name, required, options } of formOf(product)) {
    const value = configuration[name];
    if (value === undefined && required) throw badField(`configuration.${name}`, `${name} is required`);
    if (value !== undefined && options !== undefined && !options.some((one) => one === value)) {
      throw badField(`configuration.${name}`, `${name} must be one of ${options.join(", ")}`);
    }
  }
}

/** The same id twice is merged; rejected ids are named. */
export function wantedOptions(
  product: Product,
  wanted: { optionId: string; quantity: number }[],
): { option: WholesaleOption; quantity: number }[] {
  const quantities = new Map<string, number>();
  for (const { optionId, quantity } of wanted) {
    const id = optionId.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  const all = optionsOf(product);
  const rejected = [...quantities.keys()].filter((id) => !all.some((option) => option.id === id));
  if (rejected.length > 0) throw badRequest(`These options are not sold with this product: ${rejected.join(", ")}`);
  return all.flatMap((option) => {
    const quantity = quantities.get(option.id);
    if (quantity === undefined) return [];
    if (quantity > option.maxQuantity) {
      throw badRequest(`${option.name} can be ordered at most ${option.maxQuantity} times`);
    }
    return [{ option, quantity }];
  });
}

/** The node that holds every image of the practice platform. */
const imageNode = "node-7";

function customImageOf(call: Call, product: Product, configuration: Record<string, unknown>): CustomImage | undefined {
  const id = text(configuration, "custom_image_id");
  if (id === undefined) return undefined;
  const image = call.world.customImages.get(id.toLowerCase());
  if (image === undefined || image.holder !== call.partner.holder) throw notFound("Image");
  if (image.status !== "available") throw conflict(`The image is ${image.status}`);
  if ((text(configuration, "node") ?? imageNode) !== imageNode) throw conflict(`The image is on the node ${imageNode}`);
  if (image.node_full) throw conflict(`The node ${imageNode} that holds the image has no room for another server`);
  const disk = (product.specs?.storage ?? 0) * GiB;
  if (disk < (image.virtual_size_bytes ?? 0)) throw badRequest("The plan's disk is smaller than the image");
  return image;
}

function refuseOverCap({ world, programme, partner }: Call, product: Product, quantity: number): void {
  const cap = programme.settings.caps.get(product.id);
  if (cap === undefined) return;
  const existing = [...world.services.values()].filter((service) => {
    return service.holder === partner.holder && service.product.id === product.id && service.status !== "terminated";
  });
  if (existing.length + quantity > cap) throw conflict("Quantity limit reached");
}

function text(configuration: Record<string, unknown>, name: string): string | undefined {
  const value = configuration[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw badField(`configuration.${name}`, `${name} must be text`);
  return value;
}
