// engine/watches/: what a member watches for themselves: read gently with their own key, told in a direct message, over after some days.
// May import: engine/, engine/*, operation/, views/, identities/, platform/*, storage/, the clock.

import * as z from "zod";
import type { Link } from "../../identities/link.ts";

const Named = z.object({ id: z.string(), name: z.string() });

/** A share of what there is, in percent, at which it is told. */
const Threshold = z.object({ figure: z.string(), label: z.string(), above: z.number() });
export type Threshold = z.infer<typeof Threshold>;

/** How a thing was when it was last looked at. */
const Seen = z.object({
  at: z.number(),
  state: z.string(),
  trouble: z.string().nullable(),
  /** Near or past what day: what becomes of it then, and the day. */
  due: z.string().nullable(),
  /** Over its threshold. */
  over: z.boolean(),
});
export type Seen = z.infer<typeof Seen>;

/** What is told of it: mrkdwn. `slot` counts from the first. */
const News = z.object({ slot: z.number(), at: z.number(), text: z.string() });

/** One thing that one member watches. */
export const Watch = z.object({
  v: z.literal(1),
  id: z.string(),
  member: z.string(),
  slackUser: z.string(),
  api: z.enum(["customer", "reseller"]),
  /** The command of its card. */
  card: z.string(),
  target: Named,
  /** It is read in the project that the member worked in. */
  project: Named.nullable(),
  /** Whose eyes it is seen with: those of one platform user in one account share what is read. */
  viewer: z.string(),
  startedAt: z.number(),
  endsAt: z.number(),
  threshold: Threshold.nullable(),
  seen: Seen,
  /** After news its next changes are counted for a while, and then told in one; what went wrong is told at once, each thing once. */
  quiet: z.object({ until: z.number(), changes: z.number(), told: z.array(z.string()) }),
  /** Looks in a row that nobody answered. */
  misses: z.number(),
  /** The newest of what was told. */
  news: z.array(News),
  ended: z.object({ at: z.number() }).nullable(),
});
export type Watch = z.infer<typeof Watch>;

const day = 24 * 60 * 60_000;
/** How long a watch holds unless the member says otherwise, and at most; in days. */
export const usualDays = 7;
export const mostDays = 30;
/** What one member may watch at once. */
export const mostWatches = 25;

export function endOf(now: number, days: number): number {
  return now + days * day;
}

/** Whose eyes a link sees with. A reseller key has no user: it shares with no other. */
export function viewerOf(link: Link): string {
  if (link.api === "reseller") return `reseller ${link.keyId}`;
  return `customer ${link.user.id} ${link.account?.id ?? "own"} ${link.bound?.id ?? "all"}`;
}
