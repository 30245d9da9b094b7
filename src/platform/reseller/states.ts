import * as z from "zod";

/** What a service that is sold on is to billing: nine values, and no `provisioning`. Reseller spec section 3.2. */
export const ServiceStatus = z.enum([
  "pending",
  "pending_payment",
  "installing",
  "active",
  "suspended",
  "provisioning_failed",
  "cancelled",
  "terminated",
  "fraud",
]);
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** How far the money of an order is. Reseller spec section 3.3. */
export const PaymentStatus = z.enum(["pending", "processing", "paid", "failed", "refunded"]);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** How far the building of what was ordered is. Reseller spec section 3.3. */
export const ProvisioningStatus = z.enum(["provisioned", "pending", "failed"]);
export type ProvisioningStatus = z.infer<typeof ProvisioningStatus>;

/** How the programme collects what is ordered; `storefront` is an order that was placed in the supplier's panel. Reseller spec sections 1.2 and 2.3. */
export const PaymentMode = z.enum(["saved_method", "credit", "invoice", "storefront"]);
export type PaymentMode = z.infer<typeof PaymentMode>;
