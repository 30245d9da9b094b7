import * as z from "zod";

/** What a service is to billing. Spec section 3.1. */
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

/** What the hypervisor last said of the machine. Spec section 3.2. */
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
