import * as z from "zod";
import { DateTime } from "../dates.ts";
import { data, turned } from "../http/data.ts";

/** What a cancellation asks for: `reason` of at least two words; `immediate` ends it now, otherwise it ends with the paid period. Spec section 2.8. */
export interface Cancel {
  reason: string;
  immediate: boolean;
}

/** What came of it: it is over, or it ends at a date. */
export type Cancelled = { immediate: true } | { immediate: false; scheduledDate: string };

/** The envelope of an accepted cancellation. Spec section 4.2. */
export const cancelled = turned(
  data(
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
  ),
  (envelope): Cancelled => envelope.data,
);
