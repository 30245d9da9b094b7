import * as z from "zod";
import { createRecords } from "../../storage/records.ts";
import { scanIndex } from "../../storage/scan-all.ts";
import { context, type Message, paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { count } from "../../views/text.ts";
import type { Foundation } from "../foundation.ts";
import { type Outbox, ringWake } from "../telling/outbox.ts";
import type { CardEvent } from "./card.ts";
import type { ChannelWatch } from "./channel-watch.ts";
import type { EventLog, KeptEvent } from "./event-log.ts";
import { mannerOf, nextHour, type Subscriptions } from "./subscriptions.ts";
import { eventLine } from "./view.ts";

const lane = "digest:";
const kind = "alert-digest";
const month = 30 * 24 * 60 * 60_000;
const mostLines = 40;
/** What its channel does not take is tried for a week, each hour. */
const triedEvery = 60 * 60_000;
const triedFor = 7 * 24 * triedEvery;

const Digest = z.object({
  channel: z.string(),
  at: z.number(),
  /** Events by their ids, oldest first, with who asked for them here. */
  events: z.array(z.object({ id: z.string(), askedBy: z.string().nullable() })),
  mention: z.string().nullable(),
});
type Digest = z.infer<typeof Digest>;

/** What a channel is told of at chosen hours, all in one message. */
export interface Digests {
  /** Keeps it for the channel's next digest. */
  add(channel: string, event: KeptEvent, entry: CardEvent): Promise<void>;
  /** The hours of a channel were set anew. */
  plan(channel: string): Promise<void>;
}

export function createDigests(
  { store, clock, log }: Foundation,
  {
    events,
    subscriptions,
    outbox,
    watch,
  }: {
    events: Pick<EventLog, "entry">;
    subscriptions: Pick<Subscriptions, "read">;
    outbox: Outbox;
    watch: ChannelWatch;
  },
): Digests {
  const digests = createRecords(store.values("alert-digests"), { name: "digest", schema: Digest, version: 1, log });
  const entries = store.values("alert-digest-entries");
  const waiting = (channel: string) => store.index(`alert-digest:${channel}`);

  /** Puts together what waits. The record comes before what waits is forgotten: a crash in between puts the same together again. */
  async function compose(channel: string): Promise<void> {
    const found: { member: string; score: number }[] = [];
    for await (const entry of scanIndex(waiting(channel))) found.push(entry);
    const [first] = found;
    if (!first) return;
    const kept = await Promise.all(
      found.map(async ({ member }) => Entry.safeParse(await entries.get(`${channel} ${member}`)).data),
    );
    const mentions = kept.flatMap((entry) => entry?.mention ?? []);
    const id = `${channel}:${first.member}`;
    const digest: Digest = {
      channel,
      at: clock.now(),
      events: found.map(({ member }, at) => ({ id: member, askedBy: kept[at]?.askedBy ?? null })),
      mention: [...new Set(mentions.flatMap((words) => words.split(" ")))].join(" ") || null,
    };
    await digests.update(id, (before) => (before ? undefined : digest), month);
    await store.wakeups.wake(`${ringWake}${kind}:${id}`, clock.now());
    const told = await digests.get(id);
    for (const { id: event } of told?.events ?? []) await waiting(channel).remove(event);
  }

  store.wakeups.handle(lane, async (wakeId) => {
    const channel = wakeId.slice(lane.length);
    const manner = mannerOf(await subscriptions.read(), channel);
    await compose(channel);
    return manner.mode === "digest" ? nextHour(manner, clock.now()) : undefined;
  });

  outbox.source(kind, {
    async tellings(id) {
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
      if (!digest || clock.now() > digest.at + triedFor) return;
      await watch.refused(digest.channel, reason);
      await store.wakeups.wake(`${ringWake}${kind}:${id}`, clock.now() + triedEvery);
    },
    async placed(id) {
      const digest = await digests.get(id);
      if (digest) await watch.taken(digest.channel);
    },
  });

  return {
    async add(channel, event, entry) {
      // What leads to it last: an entry that nothing leads to is forgotten by itself.
      await entries.set(`${channel} ${event.id}`, entry, month);
      await waiting(channel).put(event.id, event.at);
      const manner = mannerOf(await subscriptions.read(), channel);
      await store.wakeups.wake(`${lane}${channel}`, nextHour(manner, clock.now()));
    },
    plan: (channel) => store.wakeups.wake(`${lane}${channel}`, clock.now()),
  };
}

const Entry = z.object({ askedBy: z.string().nullable(), mention: z.string().nullable() });

function lineOf(event: KeptEvent, askedBy: string | null): string {
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
