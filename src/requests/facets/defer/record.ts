import * as z from "#zod";

/** The facet of a request that somebody who decides it deferred: it waits, and nobody is reminded until then. */
export const Deferral = z.object({
  /** Times are in milliseconds since the epoch. */
  at: z.number(),
  slackUser: z.string(),
  until: z.number(),
  /** In mrkdwn. */
  reason: z.string(),
  /** When its time came, its facts were read again, and those who decide were notified anew; null before. */
  overAt: z.number().nullable(),
  /** The reason why its facts could not be read then, as a sentence; null if they could. */
  unread: z.string().nullable(),
});
export type Deferral = z.infer<typeof Deferral>;

/** True while those who decide it are not to be reminded. */
export function isDeferred({ deferred, state }: { deferred: Deferral | null; state: string }): boolean {
  return state === "pending" && deferred !== null && deferred.overAt === null;
}
