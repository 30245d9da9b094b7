import { z } from "zod";
import { wholesaleCycles } from "../../programme/cycles.ts";

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
