import * as z from "#zod";
import { DateTime } from "../fields.ts";
import { inData } from "../http/data.ts";

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
