import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Cause, Hearing } from "../requests/hearing.ts";
import type { Cards } from "./card.ts";
import type { EventLog, KeptEvent } from "./event-log.ts";
import { isLoud } from "./latest.ts";
import { isMuted, lets, type Subscriptions } from "./subscriptions.ts";
import { eventLine } from "./view.ts";

const sweepEveryMs = 60_000;

/** Brings what was kept to its requests and cards, in the order in which it came, and looks again each minute: a wake-up between keeping and waking may be lost. */
export function createFeed(deps: {
  store: Store;
  clock: Clock;
  events: EventLog;
  subscriptions: Subscriptions;
  cards: Cards;
  hearing: Pick<Hearing, "hear">;
  tell: (card: string) => Promise<void>;
}): () => Promise<number> {
  const { store, clock, events, subscriptions, cards, hearing, tell } = deps;
  const cursor = store.values("alert-feed");

  async function bring(event: KeptEvent): Promise<void> {
    if (event.aside !== null) return;
    const cause = await hearing.hear(newsOf(event));
    const thing = thingOf(event);
    if (thing === null) return;
    const { subscriptions: all, mutes } = await subscriptions.read();
    for (const channel of new Set(all.map((one) => one.channel))) {
      const rings = all.some((one) => one.channel === channel && lets(one, event)) && !isMuted(mutes, channel, event);
      const entry = {
        id: event.id,
        loud: rings && !cause?.expected && isLoud(event),
        askedBy: cause?.request.slackUser ?? null,
      };
      const id = await cards.add(event, { channel, thing, starts: rings && starts(event, channel, cause), entry });
      if (id !== null) await tell(id);
    }
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

/** One card for each order, with all its services; for each service where there is no order. */
function thingOf({ data }: KeptEvent): string | null {
  if (data.orderId) return `order:${data.orderId}`;
  return data.serviceId ? `service:${data.serviceId}` : null;
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
