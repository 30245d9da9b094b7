import * as z from "#zod";

/** The billing status of a resold service: nine values, and no `provisioning`. Reseller spec section 3.2. */
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

/** The consequence for the partner of a suspended service. Reseller spec section 1. */
export const stillBilled = "The service is still billed to you until you terminate it";

/** The payment status of an order. Reseller spec section 3.3. */
export const PaymentStatus = z.enum(["pending", "processing", "paid", "failed", "refunded"]);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** The provisioning status of an order. Reseller spec section 3.3. */
export const ProvisioningStatus = z.enum(["provisioned", "pending", "failed"]);
export type ProvisioningStatus = z.infer<typeof ProvisioningStatus>;

/** How an order is paid; `storefront` is an order placed in the supplier's panel. Reseller spec sections 1.2 and 2.3. */
export const PaymentMode = z.enum(["saved_method", "credit", "invoice", "storefront"]);
export type PaymentMode = z.infer<typeof PaymentMode>;
