// alerts/watches/: members' watches: polls a resource with the member's own key, notifies them by direct message, and ends after some days.

import * as z from "#zod";
import type { Link } from "../../members/identities/link.ts";
import { notificationTimer } from "../../messages/outbox.ts";
import { PlainText } from "../../process/plain-text.ts";
import { scanIndex } from "../../storage/create.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { marked, recordText, replacing } from "../../storage/record.ts";
import type { Transaction } from "../../storage/store.ts";

const NamedRef = z.object({ id: z.string(), name: PlainText });

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
const Watch = z.object({
  id: z.string(),
  member: z.string(),
  slackUser: z.string(),
  api: z.enum(["customer", "reseller"]),
  /** The command that shows it. */
  card: z.string(),
  /** `name`: as it was last read. */
  target: NamedRef,
  /** The project in which the member worked; the polls use it. */
  project: NamedRef.nullable(),
  /** The platform user and account behind the key: watches with the same viewer share their polls. */
  viewer: z.string(),
  startedAt: z.number(),
  endsAt: z.number(),
  threshold: Threshold.nullable(),
  seen: Seen,
  /** After a message, changes of state are counted until `until` and then sent as one. `notified`: trouble and dates sent since then. */
  quiet: z.object({ until: z.number(), changes: z.number(), notified: z.array(z.string()) }),
  /** Failed polls in a row. */
  misses: z.number(),
  /** The newest messages. */
  messages: z.array(WatchMessage),
  ended: z.object({ at: z.number() }).nullable(),
});
export type Watch = z.infer<typeof Watch>;

/** Duration of a watch unless the member says otherwise, and at most; in days. */
export const usualDays = 7;
export const mostDays = 30;
/** Maximum number of watches of one member. */
export const mostWatches = 25;

/** Identifies the platform user and account of a link. A reseller key has no user, so it shares polls with no other key. */
export function viewerOf(link: Link): string {
  if (link.api === "reseller") return `reseller ${link.keyId}`;
  return `customer ${link.user.id} ${link.account?.id ?? "own"} ${link.bound?.id ?? "all"}`;
}

const watches = defineKind({ name: "watch", namespace: "watches", schema: Watch });
export const watchSubject = "watch";
/** One timer for all watches of a viewer, so that its polls run one at a time. */
export const watchTimer = "watch:";
/** A watch is stored for so long after its end, so that its last message still reaches a member who was away. */
const keptMs = 7 * 24 * 60 * 60_000;
const mostMessages = 5;

// The watches and their indexes. Every step of a watch is one transaction with its timers.

export async function readWatch({ store }: StoreApp, id: string): Promise<Watch | undefined> {
  const { value, was } = await store.read(watches, id);
  return value && marked(value, was);
}

export async function createWatch(app: TimedApp, watch: Watch, lookAt: number): Promise<void> {
  if (!(await write(app, undefined, Watch.parse(watch), lookAt, false)))
    throw new Error("A watch of this id is there already");
}

/**
 * Stores the change, and sends `text` to the watch's member. Returns the changed watch; null when another step was stored first. A watch
 * that has ended is not polled again.
 */
export async function advanceWatch(
  app: TimedApp,
  watch: Watch,
  change: Partial<Watch>,
  { lookAt, text }: { lookAt: number; text: string | null },
): Promise<Watch | null> {
  const messages = text === null ? watch.messages : withMessage(watch, text, app.clock.now());
  const next = Watch.parse({ ...watch, messages, ...change });
  return write(app, recordText(watch), next, lookAt, text !== null);
}

/** The member's watches that have not ended, the one that ends first before the others. */
export function readWatches(app: StoreApp, member: string): Promise<Watch[]> {
  return found(app, ofMember(member));
}

/** The longest time between two polls of a resource. */
export const slowestRetry = 30 * 60_000;

/**
 * The viewer's watch that is polled first, and when. A time further ahead than any poll sets it counts as passed: after the clock was set
 * back, the watch would wait until the old time returns, or behind those that were polled since.
 */
export async function firstDue({ store, clock }: TimedApp, viewer: string): Promise<{ id: string; at: number } | null> {
  const now = clock.now();
  const index = store.index(dueOf(viewer));
  const [impossible] = (await index.range({ from: now + slowestRetry + 1, limit: 1 })).entries;
  if (impossible) return { id: impossible.member, at: now };
  const [next] = (await index.range({ limit: 1 })).entries;
  return next ? { id: next.member, at: next.score } : null;
}

/** All watches of one resource by the same viewer. */
export function watchesOn(app: StoreApp, watch: Pick<Watch, "viewer" | "card" | "target">): Promise<Watch[]> {
  return found(app, onThing(watch));
}

/** Removes the index entry of a watch that no longer exists. */
export async function forgetDue({ store }: StoreApp, viewer: string, id: string): Promise<void> {
  await store.transact({ records: [], index: [{ name: dueOf(viewer), member: id, score: null }] });
}

/** Stores the watch; null where another step was stored since `was` was read. `was`: undefined for a new one. */
async function write(
  { store, clock }: TimedApp,
  was: string | undefined,
  watch: Watch,
  lookAt: number,
  tell: boolean,
): Promise<Watch | null> {
  const { id, viewer, endsAt } = watch;
  const now = clock.now();
  const change = replacing({ kind: watches, key: id, was }, watch, Math.max(0, endsAt - now) + keptMs);
  const written = await store.transact({
    records: [change],
    index: indexesOf(watch, lookAt),
    timers: [
      { id: `${watchTimer}${viewer}`, at: lookAt },
      ...(tell ? [{ id: notificationTimer(watchSubject, id), at: now }] : []),
    ],
  });
  return written ? marked(watch, change.text) : null;
}

async function found({ store }: StoreApp, name: string): Promise<Watch[]> {
  const open: Watch[] = [];
  for await (const { member } of scanIndex(store.index(name))) {
    const watch = await readWatch({ store }, member);
    // A record that has expired leaves its index entry behind.
    if (!watch) await store.transact({ records: [], index: [{ name, member, score: null }] });
    else if (watch.ended === null) open.push(watch);
  }
  return open;
}

const ofMember = (member: string) => `watches-of:${member}`;
const dueOf = (viewer: string) => `watches-due:${viewer}`;
const onThing = ({ viewer, card, target }: Pick<Watch, "viewer" | "card" | "target">) =>
  `watches-on:${viewer} ${card} ${target.id}`;

function indexesOf(watch: Watch, lookAt: number): NonNullable<Transaction["index"]> {
  const { id: member, endsAt, ended } = watch;
  return [
    { name: ofMember(watch.member), member, score: ended ? null : endsAt },
    { name: dueOf(watch.viewer), member, score: ended ? null : lookAt },
    { name: onThing(watch), member, score: ended ? null : endsAt },
  ];
}

function withMessage({ messages }: Watch, text: string, at: number): Watch["messages"] {
  const slot = (messages.at(-1)?.slot ?? 0) + 1;
  return [...messages, { slot, at, text }].slice(-mostMessages);
}
