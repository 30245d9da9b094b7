import * as z from "#zod";

/** The billing status of a service. Spec section 3.1. */
export const ServiceStatus = z.enum([
  "pending",
  "pending_payment",
  "installing",
  "active",
  "suspended",
  "terminated",
  "provisioning_failed",
  "cancelled",
]);
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** The latest state of the machine at the hypervisor. Spec section 3.2. */
export const InstanceState = z.enum([
  "creating",
  "running",
  "stopped",
  "paused",
  "migrating",
  "error",
  "orphaned",
  "terminated_pending_wipe",
]);
export type InstanceState = z.infer<typeof InstanceState>;
