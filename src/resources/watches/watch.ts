// resources/watches/: members' watches: polls a resource with the member's own key, notifies them by direct message, and ends after some days.
// May import: resources/, audit/, notifications/, notifications/*, records/, access/, operation/, identities/, views/, platform/*, storage/, the clock.

import * as z from "zod";
import type { Link } from "../../identities/link.ts";

const NamedRef = z.object({ id: z.string(), name: z.string() });

/** A usage figure, and the percentage at which the member is notified. */
const Threshold = z.object({ figure: z.string(), label: z.string(), above: z.number() });
export type Threshold = z.infer<typeof Threshold>;

/** The state of the resource at the last poll. */
const Seen = z.object({
  at: z.number(),
  state: z.string(),
  trouble: z.string().nullable(),
  /** A near or past date in words: the event and the day. */
  due: z.string().nullable(),
  /** Over its threshold. */
  over: z.boolean(),
});
export type Seen = z.infer<typeof Seen>;

/** A message to the member, as mrkdwn. `slot` counts from the first. */
const WatchMessage = z.object({ slot: z.number(), at: z.number(), text: z.string() });

/** One resource that one member watches. */
export const Watch = z.object({
  v: z.literal(1),
  id: z.string(),
  member: z.string(),
  slackUser: z.string(),
  api: z.enum(["customer", "reseller"]),
  /** The command that shows it. */
  card: z.string(),
  target: NamedRef,
  /** The project in which the member worked; the polls use it. */
  project: NamedRef.nullable(),
  /** The platform user and account behind the key: watches with the same viewer share their polls. */
  viewer: z.string(),
  startedAt: z.number(),
  endsAt: z.number(),
  threshold: Threshold.nullable(),
  seen: Seen,
  /** After a message, changes of state are counted until `until` and then sent as one. `told`: trouble and dates sent since then. */
  quiet: z.object({ until: z.number(), changes: z.number(), told: z.array(z.string()) }),
  /** Failed polls in a row. */
  misses: z.number(),
  /** The newest messages. */
  news: z.array(WatchMessage),
  ended: z.object({ at: z.number() }).nullable(),
});
export type Watch = z.infer<typeof Watch>;

const day = 24 * 60 * 60_000;
/** Duration of a watch unless the member says otherwise, and at most; in days. */
export const usualDays = 7;
export const mostDays = 30;
/** Maximum number of watches of one member. */
export const mostWatches = 25;

export function endOf(now: number, days: number): number {
  return now + days * day;
}

/** Identifies the platform user and account of a link. A reseller key has no user, so it shares polls with no other key. */
export function viewerOf(link: Link): string {
  if (link.api === "reseller") return `reseller ${link.keyId}`;
  return `customer ${link.user.id} ${link.account?.id ?? "own"} ${link.bound?.id ?? "all"}`;
}
