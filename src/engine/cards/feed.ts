import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Cause, Hearing } from "../requests/hearing.ts";
import type { Cards } from "./card.ts";
import type { Confirm } from "./confirm.ts";
import { toConfirm } from "./confirmation.ts";
import type { Digests } from "./digest.ts";
import type { EventLog, KeptEvent } from "./event-log.ts";
import { isDue, isLoud, partOf } from "./latest.ts";
import { isMuted, lets, mannerOf, type Subscriptions } from "./subscriptions.ts";
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
  tell: (card: string) => Promise<void>;
}): () => Promise<number> {
  const { store, clock, events, subscriptions, cards, hearing, digests, confirm, tell } = deps;
  const cursor = store.values("alert-feed");

  /** Whether the same was found by reading before the supplier's event came: a service that is sold on is one's own, too. */
  async function isRepeat(event: KeptEvent): Promise<boolean> {
    const about = event.data.serviceId;
    if (!about || event.source !== "told") return false;
    const before = await events.newest({ about, before: event.id, limit: looked });
    const last = before.find((one) => partOf(one) === partOf(event));
    return last !== undefined && last.source !== "told" && last.event === event.event;
  }

  async function bring(event: KeptEvent): Promise<void> {
    if (event.aside !== null) return;
    const cause = await hearing.hear(newsOf(event));
    const things = thingsOf(event);
    if (things.length === 0) return;
    const routing = await subscriptions.read();
    if (routing.subscriptions.length === 0) return;
    const isNews = event.askedBy === null && !(await isRepeat(event));
    const shownOn: string[] = [];
    for (const channel of new Set(routing.subscriptions.map((one) => one.channel))) {
      const through = routing.subscriptions.filter((one) => one.channel === channel && lets(one, event));
      const rings = isNews && through.length > 0 && !isMuted(routing.mutes, channel, event);
      const loud = rings && !cause?.expected && isLoud(event);
      const mentions = loud ? through.flatMap(({ mention }) => mention ?? []) : [];
      const entry = {
        ...{ id: event.id, loud, askedBy: cause?.request.slackUser ?? event.askedBy },
        mention: [...new Set(mentions)].join(" ") || null,
      };
      const { mode } = mannerOf(routing, channel);
      if (mode === "digest") {
        if (rings && !cause?.expected) await digests.add(channel, event, entry);
        continue;
      }
      const id = await cards.add(event, {
        ...{ channel, things, entry },
        starts: rings && starts(event, channel, cause),
        anew: loud && mode === "card",
      });
      if (id === null) continue;
      shownOn.push(id);
      await tell(id);
    }
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
