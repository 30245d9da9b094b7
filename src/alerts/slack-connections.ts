import * as z from "#zod";
import { type NoticeChange, noticeChange } from "../messages/answers/notices.ts";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, deleting } from "../storage/record.ts";
import type { LaneHandlers, Store } from "../storage/store.ts";
import { moment, utc } from "../views/format.ts";
import { count } from "../views/text.ts";
import type { AlertsApp } from "./app.ts";

// In Socket Mode Slack spreads payloads over all connections that it counts. After a bad network it counts some that are dead, for hours,
// and a press that it sends there is lost. Each new connection may leave one more of them, so nothing here connects anew.

const confirmTimer = "confirm-connections:";
const minute = 60_000;
const day = 24 * 60 * minute;
/** Sockets are refreshed and instances roll within it. */
const overlapMs = 5 * minute;

/** The last count of one instance. `expected`: the instances that were alive. `overlap`: earlier connections that may still be counted. */
const Seen = z.object({
  at: z.number(),
  connections: z.number().nullable(),
  expected: z.number(),
  overlap: z.number(),
});
type Seen = z.infer<typeof Seen>;

const seenConnections = defineKind({
  name: "count of Slack's connections",
  namespace: "slack-connections",
  schema: Seen,
  ttlMs: day,
});

/** The count of which the admins were notified: for a day, or until the dead connections are gone. */
const notifiedCounts = defineKind({
  name: "count of dead connections",
  namespace: "dead-connections",
  schema: Seen,
  ttlMs: day,
});
const newestKey = "newest";

/** To be called when Slack greets a new connection of this instance. */
export async function connectionGreeted(
  app: TimedApp,
  { connections, overlap }: { connections: number | null; overlap: number },
): Promise<void> {
  const { store, clock } = app;
  const records = store.keyv(seenConnections);
  const others = (await countsIn(app)).filter(({ instance }) => instance !== store.instance);
  const seen = { at: clock.now(), connections, overlap, expected: others.length + 1 };
  await records.set(store.instance, seen);
  if (deadIn(seen) > 0) await store.timers.set(`${confirmTimer}${store.instance}`, seen.at + overlapMs);
  else await noteGone(app);
}

/** All that reading the counts takes: the doctor has no more. */
interface CountingApp {
  store: Pick<Store, "scan" | "alive" | "instance">;
}

/** The newest count, for the metrics; null in HTTP mode, or while Slack names none. */
export async function connectionFigures(
  app: CountingApp,
): Promise<Record<"counted" | "expected" | "dead", number> | null> {
  const seen = await newestCount(app);
  if (!seen || seen.connections === null) return null;
  return { counted: seen.connections, expected: seen.expected, dead: deadIn(seen) };
}

/** The newest count of any living instance; null in HTTP mode, or before the first. */
async function newestCount(app: CountingApp, stopped = false): Promise<Seen | null> {
  const found = await countsIn(app, stopped);
  return found.map(({ seen }) => seen).sort((one, other) => other.at - one.at)[0] ?? null;
}

/**
 * A sentence for the operator; null while Slack counts no more connections than there are. `stopped`: a count that a stopped instance left is
 * one, too, since dead connections outlive it.
 */
export async function connectionProblem(app: CountingApp, { stopped = false } = {}): Promise<string | null> {
  const seen = await newestCount(app, stopped);
  return seen && deadIn(seen) > 0
    ? `${countedWords(seen, utc(seen.at))} Presses may be lost until Slack drops the others, which takes hours. HTTP mode has no such connections.`
    : null;
}

async function countsIn({ store }: CountingApp, stopped = false): Promise<{ instance: string; seen: Seen }[]> {
  const found: { instance: string; seen: Seen }[] = [];
  for await (const { key: instance, value: seen } of store.scan(seenConnections))
    if (stopped || instance === store.instance || (await store.alive(instance))) found.push({ instance, seen });
  return found;
}

function deadIn({ connections, expected, overlap }: Seen): number {
  return Math.max(0, (connections ?? 0) - expected - overlap);
}

export function connectionTimers(app: AlertsApp): LaneHandlers {
  return { [confirmTimer]: () => notifyOfDead(app) };
}

/** Notifies the admins once, if the newest count still says so. */
async function notifyOfDead(app: AlertsApp): Promise<number | undefined> {
  const { store, clock } = app;
  const seen = await newestCount(app);
  if (!seen || deadIn(seen) === 0 || (await store.keyv(notifiedCounts).has(newestKey))) return undefined;
  if (clock.now() < seen.at + overlapMs) return seen.at + overlapMs;
  const { records, timers } = await deadChange(app, seen, { isOver: false });
  await store.transact({ records: [creating(notifiedCounts, newestKey, seen), ...records], timers });
  return undefined;
}

async function noteGone(app: TimedApp): Promise<void> {
  for (;;) {
    const notified = await app.store.read(notifiedCounts, newestKey);
    if (!notified.value) return;
    const { records, timers } = await deadChange(app, notified.value, { isOver: true });
    if (await app.store.transact({ records: [deleting(notified), ...records], timers })) return;
  }
}

function deadChange(app: TimedApp, seen: Seen, { isOver }: { isOver: boolean }): Promise<NoticeChange> {
  const text = isOver
    ? `:white_check_mark: Slack has dropped the dead connections that it counted ${moment(seen.at)}. Presses arrive again.`
    : `:warning: ${countedWords(seen, moment(seen.at))} Slack may send a press to a dead connection, and then nothing happens. Press again after a few seconds without an answer. Slack drops dead connections by itself, which takes hours. Do not restart Rackbell because of this: that can leave one more. HTTP mode has no such connections: your operator finds it in \`src/guide/operate.md\`.`;
  return noticeChange(app, { to: { admins: [] }, text }, `connections:${seen.at}`);
}

function countedWords({ connections, expected }: Seen, when: string): string {
  return `Slack counted ${count(connections ?? 0, "connection")} of Rackbell ${when.startsWith("<") ? when : `at ${when}`}, for ${count(expected, "instance")}.`;
}
