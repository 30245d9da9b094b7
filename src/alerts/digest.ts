import * as z from "zod";
import { alertTimer, type Outbox } from "../notifications/outbox.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { scanIndex } from "../storage/scan-index.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import { context, type Message, paragraphs, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { count } from "../views/text.ts";
import type { AlertEvent } from "./alert.ts";
import type { ChannelMonitor } from "./channel-monitor.ts";
import type { EventLog, LoggedEvent } from "./event-log.ts";
import { channelModeOf, nextHour, type Subscriptions } from "./subscriptions.ts";
import { eventLine } from "./view.ts";

const lane = "digest:";
const kind = "alert-digest";
const month = 30 * 24 * 60 * 60_000;
const mostLines = 40;
/** A digest that Slack refuses is tried again each hour for a week. */
const retryEvery = 60 * 60_000;
const retryFor = 7 * 24 * retryEvery;

const Digest = z.object({
  channel: z.string(),
  at: z.number(),
  /** Events by their ids, oldest first, each with the member who requested it through Rackbell. */
  events: z.array(z.object({ id: z.string(), askedBy: z.string().nullable() })),
  mention: z.string().nullable(),
});
type Digest = z.infer<typeof Digest>;

/** Collects a channel's events and posts them in one message at chosen hours. */
export interface Digests {
  timers: LaneHandlers;
  /** Stores the event for the channel's next digest. */
  add(channel: string, event: LoggedEvent, entry: AlertEvent): Promise<void>;
  /** To be called after a channel's mode or hours changed: posts the waiting events, and schedules the next digest. */
  reschedule(channel: string): Promise<void>;
}

const Entry = z.object({ askedBy: z.string().nullable(), mention: z.string().nullable() });
const digestEntries = defineKind({
  name: "entry of a digest",
  namespace: "alert-digest-entries",
  schema: Entry,
  ttlMs: month,
});
const digestKind = defineKind({ name: "digest", namespace: "alert-digests", schema: Digest, version: 1, ttlMs: month });

export function createDigests(
  { store, clock }: Foundation,
  {
    events,
    subscriptions,
    outbox,
    channelMonitor,
  }: {
    events: Pick<EventLog, "entry">;
    subscriptions: Pick<Subscriptions, "read">;
    outbox: Outbox;
    channelMonitor: ChannelMonitor;
  },
): Digests {
  const digests = store.keyv(digestKind);
  const entries = store.keyv(digestEntries);
  const waiting = (channel: string) => store.index(`alert-digest:${channel}`);

  /** Composes a digest of the waiting events. It is stored before they are removed: after a crash in between, the same digest is composed again. */
  async function compose(channel: string): Promise<void> {
    const found: { member: string; score: number }[] = [];
    for await (const entry of scanIndex(waiting(channel))) found.push(entry);
    const [first] = found;
    if (!first) return;
    const storedEntries = await Promise.all(found.map(({ member }) => entries.get(`${channel} ${member}`)));
    const mentions = storedEntries.flatMap((entry) => entry?.mention ?? []);
    const id = `${channel}:${first.member}`;
    const digest: Digest = {
      channel,
      at: clock.now(),
      events: found.map(({ member }, at) => ({ id: member, askedBy: storedEntries[at]?.askedBy ?? null })),
      mention: [...new Set(mentions.flatMap((words) => words.split(" ")))].join(" ") || null,
    };
    await update(store, digestKind, id, (before) => (before ? undefined : digest));
    await store.wakeups.wake(`${alertTimer}${kind}:${id}`, clock.now());
    const composed = await digests.get(id);
    for (const { id: event } of composed?.events ?? []) await waiting(channel).remove(event);
  }

  async function composeNext(wakeId: string): Promise<number | undefined> {
    const channel = wakeId.slice(lane.length);
    const mode = channelModeOf(await subscriptions.read(), channel);
    await compose(channel);
    return mode.mode === "digest" ? nextHour(mode, clock.now()) : undefined;
  }

  outbox.source(kind, {
    async notifications(id) {
      const digest = await digests.get(id);
      if (!digest) return null;
      const shown = await Promise.all(
        digest.events.map(async ({ id: event, askedBy }) => ({ event: await events.entry(event), askedBy })),
      );
      const lines = shown.flatMap(({ event, askedBy }) => (event ? [lineOf(event, askedBy)] : []));
      const to = { in: "channel", channel: digest.channel, otherwise: null, lasting: false } as const;
      return [{ slot: "digest", to, message: digestMessage(digest, lines), priority: "alert", since: digest.at }];
    },
    async unplaced(id, _slot, reason) {
      const digest = await digests.get(id);
      if (!digest || clock.now() > digest.at + retryFor) return;
      await channelMonitor.refused(digest.channel, reason);
      await store.wakeups.wake(`${alertTimer}${kind}:${id}`, clock.now() + retryEvery);
    },
    async placed(id) {
      const digest = await digests.get(id);
      if (digest) await channelMonitor.taken(digest.channel);
    },
  });

  return {
    timers: { [lane]: composeNext },
    async add(channel, event, entry) {
      // Store the entry before its place in the index: without the entry, the digest would miss the requester and the mention.
      await entries.set(`${channel} ${event.id}`, entry);
      await waiting(channel).put(event.id, event.at);
      const mode = channelModeOf(await subscriptions.read(), channel);
      await store.wakeups.wake(`${lane}${channel}`, nextHour(mode, clock.now()));
    },
    reschedule: (channel) => store.wakeups.wake(`${lane}${channel}`, clock.now()),
  };
}

function lineOf(event: LoggedEvent, askedBy: string | null): string {
  return `${moment(event.at)} ${eventLine(event)}${askedBy === null ? "" : ` · asked by <@${askedBy}>`}`;
}

function digestMessage({ mention }: Digest, lines: string[]): Message {
  const text = `${count(lines.length, "event")} since the last digest`;
  const before = lines.length - mostLines;
  return {
    text: `${mention ? `${mention} ` : ""}${text}`,
    blocks: [
      section(`*${text}*${mention ? ` ${mention}` : ""}`),
      ...(before > 0 ? [context(`${count(before, "more", "more")} before these.`)] : []),
      ...paragraphs(lines.slice(-mostLines)),
    ],
  };
}
