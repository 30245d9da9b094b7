import * as z from "zod";

/** What the operator allows for a machine; a verb that is not listed is refused. Spec section 2.3. */
export const VpsCapabilities = z.object({
  // Words, not states: one that is new here is offered by nobody and harms nobody.
  actions: z.array(z.string()),
  console: z.boolean(),
  reinstall: z.boolean(),
  password_reset: z.boolean(),
  snapshots: z.boolean(),
  images: z.boolean(),
  shared: z.boolean(),
  frozen: z.boolean(),
  shared_managed: z.boolean(),
  unavailable_reason: z.enum(["shared_cluster", "frozen_cluster"]).nullable(),
  provider_dependent: z.boolean(),
});
export type VpsCapabilities = z.infer<typeof VpsCapabilities>;
