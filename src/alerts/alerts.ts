import type { Access } from "../access/access.ts";
import { alertTimer, type Outbox, unpostedMarker } from "../notifications/outbox.ts";
import { readTakeValue } from "../notifications/take.ts";
import type { Registry } from "../operation/registry.ts";
import type { Foundation } from "../storage/foundation.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { type Alert, createAlertStore } from "./alert.ts";
import { alertSlot, createAlertMessages } from "./alert-messages.ts";
import { type Causes, expectedEventTimer } from "./causes.ts";
import { createChannelMonitor } from "./channel-monitor.ts";
import { createCrossCheck, type MonitoringKey } from "./cross-check.ts";
import { createDeliveryCounts, type DeliveryCounts } from "./delivery-counts.ts";
import { createDigests } from "./digest.ts";
import type { DetectedEvent, EventLog, SignedDelivery } from "./event-log.ts";
import { createEventRouter, type MutingWindows } from "./event-router.ts";
import { createFeed } from "./feed.ts";
import { createFeedTrigger, feedLane } from "./feed-trigger.ts";
import { createMissingEventCheck } from "./missing-event.ts";
import { type ChannelOutcome, createEventOutcomes, type EventOutcome } from "./outcomes.ts";
import { createProducts, type Products } from "./products.ts";
import { createSetAsideMonitor } from "./set-aside-monitor.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { type AlertTest, createAlertTest } from "./test-alert.ts";

const alertKind = "alert";

/** Posts events, the supplier's and those found by polling, in the channels that subscribe to them (design section 6). */
export interface Alerts extends Subscriptions {
  /** Stores the supplier's event and has it posted in its channels. False where the log has it already. */
  keep(delivery: SignedDelivery): Promise<boolean>;
  /** The same for an event that Rackbell detected itself. */
  addDetected(found: DetectedEvent): Promise<boolean>;
  /** Processes at once what was stored and not yet posted, as after a crash. */
  start(): void;
  /** Posts the digest's waiting events, then schedules the next one by the channel's present hours. */
  rescheduleDigest(channel: string): Promise<void>;
  /** Posts a test alert in a channel. */
  test: AlertTest;
  /** The products that events are about, as far as a read has shown them. */
  products: Pick<Products, "note" | "of">;
  /** Counts the outcomes of the supplier's deliveries. */
  deliveries: DeliveryCounts;
  /** How many alerts and digests are queued for Slack. */
  countWaiting(): Promise<number>;
  /** The first 20 alerts that Slack refused. `posted`: the message is there, and an update of it was refused. */
  undelivered(): Promise<{ id: string; card: Alert; posted: boolean }[]>;
  countUndelivered(): Promise<number>;
  timers: LaneHandlers;
  /** A press of *Take* or *Release*, by the value of its button. Resolves with why it changes nothing, as a sentence; else null. */
  take(value: string, slackUser: string): Promise<string | null>;
  /** Tries again to post an alert. False where no alert has that id. */
  replay(id: string): Promise<boolean>;
  /** Tries again to post all undelivered alerts, or those of one channel. Returns how many. */
  replayAll(channel?: string): Promise<number>;
  /** The outcome of an event, by the event's id; null where none is recorded. */
  outcomeOf(event: string): Promise<PostedOutcome | null>;
}

