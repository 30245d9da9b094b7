import * as z from "zod";
import { wrongInput } from "../../../operation/errors.ts";
import { type BillingCycle, billingCycles } from "../../../platform/reseller/cycles.ts";
import { chosenImage } from "../../kits/order-form.ts";

/** Reseller spec section 8. */
export const most = { quantity: 100, options: 50, customer: 255 };

const FormValue = z.union([z.string(), z.number(), z.boolean()]);

/** An order that a member is filling in. `image` is "os:<id>" or "own:<id>": one field, so both can never be set. */
export const Draft = z.object({
  product: z.object({ id: z.string(), name: z.string() }).nullable(),
  cycle: z.enum(billingCycles).nullable(),
  location: z.string().nullable(),
  quantity: z.number(),
  hostname: z.string(),
  /** The partner's own id of the service. */
  ownId: z.string(),
  options: z.record(z.string(), z.number()),
  image: z.string().nullable(),
  /** The field of the configuration that names the system. */
  imageField: z.string(),
  /** The values of a provider's own form, under the provider's names. */
  form: z.record(z.string(), FormValue),
  customer: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  method: z.string().nullable(),
  /** The fields of the form whose values Rackbell generated. */
  generated: z.array(z.string()),
  /** The typed values of the command. */
  typed: z.record(z.string(), z.string()),
});
export type Draft = z.infer<typeof Draft>;

export const emptyDraft: Draft = {
  product: null,
  cycle: null,
  location: null,
  quantity: 1,
  hostname: "",
  ownId: "",
  options: {},
  image: null,
  imageField: "osImageId",
  form: {},
  customer: "",
  customerName: "",
  customerEmail: "",
  method: null,
  generated: [],
  typed: {},
};

/** The input of an order. The pages make it; it stays encrypted until somebody decides the request. */
export const OrderInput = z.object({
  product: z.string(),
  cycle: z.enum(billingCycles),
  quantity: z.number().int().min(1).max(most.quantity),
  location: z.string().optional(),
  hostname: z.string().optional(),
  ownId: z.string().optional(),
  options: z.array(z.object({ id: z.string(), quantity: z.number().int().min(1).max(100) })).max(most.options),
  osImage: z.string().optional(),
  imageField: z.string(),
  customImage: z.string().optional(),
  form: z.record(z.string(), FormValue),
  customer: z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() }).optional(),
  method: z.string().optional(),
});
export type OrderInput = z.infer<typeof OrderInput>;

/** The id of the chosen product. */
export function chosenProduct({ product }: Draft): string {
  if (!product) throw wrongInput("product", "Choose a product.");
  return product.id;
}

/** The billing cycle that the member chose. A default would charge another sum than the form showed. */
export function chosenCycle({ cycle }: Draft): BillingCycle {
  if (!cycle) throw wrongInput("cycle", "Choose a billing cycle.");
  return cycle;
}

export function inputOf(draft: Draft): OrderInput {
  const { customer, customerName: name, customerEmail: email } = draft;
  return {
    product: chosenProduct(draft),
    cycle: chosenCycle(draft),
    quantity: draft.quantity,
    ...(draft.location ? { location: draft.location } : {}),
    ...(draft.hostname ? { hostname: draft.hostname } : {}),
    ...(draft.ownId ? { ownId: draft.ownId } : {}),
    options: Object.entries(draft.options).map(([id, quantity]) => ({ id, quantity })),
    ...chosenImage(draft.image),
    imageField: draft.imageField,
    form: draft.form,
    ...(customer ? { customer: { id: customer, ...(name ? { name } : {}), ...(email ? { email } : {}) } } : {}),
    ...(draft.method ? { method: draft.method } : {}),
  };
}
