import type { Registry } from "../../operation/registry.ts";
import type { Access } from "../access.ts";
import type { Foundation } from "../foundation.ts";
import type { Hearing } from "../requests/hearing.ts";
import { expectWake } from "../requests/store.ts";
import { type Outbox, ringWake } from "../telling/outbox.ts";
import { createArrivals, feedLane } from "./arrivals.ts";
import { type Card, createCards } from "./card.ts";
import { createChannelWatch } from "./channel-watch.ts";
import { createBring, type Muting } from "./channels.ts";
import { createConfirm, type ReadingKey } from "./confirm.ts";
import { createDeliveries, type Deliveries } from "./deliveries.ts";
import { createDigests } from "./digest.ts";
import type { EventLog, FoundEvent, SignedDelivery } from "./event-log.ts";
import { createFeed } from "./feed.ts";
import { createOutcomes, type Outcome, type ToldChannel } from "./outcomes.ts";
import { createOverdue } from "./overdue.ts";
import { createProducts, type Products } from "./products.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { cardSlot, createCardTellings } from "./tellings.ts";
import { type AlertTest, createAlertTest } from "./test-alert.ts";

const cardKind = "alert";

/** Events, the supplier's and what was found by reading, in the channels that asked for them (design section 6). */
export interface Alerts extends Subscriptions {
  /** Keeps an event, as the log does, and has it brought to its channels. */
  keep(delivery: SignedDelivery): Promise<boolean>;
  /** The same for what nobody sent. */
  keepFound(found: FoundEvent): Promise<boolean>;
  /** Looks at once for what was kept and not brought on, as after a crash. */
  start(): void;
  /** Puts what waits for a digest together, and counts its hours anew. */
  planDigest(channel: string): Promise<void>;
  /** Posts a test to a channel, as an alert is posted. */
  test: AlertTest;
  /** Which products they are about, as far as reading has shown. */
  products: Pick<Products, "note" | "of">;
  /** What came of the supplier's deliveries. */
  deliveries: Deliveries;
  /** How many cards and digests wait for their turn in Slack, or for Slack itself. */
  countWaiting(): Promise<number>;
  /** The first cards that could not be posted, or (`stands`) brought up to date. */
  undelivered(): Promise<{ id: string; card: Card; stands: boolean }[]>;
  countUndelivered(): Promise<number>;
  /** Tries again to place a card that stands nowhere. False where there is none. */
  replay(id: string): Promise<boolean>;
  /** The same for all of them, or for those of a channel; answers how many. */
  replayAll(channel?: string): Promise<number>;
  /** What became of an event, by its id; null where nothing is recorded of that. */
  becameOf(event: string): Promise<Became | null>;
}

/** What became of an event, and whether what its channels got of it stands there. */
export interface Became extends Omit<Outcome, "channels"> {
  channels: (ToldChannel & {
    /** Its card is in the channel. */
    stands: boolean;
    /** Why the card can stand nowhere, where that is so. */
    unplaced: string | null;
  })[];
}

export function createAlerts(
  foundation: Foundation,
  {
    events,
    outbox,
    hearing,
    registry,
    readingKey,
    access,
    windows,
  }: {
    windows: Muting;
    events: EventLog;
    outbox: Outbox;
    hearing: Hearing;
    registry: Registry;
    readingKey: ReadingKey;
    access: Pick<Access, "admins">;
  },
): Alerts {
  const { store, clock, log } = foundation;
  const subscriptions = createSubscriptions({ store, log });
  const cards = createCards({ store, log });
  const tell = (id: string) => store.wakeups.wake(`${ringWake}${cardKind}:${id}`, clock.now());
  const confirm = createConfirm(foundation, { readingKey, tell });
  async function replayAll(channel?: string): Promise<number> {
    const ids = await cards.allUnplaced(channel);
    for (const id of ids) await tell(id);
    return ids.length;
  }

  const watch = createChannelWatch(foundation, { access, subscriptions, outbox, again: replayAll });
  outbox.source(cardKind, createCardTellings({ cards, events, subscriptions, confirm, registry, watch }));
  const digests = createDigests(foundation, { events, subscriptions, outbox, watch });
  const test = createAlertTest(foundation, outbox);
  const outcomes = createOutcomes({ store, log });
  const products = createProducts(foundation, readingKey);
  const channels = createBring({ windows, events, subscriptions, cards, digests, products, tell });
  const feed = createFeed({ store, clock, events, hearing, confirm, outcomes, channels });
  store.wakeups.handle(feedLane, feed, { atOnce: 1 });
  const arrived = createArrivals({ wakeups: store.wakeups, clock, log });
  async function keepFound(found: FoundEvent): Promise<boolean> {
    const kept = await events.keepFound(found);
    if (kept) arrived();
    return kept;
  }

  store.wakeups.handle(expectWake, createOverdue({ hearing, events, tell: keepFound }));
  async function withPlace(told: ToldChannel): Promise<Became["channels"][number]> {
    if (told.card === null) return { ...told, stands: false, unplaced: null };
    const [card, place] = await Promise.all([cards.read(told.card), outbox.placeOf(cardKind, told.card, cardSlot)]);
    return { ...told, stands: place !== null, unplaced: card?.unplaced ?? null };
  }

  return {
    ...subscriptions,
    planDigest: digests.plan,
    test,
    products,
    async keep(delivery) {
      const kept = await events.keep(delivery);
      if (kept) arrived();
      return kept;
    },
    keepFound,
    start: arrived,
    deliveries: createDeliveries(clock),
    async countWaiting() {
      const lane = (await store.wakeups.backlog()).find((one) => one.lane === ringWake);
      return lane === undefined ? 0 : lane.due + lane.failing;
    },
    async undelivered() {
      const found = await cards.unplaced();
      const places = await Promise.all(found.map(({ id }) => outbox.placeOf(cardKind, id, cardSlot)));
      return found.map((one, at) => ({ ...one, stands: places[at] !== null }));
    },
    countUndelivered: cards.countUnplaced,
    async replay(id) {
      if (!(await cards.read(id))) return false;
      await tell(id);
      return true;
    },
    replayAll,
    async becameOf(event) {
      const outcome = await outcomes.read(event);
      return outcome ? { ...outcome, channels: await Promise.all(outcome.channels.map(withPlace)) } : null;
    },
  };
}
