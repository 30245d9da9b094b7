import { euros } from "../../money/money.ts";
import { discounted } from "../../programme/prices.ts";
import type { Product } from "../../world/catalogue.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { Call } from "../request/call.ts";

/** A full host name. */
export const hostnamePattern = "^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$";

interface Field {
  name: string;
  label: string;
  type: "text" | "number" | "select" | "boolean";
  required: boolean;
  options?: string[];
  min?: number;
  max?: number;
}

const forms: Partial<Record<Product["kind"], Field[]>> = {
  game: [
    { name: "game", label: "Game", type: "select", required: true, options: ["Practice Craft", "Practice Quest"] },
    { name: "slots", label: "Player slots", type: "number", required: false, min: 4, max: 64 },
    { name: "autostart", label: "Start by itself", type: "boolean", required: false },
  ],
  unknown: [
    { name: "domain", label: "Mail domain", type: "text", required: true },
    { name: "plan", label: "Plan", type: "select", required: false, options: ["small", "large"] },
  ],
};

/** The fields that a plugin's form asks for; of a product without a form none. */
export function formOf(product: Product): Field[] {
  return forms[product.kind] ?? [];
}

/** The inputs of a product's order (spec 2.2). */
export function productSchema(call: Call, product: Product) {
  const form = formOf(product);
  const located = product.locations.length > 0;
  const native = product.kind === "vps" && product.provider === "native";
  return {
    productId: product.id,
    productName: product.name,
    category: product.kind,
    billingEnabled: true,
    // Of the retail columns alone: a cycle with a price of its own may be missing here.
    billingCycles: product.cycles,
    requiredFields: [
      "billingCycle",
      ...(located ? ["location"] : []),
      ...form.filter(({ required }) => required).map(({ name }) => name),
    ],
    ...(native ? { osImages: product.templates.map(({ id, name }) => ({ id, name })), osImageField: "osImageId" } : {}),
    hostnamePattern,
    ...(located ? { ...locationPricing(call, product), locationField: "location", locationRequired: true } : {}),
    orderSchema: form.length === 0 ? null : orderSchema(call, product, form),
    pluginDefaults: form.length === 0 ? {} : { slots: 10 },
  };
}

function locationPricing(call: Call, { id, locations }: Product) {
  const rows = locations.map(({ value, surcharge }) => ({
    location: value,
    monthly: euros(discounted(call.programme, (surcharge?.monthly ?? 0) * 100)),
    setupFee: euros(discounted(call.programme, (surcharge?.setup ?? 0) * 100)),
  }));
  if (shapeOf(call, id, 2) === 0) return { locationPricing: rows };
  return { locationPricing: Object.fromEntries(rows.map(({ location, ...price }) => [location, price])) };
}

// The spec names fields and layout of a plugin's form, and nothing within.
function orderSchema(call: Call, { id }: Product, form: Field[]) {
  const layout = { columns: 1, order: form.map(({ name }) => name) };
  if (shapeOf(call, id, 2) === 0) return { fields: form, layout };
  const fields = form.map(({ name, label, options, ...rest }) => ({
    key: name,
    title: label,
    ...rest,
    ...(options === undefined ? {} : { options: options.map((value) => ({ value, label: value })) }),
  }));
  return { fields, layout: [{ title: "Details", fields: layout.order }] };
}
