import type { Clock } from "../../clock.ts";
import type { Registry } from "../../operation/registry.ts";
import type { Store } from "../../storage/store.ts";
import type { Foundation } from "../foundation.ts";
import type { Audit } from "../records/audit.ts";
import { type Outbox, tellWake } from "../telling/outbox.ts";
import { type Card, type Cards, createCards } from "./card.ts";
import type { EventLog, FoundEvent, KeptEvent, SignedDelivery } from "./event-log.ts";
import type { EventName } from "./events.ts";
import { isDue, isLoud, partOf } from "./latest.ts";
import { createSubscriptions, isMuted, lets, type Subscriptions } from "./subscriptions.ts";
import { createCardTellings } from "./tellings.ts";

const feedLane = "events:";
const feedWake = `${feedLane}feed`;
const cardKind = "alert";
const sweepEveryMs = 60_000;
/** An event comes within two sweeps of the supplier's; later than this it is news, whoever asked. */
const causedWithinMs = 15 * 60_000;
/** The same of what is found by reading. */
const foundWithinMs = 60 * 60_000;

/** The commands that an event answers to. */
const causes = new Map<string, string>([
  ["service.suspended", "reseller service suspend"],
  ["service.unsuspended", "reseller service unsuspend"],
  ["service.terminated", "reseller service terminate"],
  ["order.paid", "reseller order"],
  ["order.invoiced", "reseller order"],
  ["invoice.paid", "billing pay"],
  ["proforma.paid", "billing pay"],
] satisfies [EventName, string][]);

/** Events, the supplier's and what was found by reading, in the channels that asked for them (design section 6). */
export interface Alerts extends Subscriptions {
  /** Keeps an event, as the log does, and has it brought to its channels. */
  keep(delivery: SignedDelivery): Promise<boolean>;
  /** The same for what nobody sent. */
  keepFound(found: FoundEvent): Promise<boolean>;
  /** Looks at once for what was kept and not brought on, as after a crash. */
  start(): void;
  undelivered(): Promise<{ id: string; card: Card }[]>;
  countUndelivered(): Promise<number>;
  /** Tries again to place a card that stands nowhere. False where there is none. */
  replay(id: string): Promise<boolean>;
}

export function createAlerts(
  { store, clock, log }: Foundation,
  { events, outbox, audit, registry }: { events: EventLog; outbox: Outbox; audit: Audit; registry: Registry },
): Alerts {
  const subscriptions = createSubscriptions({ store, log });
  const cards = createCards({ store, log });
  outbox.source(cardKind, createCardTellings({ cards, events, registry }));
  const feed = createFeed({ store, clock, events, subscriptions, cards, audit });
  store.wakeups.handle(feedLane, feed, { atOnce: 1 });
  const tell = (id: string) => store.wakeups.wake(`${tellWake}${cardKind}:${id}`, clock.now());
  const arrived = () => store.wakeups.wake(feedWake, clock.now());
  return {
    ...subscriptions,
    async keep(delivery) {
      const kept = await events.keep(delivery);
      if (kept) await arrived();
      return kept;
    },
    async keepFound(found) {
      const kept = await events.keepFound(found);
      if (kept) await arrived();
      return kept;
    },
    start() {
      arrived().catch((error: unknown) => log.error({ err: error }, "The supplier's events are not looked at yet"));
    },
    undelivered: cards.unplaced,
    countUndelivered: cards.countUnplaced,
    async replay(id) {
      if (!(await cards.read(id))) return false;
      await cards.note(id, null);
      await tell(id);
      return true;
    },
  };
}

/** Brings what was kept to its cards, in the order in which it came, and looks again each minute: a wake-up between keeping and waking may be lost. */
function createFeed(deps: {
  store: Store;
  clock: Clock;
  events: EventLog;
  subscriptions: Subscriptions;
  cards: Cards;
  audit: Audit;
}): () => Promise<number> {
  const { store, clock, events, subscriptions, cards, audit } = deps;
  const cursor = store.values("alert-feed");

  async function askedBy({ event, data, at, source }: KeptEvent): Promise<string | null> {
    const command = causes.get(event);
    // Our orders bear their request's id.
    const about = event.startsWith("order.") ? data.externalOrderId : (data.documentId ?? data.serviceId);
    if (command === undefined || !about) return null;
    const within = source === "told" ? causedWithinMs : foundWithinMs;
    const entries = await audit.newest({ about, limit: 5 });
    const cause = entries.find(
      (one) => one.entry.command.startsWith(command) && one.entry.what === "done" && one.at > at - within,
    );
    return cause?.entry.slackUser ?? null;
  }

  /** Whether the same was found by reading before the supplier's event came: a service that is sold on is one's own, too. */
  async function isRepeat(event: KeptEvent): Promise<boolean> {
    const about = event.data.serviceId;
    if (!about || event.source !== "told") return false;
    const before = await events.newest({ about, before: event.id, limit: 20 });
    const last = before.find((one) => partOf(one) === partOf(event));
    return last !== undefined && last.source !== "told" && last.event === event.event;
  }

  async function bring(event: KeptEvent): Promise<void> {
    const things = thingsOf(event);
    if (things.length === 0 || event.aside !== null) return;
    const routing = await subscriptions.read();
    if (routing.subscriptions.length === 0) return;
    const by = await askedBy(event);
    const isNews = !(await isRepeat(event));
    for (const channel of new Set(routing.subscriptions.map((one) => one.channel))) {
      const rings =
        isNews &&
        routing.subscriptions.some((one) => one.channel === channel && lets(one, event)) &&
        !isMuted(routing.mutes, channel, event);
      const entry = { id: event.id, loud: rings && by === null && isLoud(event), askedBy: by };
      const id = await cards.add(event, { channel, things, starts: rings, entry });
      if (id !== null) await store.wakeups.wake(`${tellWake}${cardKind}:${id}`, clock.now());
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
