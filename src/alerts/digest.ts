import * as z from "#zod";
import { alertTimer, fromRecords, type Notification, type NotificationSource } from "../messages/outbox.ts";
import { mentionWords, nobody, Reached, reachNotes } from "../policy/responsibility/steps.ts";
import { scanIndex } from "../storage/create.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import { context, type Message, paragraphs, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { count, listing } from "../views/text.ts";
import type { AlertsApp } from "./app.ts";
import { readEvent } from "./event-log.ts";
import { aspectUnder, eventsWords, isLoud, isUrgent, type LoggedEvent } from "./events.ts";
import { channelAccepted, channelRefused } from "./notices.ts";
import { channelModeOf, nextHour, readRouting } from "./subscriptions.ts";
import { eventLine } from "./view.ts";
import { callOf } from "./waiting.ts";

/** Timer prefix: the next digest of a channel, which follows. */
export const digestTimer = "digest:";
export const digestSubject = "alert-digest";
const digestSlot = "digest";
const month = 30 * 24 * 60 * 60_000;
const mostLines = 40;

const Digest = z.object({
  channel: z.string(),
  at: z.number(),
  /** Events by their ids, oldest first, each with the member who requested it through Rackbell. */
  events: z.array(z.object({ id: z.string(), askedBy: z.string().nullable() })),
  /** The people whom it notifies, as they could be reached at its hour: the event may be of another shift. */
  reached: Reached,
});
type Digest = z.infer<typeof Digest>;

const Entry = z.object({
  askedBy: z.string().nullable(),
  /** The ids of the subscriptions whose people the digest mentions. */
  mentionedBy: z.array(z.string()),
});
type Entry = z.infer<typeof Entry>;
const digestEntries = defineKind({
  name: "entry of a digest",
  namespace: "alert-digest-entries",
  schema: Entry,
  ttlMs: month,
});
const digests = defineKind({ name: "digest", namespace: "alert-digests", schema: Digest, ttlMs: month });

const waitingEvents = (channel: string) => `alert-digest:${channel}`;

/** Stores the event for the channel's next digest. */
export async function addToDigest(app: AlertsApp, channel: string, event: LoggedEvent, entry: Entry): Promise<void> {
  const { store, clock } = app;
  // Store the entry before its place in the index: without the entry, the digest would miss the requester and its people.
  await store.keyv(digestEntries).set(`${channel} ${event.id}`, entry);
  const mode = channelModeOf(await readRouting(app), channel);
  await store.transact({
    records: [],
    index: [{ name: waitingEvents(channel), member: event.id, score: event.at }],
    timers: [{ id: `${digestTimer}${channel}`, at: nextHour(mode, clock.now()) }],
  });
}

/** To be called after a channel's mode or hours changed: posts the waiting events, and schedules the next digest. */
export function rescheduleDigest({ store, clock }: AlertsApp, channel: string): Promise<void> {
  return store.timers.set(`${digestTimer}${channel}`, clock.now());
}

/** The timer's run. Resolves to the time of the next digest (milliseconds since the epoch). */
export async function runDigest(app: AlertsApp, timerId: string): Promise<number | undefined> {
  const channel = timerId.slice(digestTimer.length);
  const mode = channelModeOf(await readRouting(app), channel);
  await composeWaiting(app, channel);
  return mode.mode === "digest" ? nextHour(mode, app.clock.now()) : undefined;
}

/** Composes a digest of the events that wait now. Those that come meanwhile wait for the next hour. */
async function composeWaiting(app: AlertsApp, channel: string): Promise<void> {
  let left: string[] = [];
  for await (const { member } of scanIndex(app.store.index(waitingEvents(channel)))) left.push(member);
  while (left.length > 0) {
    const composed = await compose(app, channel, left);
    // An event that a crash put into the list again is in the digest that was composed before; the other events need another one.
    left = left.filter((event) => !composed.includes(event));
  }
}

/**
 * Composes a digest of these events, unless the first of them is in one. Resolves to the events that it has, which wait no more; to none
 * if another instance stored that digest meanwhile.
 */
async function compose(app: AlertsApp, channel: string, found: readonly string[]): Promise<string[]> {
  const { store, clock } = app;
  const entries = store.keyv(digestEntries);
  const storedEntries = await Promise.all(found.map((member) => entries.get(`${channel} ${member}`)));
  const id = `${channel}:${found[0]}`;
  const stored = await store.read(digests, id);
  const digest: Digest = stored.value ?? {
    channel,
    at: clock.now(),
    events: found.map((member, at) => ({ id: member, askedBy: storedEntries[at]?.askedBy ?? null })),
    reached: await reachedBy(app, channel, new Set(storedEntries.flatMap((entry) => entry?.mentionedBy ?? []))),
  };
  const events = digest.events.map(({ id: event }) => event);
  const composed = await store.transact({
    records: stored.value ? [] : [replacing(stored, digest)],
    index: events.map((member) => ({ name: waitingEvents(channel), member, score: null })),
    timers: [{ id: alertTimer(digestSubject, id), at: clock.now() }],
  });
  return composed ? events : [];
}

