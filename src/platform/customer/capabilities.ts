import * as z from "#zod";

/** The actions that the supplier allows on a machine; the platform refuses an action that is not listed. Spec section 2.3. */
export const VpsCapabilities = z.object({
  // Any word is accepted: an action that is new here gets no button, and must not make the whole answer unreadable.
  actions: z.array(z.string()),
  console: z.boolean(),
  reinstall: z.boolean(),
  password_reset: z.boolean(),
  snapshots: z.boolean(),
  images: z.boolean(),
  shared: z.boolean(),
  frozen: z.boolean(),
  shared_managed: z.boolean(),
  unavailable_reason: z.string().nullable(),
  provider_dependent: z.boolean(),
});
export type VpsCapabilities = z.infer<typeof VpsCapabilities>;
