import * as z from "#zod";
import { ifReadable } from "../http/data.ts";

/**
 * The answer to an accepted action. Unless `completed` is true, the caller must poll the resource. An answer of another shape is null: an
 * act that the platform accepted must not count as unknown. Spec section 2.6.
 */
export const AcceptedAction = ifReadable(z.object({ completed: z.boolean() }));
export type AcceptedAction = z.infer<typeof AcceptedAction>;

/** The answer to an accepted password reset: the machine's user who gets the new password. Spec section 4.3. */
export const PasswordReset = z.object({ available: ifReadable(z.boolean()), user: ifReadable(z.string()) });
export type PasswordReset = z.infer<typeof PasswordReset>;
