import * as z from "#zod";
import { alertLane } from "../messages/outbox.ts";
import type { Subject } from "../policy/responsibility/responsibility.ts";
import { scanIndex } from "../storage/create.ts";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, deleting, replacing } from "../storage/record.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { emptyIndex } from "./alert.ts";
import type { AlertsApp } from "./app.ts";

// The alerts, bursts and digests that Slack refused in their channel. They are kept, shown to admins, and posted once it takes them.

const minute = 60_000;
const hour = 60 * minute;
/** As long as the record that a message is made of. */
const keptMs = 30 * 24 * hour;

const UndeliveredMessage = z.object({
  channel: z.string(),
  /** The beginning of a sentence: "an alert". */
  noun: z.string(),
  /** The slot of its message in the outbox. */
  slot: z.string(),
  /** When it began, in milliseconds since the epoch. */
  since: z.number(),
  reason: z.string(),
});
export type UndeliveredMessage = z.infer<typeof UndeliveredMessage>;

const undeliveredMessages = defineKind({
  name: "undelivered message",
  namespace: "undelivered-messages",
  schema: UndeliveredMessage,
});
const replayMarks = defineKind({
  name: "mark of a replay",
  namespace: "replayed-channels",
  schema: z.literal(true),
  ttlMs: minute,
});

/** The last message of a channel that had its turn to be tried, by its place in the channel's index. */
const lastTries = defineKind({
  name: "last try of a channel",
  namespace: "undelivered-tries",
  schema: z.object({ member: z.string(), score: z.number() }),
  ttlMs: keptMs,
});

/** Timer prefix: the hourly try of a channel, which follows. */
const tryTimer = "undelivered:";

const everywhere = "undelivered-messages";
const inChannel = (channel: string) => `${everywhere}:${channel}`;
const keyOf = ({ kind, id }: Subject) => `${kind}:${id}`;

export function undeliveredTimers(app: TimedApp): LaneHandlers {
  return { [tryTimer]: (timerId) => tryNext(app, timerId.slice(tryTimer.length)) };
}

/**
 * Tries one message of the channel again, and each hour the next one: an alert whose message somebody deleted is refused for ever, and must
 * not keep the others waiting. The first one that is posted brings all.
 */
async function tryNext(app: TimedApp, channel: string): Promise<number | undefined> {
  const { store, clock } = app;
  const index = store.index(inChannel(channel));
  await dropExpired(app, inChannel(channel));
  const last = await store.keyv(lastTries).get(channel);
  const { entries } = await index.range({ from: last?.score });
  const later = entries.find(({ member, score }) => !last || score > last.score || member > last.member);
  const next = later ?? (await index.range({ limit: 1 })).entries[0];
  if (!next) return undefined;
  await store.keyv(lastTries).set(channel, next);
  await store.timers.set(`${alertLane}${next.member}`, clock.now());
  return clock.now() + hour;
}

/** Stores that Slack refused the message. */
export async function noteUndelivered(app: TimedApp, subject: Subject, message: UndeliveredMessage): Promise<void> {
  const { store, clock } = app;
  const { channel, since } = message;
  const [member, score] = [keyOf(subject), since + keptMs];
  await dropExpired(app, inChannel(channel));
  for (;;) {
    const stored = await store.read(undeliveredMessages, member);
    const done = await store.transact({
      records: [replacing(stored, message, score - clock.now())],
      index: [everywhere, inChannel(channel)].map((name) => ({ name, member, score })),
      timers: [{ id: `${tryTimer}${channel}`, at: clock.now() + hour }],
    });
    if (done) return;
  }
}

/** Stores that Slack took the message. */
export async function noteDelivered({ store }: TimedApp, subject: Subject): Promise<void> {
  const member = keyOf(subject);
  for (;;) {
    const stored = await store.read(undeliveredMessages, member);
    if (!stored.value) return;
    const names = [everywhere, inChannel(stored.value.channel)];
    const index = names.map((name) => ({ name, member, score: null }));
    if (await store.transact({ records: [deleting(stored)], index })) return;
  }
}

/** Why Slack refused the message; null if it did not. */
export async function undeliveredReason({ store }: TimedApp, subject: Subject): Promise<string | null> {
  return (await store.keyv(undeliveredMessages).get(keyOf(subject)))?.reason ?? null;
}

/** Tries again to post one undelivered message. False where none has that key. */
export async function replayAlert({ store, clock }: TimedApp, key: string): Promise<boolean> {
  const isUndelivered = await store.keyv(undeliveredMessages).has(key);
  if (isUndelivered) await store.timers.set(`${alertLane}${key}`, clock.now());
  return isUndelivered;
}

/** Tries again to post all undelivered messages, or those of one channel. Returns how many. */
export async function replayAlerts(
  app: TimedApp,
  { channel, at = app.clock.now() }: { channel?: string; at?: number } = {},
): Promise<number> {
  const name = channel === undefined ? everywhere : inChannel(channel);
  await dropExpired(app, name);
  const keys: string[] = [];
  for await (const { member } of scanIndex(app.store.index(name))) keys.push(member);
  for (const key of keys) await app.store.timers.set(`${alertLane}${key}`, at);
  return keys.length;
}

/** The same for the channel, once a minute at most: each message that is posted brings the others. */
export async function replayOnce(app: TimedApp, channel: string): Promise<void> {
  const { store } = app;
  if ((await store.index(inChannel(channel)).size()) === 0) return;
  if (await store.transact({ records: [creating(replayMarks, channel, true)] })) await replayAlerts(app, { channel });
}

/** The first 20 of them. `posted`: the message is there, and an update of it was refused. */
export async function listUndelivered(
  app: AlertsApp,
): Promise<(UndeliveredMessage & { key: string; posted: boolean })[]> {
  await dropExpired(app, everywhere);
  const { entries } = await app.store.index(everywhere).range({ limit: 20 });
  const found = await Promise.all(
    entries.map(async ({ member: key }) => {
      const message = await app.store.keyv(undeliveredMessages).get(key);
      if (!message) return [];
      const [kind = ""] = key.split(":", 1);
      const place = await app.outbox.placeOf(kind, key.slice(kind.length + 1), message.slot);
      return [{ ...message, key, posted: place !== null }];
    }),
  );
  return found.flat();
}

export async function countUndelivered(app: TimedApp): Promise<number> {
  await dropExpired(app, everywhere);
  return app.store.index(everywhere).size();
}

/** An index keeps the keys of records that have expired. */
function dropExpired(app: TimedApp, name: string): Promise<void> {
  return emptyIndex(app, name, app.clock.now());
}
