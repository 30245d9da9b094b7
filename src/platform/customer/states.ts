import * as z from "#zod";
import { DateTime } from "../fields.ts";
import { ifReadable, inData } from "../http/data.ts";

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

/** The state of an installation. Spec section 3.3. */
export const InstallationState = z.enum(["in_progress", "completed", "failed"]);

/** The answer to an accepted password reset: the machine's user who gets the new password. Spec section 4.3. */
export const PasswordReset = z.object({ available: ifReadable(z.boolean()), user: ifReadable(z.string()) });
export type PasswordReset = z.infer<typeof PasswordReset>;

/** The actions that the supplier allows on a machine; the platform refuses an action that is not listed. Spec section 2.3. */
export const VpsCapabilities = z.object({
  // Any word is accepted: an action that is new here gets no button, and must not make the whole answer unreadable.
  actions: z.array(z.string()),
  reinstall: z.boolean(),
  password_reset: z.boolean(),
  snapshots: z.boolean(),
  images: z.boolean(),
  frozen: z.boolean(),
  unavailable_reason: z.string().nullable(),
  provider_dependent: z.boolean(),
});
export type VpsCapabilities = z.infer<typeof VpsCapabilities>;

/**
 * The input of a cancellation. `reason` has at least two words. `immediate` ends the service now; otherwise it ends with the paid
 * period. Spec section 2.8.
 */
export interface Cancel {
  reason: string;
  immediate: boolean;
}

/** The result of a cancellation: the service has ended, or it ends at `scheduledDate`. */
export type Cancelled = { immediate: true } | { immediate: false; scheduledDate: string };

/** The envelope of an accepted cancellation. Spec section 4.2. */
export const cancelled = inData(
  z.union(
    [
      z.object({ immediate: z.literal(true) }),
      z.object({ cancellation_scheduled_date: DateTime }).transform((scheduled) => ({
        immediate: false as const,
        scheduledDate: scheduled.cancellation_scheduled_date,
      })),
    ],
    { error: "Neither immediate nor with a date" },
  ),
);
