import * as z from "#zod";
import type { ScheduledTime } from "../../../members/access/when.ts";

/** The facet of a schedule: the request is decided now, and runs later. */
export const Schedule = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** The requester's time zone by its IANA name, in which the time was typed. */
  zone: z.string(),
  /** A sentence that makes the typed time clear, for all readers at any later time: that it comes twice that day. */
  said: z.string(),
  /** When it was decided (milliseconds since the epoch); null before. */
  since: z.number().nullable(),
  /** When it began; null before. */
  begunAt: z.number().nullable(),
  /** How often it was rescheduled, and the time before the last change. */
  moves: z.number(),
  movedFrom: z.number().nullable(),
});
export type Schedule = z.infer<typeof Schedule>;

/** Milliseconds. A scheduled request that cannot begin within this time ends: nobody expects it later. */
export const latestStart = 15 * 60_000;

/** Makes a schedule that is not decided yet. */
export function scheduleFor({ at, zone, said }: ScheduledTime): Schedule {
  return { at, zone, said, since: null, begunAt: null, moves: 0, movedFrom: null };
}