/** The people whom these subscriptions, named by their ids, notify now. */
async function reachedBy(app: AlertsApp, channel: string, ids: ReadonlySet<string>): Promise<Reached> {
  const { subscriptions } = await readRouting(app);
  const call = await callOf(
    app,
    channel,
    subscriptions.filter(({ id, mention }) => mention !== null && ids.has(id)),
  );
  return call?.reached ?? nobody;
}

export function digestMessages(app: AlertsApp): NotificationSource {
  const records = app.store.keyv(digests);
  return {
    ...fromRecords(app, digests, async (digest) => {
      const shown = await Promise.all(
        digest.events.map(async ({ id: event, askedBy }) => ({ event: await readEvent(app, event), askedBy })),
      );
      const events = shown.flatMap(({ event, askedBy }) => (event ? [{ event, askedBy }] : []));
      const { channel, at: since, reached } = digest;
      const to = { in: "channel", channel, otherwise: null, lasting: false } as const;
      const own = { priority: "alert", since } as const;
      // A mention does not notify those who are not in the channel.
      const direct = reached.notified.flatMap(({ slackUser, direct: isDirect }): Notification[] => {
        const message = digestMessage(events, nobody, ` of <#${channel}>`);
        const toUser = { in: "direct", user: slackUser ?? "" } as const;
        return isDirect && slackUser !== null
          ? [{ ...own, slot: `${digestSlot}:${slackUser}`, to: toUser, message }]
          : [];
      });
      return [{ ...own, slot: digestSlot, to, message: digestMessage(events, reached) }, ...direct];
    }),
    async unplaced(id, slot, reason) {
      const digest = await records.get(id);
      if (!digest || slot !== digestSlot) return;
      const message = { channel: digest.channel, since: digest.at, noun: "a digest", slot, reason };
      await channelRefused(app, { kind: digestSubject, id }, message);
    },
    async placed(id, slot) {
      const digest = await records.get(id);
      if (digest && slot === digestSlot) await channelAccepted(app, { kind: digestSubject, id }, digest.channel);
    },
  };
}

/** An event of a digest, with its requester in words. */
interface DigestedEvent {
  event: LoggedEvent;
  askedBy: string | null;
}

function lineOf({ event, askedBy }: DigestedEvent): string {
  return `${moment(event.at)} ${eventLine(event)}${askedBy === null ? "" : ` · asked by ${askedBy}`}`;
}

/** The events that fit, in their order: failures that nothing in the digest made good, other loud events, then the newest of the others. */
function shownOf(events: readonly DigestedEvent[]): DigestedEvent[] {
  const last = new Map(events.map(({ event }) => [aspectUnder(event), event]));
  const isOpen = ({ event }: DigestedEvent) => isUrgent(event) && last.get(aspectUnder(event)) === event;
  const tierOf = (one: DigestedEvent) => (isOpen(one) ? 0 : isLoud(one.event) ? 1 : 2);
  const ranked = events.toReversed().toSorted((a, b) => tierOf(a) - tierOf(b));
  const shown = new Set(ranked.slice(0, mostLines));
  return events.filter((one) => shown.has(one));
}

/** "45 orders are paid and 2 services are ready." */
function leftWords(left: readonly DigestedEvent[]): string {
  const kinds = [...Map.groupBy(left, ({ event }) => event.event)];
  return `Not shown: ${listing(kinds.map(([kind, some]) => eventsWords(kind, some.length)))}.`;
}

function digestMessage(events: readonly DigestedEvent[], reached: Reached, ofChannel = ""): Message {
  const mention = mentionWords(reached);
  const notes = reachNotes(reached);
  const text = `${count(events.length, "event")} since the last digest${ofChannel}`;
  const shown = shownOf(events);
  const left = events.filter((one) => !shown.includes(one));
  return {
    text: `${mention ? `${mention} ` : ""}${text}`,
    blocks: [
      section(`*${text}*${mention ? ` ${mention}` : ""}`),
      ...(notes.length > 0 ? [context(notes.join(" "))] : []),
      ...(left.length > 0 ? [context(leftWords(left))] : []),
      ...paragraphs(shown.map(lineOf)),
    ],
  };
}
