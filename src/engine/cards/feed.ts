import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Cause, Hearing } from "../requests/hearing.ts";
import type { Cards } from "./card.ts";
import type { Confirm } from "./confirm.ts";
import { toConfirm } from "./confirmation.ts";
import type { Digests } from "./digest.ts";
import type { EventLog, KeptEvent } from "./event-log.ts";
import { isDue, isLoud, partOf } from "./latest.ts";
import type { Outcome, Outcomes, ToldChannel } from "./outcomes.ts";
import { isMuted, lets, mannerOf, type Routing, type Subscriptions } from "./subscriptions.ts";
import { eventLine } from "./view.ts";

const sweepEveryMs = 60_000;
/** How far back it is looked for what was found before. */
const looked = 20;

/** Brings what was kept to its requests and cards, in the order in which it came, and looks again each minute: a wake-up between keeping and waking may be lost. */
export function createFeed(deps: {
  store: Store;
  clock: Clock;
  events: EventLog;
  subscriptions: Subscriptions;
  cards: Cards;
  hearing: Pick<Hearing, "hear">;
  digests: Pick<Digests, "add">;
  confirm: Pick<Confirm, "ask">;
  outcomes: Pick<Outcomes, "note">;
  tell: (card: string) => Promise<void>;
}): () => Promise<number> {
  const { store, clock, events, subscriptions, cards, hearing, digests, confirm, outcomes, tell } = deps;
  const cursor = store.values("alert-feed");

  /** Whether the same was found by reading before the supplier's event came: a service that is sold on is one's own, too. */
  async function isRepeat(event: KeptEvent): Promise<boolean> {
    const about = event.data.serviceId;
    if (!about || event.source !== "told") return false;
    const before = await events.newest({ about, before: event.id, limit: looked });
    const last = before.find((one) => partOf(one) === partOf(event));
    return last !== undefined && last.source !== "told" && last.event === event.event;
  }

  /** What a channel gets of it; null for nothing. */
  async function bringTo(
    channel: string,
    event: KeptEvent,
    { routing, things, cause, isNews }: { routing: Routing; things: string[]; cause: Cause | null; isNews: boolean },
  ): Promise<ToldChannel | null> {
    const through = routing.subscriptions.filter((one) => one.channel === channel && lets(one, event));
    const wanted = isNews && through.length > 0;
    const muted = wanted && isMuted(routing.mutes, channel, event);
    const rings = wanted && !muted;
    const loud = rings && !cause?.expected && isLoud(event);
    const mentions = loud ? through.flatMap(({ mention }) => mention ?? []) : [];
    const entry = {
      ...{ id: event.id, loud, askedBy: cause?.request.slackUser ?? event.askedBy },
      mention: [...new Set(mentions)].join(" ") || null,
    };
    const { mode } = mannerOf(routing, channel);
    if (mode === "digest") {
      if (muted) return { channel, as: "muted", card: null };
      if (!rings || cause?.expected) return null;
      await digests.add(channel, event, entry);
      return { channel, as: "digest", card: null };
    }
    const added = await cards.add(event, {
      ...{ channel, things, entry },
      starts: rings && starts(event, channel, cause),
      anew: loud && mode === "card",
    });
    if (added !== null) await tell(added.id);
    if (muted) return { channel, as: "muted", card: added?.id ?? null };
    return added && { channel, as: added.begun || loud ? "rang" : "shown", card: added.id };
  }

  async function bringToAll(event: KeptEvent, cause: Cause | null): Promise<Pick<Outcome, "repeat" | "channels">> {
    const things = thingsOf(event);
    const routing = await subscriptions.read();
    if (things.length === 0 || routing.subscriptions.length === 0) return { repeat: false, channels: [] };
    const repeat = event.askedBy === null && (await isRepeat(event));
    const isNews = event.askedBy === null && !repeat;
    const channels: ToldChannel[] = [];
    for (const channel of new Set(routing.subscriptions.map((one) => one.channel))) {
      const told = await bringTo(channel, event, { routing, things, cause, isNews });
      if (told) channels.push(told);
    }
    return { repeat, channels };
  }

  async function bring(event: KeptEvent): Promise<void> {
    if (event.aside !== null) return;
    const cause = await hearing.hear(newsOf(event));
    const told = await bringToAll(event, cause);
    const request = cause && { slackUser: cause.request.slackUser, expected: cause.expected };
    await outcomes.note(event.id, { ...told, request });
    const shownOn = told.channels.flatMap(({ card }) => card ?? []);
    const thing = toConfirm(event);
    if (thing !== null && shownOn.length > 0) await confirm.ask(thing, shownOn);
  }

  return async () => {
    for (;;) {
      const from = await cursor.get("last");
      const page = await events.after(typeof from === "string" ? from : "");
      for (const event of page.events) await bring(event);
      if (page.last === null) return clock.now() + sweepEveryMs;
      await cursor.set("last", page.last);
    }
  };
}

/** What was asked here is told by its own message. What is new in the estate has a card all the same, where that message does not stand. */
function starts({ event }: KeptEvent, channel: string, cause: Cause | null): boolean {
  if (!cause?.expected) return true;
  return (event.startsWith("order.") || event === "service.provisioned") && cause.request.channel !== channel;
}

/** One card for each order, with all its services; for each service where there is no order, for each document and image; for the renewals of one day. */
function thingsOf({ event, data }: KeptEvent): string[] {
  if (data.documentId) return [`document:${data.documentId}`];
  if (data.imageId) return [`image:${data.imageId}`];
  if (data.serviceId && isDue(event)) return [`renewals:${data.dueAt?.slice(0, 10)}`];
  return [
    ...(data.orderId ? [`order:${data.orderId}`] : []),
    // What is found of a service alone belongs to the card of its order.
    ...(data.serviceId ? [`service:${data.serviceId}`] : []),
  ];
}

function newsOf(event: KeptEvent) {
  const { orderId, serviceId, externalOrderId, services } = event.data;
  const about = [serviceId, ...(services ?? []).map((service) => service.serviceId), orderId];
  return {
    ...{ id: event.id, event: event.event, at: event.at, line: eventLine(event) },
    // A test event is about nothing but itself.
    about: [...about.filter((id) => typeof id === "string"), event.event],
    ownOrder: externalOrderId ?? null,
  };
}