/** The outcome of an event, and for each channel whether its alert was posted. */
export interface PostedOutcome extends Omit<EventOutcome, "channels"> {
  channels: (ChannelOutcome & {
    /** Its alert is in the channel. */
    posted: boolean;
    /** Why Slack did not accept the alert; null otherwise. */
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
    monitoringKey,
    access,
    windows,
    secretSetBy,
    askerIn,
  }: {
    /** Slack user id of the admin who set the signing secret; null where none is set. */
    secretSetBy: () => Promise<string | null>;
    windows: MutingWindows;
    events: EventLog;
    outbox: Outbox;
    hearing: Causes;
    registry: Registry;
    monitoringKey: MonitoringKey;
    access: Pick<Access, "admins">;
    askerIn: Parameters<typeof createEventRouter>[0]["askerIn"];
  },
): Alerts {
  const { store, clock, log } = foundation;
  const subscriptions = createSubscriptions({ store });
  const alertStore = createAlertStore({ store, markUnposted: unpostedMarker(store, alertKind) });
  const queueAlert = (id: string) => store.wakeups.wake(`${alertTimer}${alertKind}:${id}`, clock.now());
  const crossCheck = createCrossCheck(foundation, { monitoringKey, queueAlert });
  async function replayAll(channel?: string): Promise<number> {
    const ids = await alertStore.allUnplaced(channel);
    for (const id of ids) await queueAlert(id);
    return ids.length;
  }

  const channelMonitor = createChannelMonitor(foundation, { access, subscriptions, outbox, again: replayAll });
  outbox.source(
    alertKind,
    createAlertMessages({ alertStore, events, subscriptions, crossCheck, registry, channelMonitor, clock }),
  );
  const digests = createDigests(foundation, { events, subscriptions, outbox, channelMonitor });
  const test = createAlertTest(foundation, outbox);
  const outcomes = createEventOutcomes({ store });
  const products = createProducts(foundation, monitoringKey);
  const channels = createEventRouter({
    windows,
    events,
    subscriptions,
    alertStore,
    digests,
    products,
    askerIn,
    queueAlert,
  });
  const setAside = createSetAsideMonitor(foundation, { setBy: secretSetBy, access, outbox });
  const feed = createFeed({ store, clock, events, hearing, crossCheck, outcomes, setAside, channels });
  const triggerFeed = createFeedTrigger({ wakeups: store.wakeups, clock, log });
  async function addDetected(found: DetectedEvent): Promise<boolean> {
    const isNew = await events.addDetected(found);
    if (isNew) triggerFeed();
    return isNew;
  }

  const timers: LaneHandlers = {
    [feedLane]: { run: feed, atOnce: 1 },
    [expectedEventTimer]: createMissingEventCheck({ hearing, events, raise: addDetected }),
    ...crossCheck.timers,
    ...digests.timers,
  };

  async function withPlace(outcome: ChannelOutcome): Promise<PostedOutcome["channels"][number]> {
    if (outcome.card === null) return { ...outcome, posted: false, unplaced: null };
    const [card, place] = await Promise.all([
      alertStore.read(outcome.card),
      outbox.placeOf(alertKind, outcome.card, alertSlot),
    ]);
    return { ...outcome, posted: place !== null, unplaced: card?.unplaced ?? null };
  }

  return {
    ...subscriptions,
    timers,
    rescheduleDigest: digests.reschedule,
    test,
    products,
    async keep(delivery) {
      const isNew = await events.keep(delivery);
      if (isNew) triggerFeed();
      return isNew;
    },
    addDetected,
    start: triggerFeed,
    deliveries: createDeliveryCounts(clock),
    async countWaiting() {
      const lane = (await store.wakeups.backlog()).find((one) => one.lane === alertTimer);
      return lane === undefined ? 0 : lane.due + lane.failing;
    },
    async undelivered() {
      const found = await alertStore.unplaced();
      const places = await Promise.all(found.map(({ id }) => outbox.placeOf(alertKind, id, alertSlot)));
      return found.map((one, at) => ({ ...one, posted: places[at] !== null }));
    },
    countUndelivered: alertStore.countUnplaced,
    async take(value, slackUser) {
      const { id, release } = readTakeValue(value);
      const problem = await alertStore.take(id, { slackUser, release, now: clock.now() });
      if (problem === null) await queueAlert(id);
      return problem;
    },
    async replay(id) {
      if (!(await alertStore.read(id))) return false;
      await queueAlert(id);
      return true;
    },
    replayAll,
    async outcomeOf(event) {
      const outcome = await outcomes.read(event);
      return outcome ? { ...outcome, channels: await Promise.all(outcome.channels.map(withPlace)) } : null;
    },
  };
}
