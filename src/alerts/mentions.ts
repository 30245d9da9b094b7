import * as z from "#zod";
import { peopleWords } from "../members/people/people-list.ts";
import type { ReachApp } from "../policy/responsibility/reach.ts";
import {
  readResponsibility,
  responsibilityTimer,
  type WaitingSubject,
} from "../policy/responsibility/responsibility.ts";
import { mentionWords } from "../policy/responsibility/steps.ts";
import { scanIndex } from "../storage/create.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import {
  addLateMention,
  emptyIndex,
  queueAlert,
  readAlert,
  removeFromIndex,
  responsibilityOf,
  settleUnmentioned,
  unmentionedUnder,
} from "./alert.ts";
import { readEvent } from "./event-log.ts";
import { aspectUnder, type LoggedEvent } from "./events.ts";
import { isStillBad } from "./present.ts";
import { readRouting, type Subscription } from "./subscriptions.ts";
import { alertWaiting, callOf, presentMute, type WaitingApp } from "./waiting.ts";

// A subscription mentions once in five minutes: forty machines that fail together must not call somebody forty times. What failed
// meanwhile is owed a mention, which comes once at their end, or at the end of a mute, if something is down still.

const hour = 60 * 60_000;
/** Milliseconds from one mention of a subscription to its next. */
export const pauseMs = 5 * 60_000;
/** So many of what is down are named in the mention that was owed; the others are counted. */
const mostNamed = 20;
/** So many resources are looked at, so that a storm of which all have recovered costs no more. */
const mostRead = 1_000;

/** The last mention of a subscription: its event, when that arrived, and the alert that shows it, once there is one. */
const LastMention = z.object({ event: z.string(), at: z.number(), alert: z.string().nullable() });
const lastMentions = defineKind({
  name: "last mention of a subscription",
  namespace: "alert-mentions",
  schema: LastMention,
  ttlMs: hour,
});

/** The events that a subscription owes a mention: "<event> <alert>". */
const owedBy = (subscription: string) => `owed-mentions:${subscription}`;
/** The timer at which a subscription's pause is over. */
const lane = "owed-mention:";

/** The timer at which a subscription pays its owed mentions. */
export function owedMentionTimer(subscription: string, at: number): { id: string; at: number } {
  return { id: `${lane}${subscription}`, at };
}

/** The mention of a subscription that was so recent that an event got none of its own. */
interface RecentMention {
  subscription: string;
  event: string;
  at: number;
  alert: string;
}

/**
 * The subscriptions that mention their people with the event, since they have made no mention for a while. `recent`: the last mentions of the others. Running it again for
 * the same event gives the same.
 */
export async function takeMentions(
  { store }: StoreApp,
  subscriptions: readonly Subscription[],
  { id, at }: LoggedEvent,
): Promise<{ takenBy: string[]; recent: RecentMention[] }> {
  const takenBy: string[] = [];
  const recent: RecentMention[] = [];
  for (const { id: subscription, mention } of subscriptions) {
    if (mention === null) continue;
    const last = await update(store, lastMentions, subscription, (before) => {
      const isRecent = before && before.event !== id && at - before.at >= 0 && at - before.at < pauseMs;
      return before?.event === id || isRecent ? undefined : { event: id, at, alert: null };
    });
    if (last?.event === id) takenBy.push(subscription);
    else if (last?.alert) recent.push({ subscription, event: last.event, at: last.at, alert: last.alert });
  }
  return { takenBy, recent };
}

/** Notes the alert that shows the mention of these subscriptions. */
export async function noteMentions(
  { store }: StoreApp,
  subscriptions: readonly string[],
  { id }: LoggedEvent,
  alert: string,
): Promise<void> {
  for (const subscription of subscriptions)
    await update(store, lastMentions, subscription, (now) => (now?.event === id ? { ...now, alert } : undefined));
}

/**
 * Has the messages with the last mentions count an event that mentions nobody itself, and owes it a mention at the end of the pause. In an
 * index, since thousands may come within it.
 */
export async function oweMentions(
  app: TimedApp,
  event: LoggedEvent,
  alert: string | null,
  recent: readonly RecentMention[],
): Promise<void> {
  for (const { subscription, event: mentioned, at, alert: under } of recent) {
    const counted = { name: unmentionedUnder(under, mentioned), member: event.id, score: event.at };
    const owed = { name: owedBy(subscription), member: `${event.id} ${alert}`, score: event.at };
    await app.store.transact({
      records: [],
      index: [counted, ...(alert === null ? [] : [owed])],
      timers: [owedMentionTimer(subscription, at + pauseMs)],
    });
    await queueAlert(app, under);
  }
}

/** An event that is owed a mention, and its alert. */
interface Owed {
  event: LoggedEvent;
  alert: string;
}

export function mentionTimers(app: ReachApp): LaneHandlers {
  return { [lane]: { run: (timerId) => payMention(app, timerId.slice(lane.length)), atOnce: 2 } };
}

/** Mentions once what is down still when the pause of a subscription is over. Resolves to the time of the next try. */
async function payMention(app: ReachApp, subscription: string): Promise<number | undefined> {
  const { store, clock } = app;
  const now = clock.now();
  const last = await store.keyv(lastMentions).get(subscription);
  if (last && now < last.at + pauseMs) return last.at + pauseMs;
  const { subscriptions } = await readRouting(app);
  const found = subscriptions.find(({ id }) => id === subscription);
  const owed = found?.mention ? await stillDown(app, found) : noDebt;
  const asked = owed.down.length > 0 ? found : undefined;
  const call = asked ? await callOf(app, asked.channel, [asked]) : null;
  // Again, since it may be over by now: Slack was asked whom the mention reaches.
  const { down, others, paid, mutedUntil } = asked ? await stillDown(app, asked) : owed;
  const newest = down.at(-1);
  if (found?.mention && newest) {
    const events = down.map(({ event, alert }) => ({ id: event.id, alert }));
    const mention = (call && mentionWords(call.reached)) ?? peopleWords(found.mention);
    await addLateMention(app, newest.alert, { subscription, mention, call, at: now, events, others });
    await store.timers.set(responsibilityTimer(responsibilityOf(newest.alert)), now);
    await store.keyv(lastMentions).set(subscription, { event: newest.event.id, at: now, alert: newest.alert });
  }
  if (last?.alert) await settleUnmentioned(app, last.alert, last.event);
  // After the mention is stored: a crash before this pays the same again, which changes nothing.
  if (found?.mention) await removeFromIndex(app, owedBy(subscription), paid);
  else await emptyIndex(app, owedBy(subscription));
  return mutedUntil.length > 0 ? Math.min(...mutedUntil) : undefined;
}

/**
 * The wait of an alert for the lane of what waits; null once it has recovered. The others that its last owed mention named have no steps of
 * their own, so they are owed a mention anew: it names those that still need somebody, and steps follow it.
 */
export async function readAlertWaiting(app: WaitingApp, id: string): Promise<WaitingSubject | null> {
  const waiting = await alertWaiting(app, id);
  if (!waiting?.isOver) return waiting;
  const late = (await readAlert(app, id))?.lateMentions.at(-1);
  const others = late?.events.filter(({ alert }) => alert !== id) ?? [];
  if (late && others.length > 0)
    await app.store.transact({
      records: [],
      index: others.map((one) => ({
        name: owedBy(late.subscription),
        member: `${one.id} ${one.alert}`,
        score: late.at,
      })),
      timers: [owedMentionTimer(late.subscription, app.clock.now())],
    });
  return null;
}

/** The events to which a subscription owes a mention. */
interface Debt {
  /** The first ones that still need somebody, oldest first, each resource once. */
  down: Owed[];
  /** The number of those after these, unread. */
  others: number;
  /** The members of the index that are owed nothing any more. */
  paid: string[];
  /** The ends of the mutes that silence the rest. */
  mutedUntil: number[];
}

const noDebt: Debt = { down: [], others: 0, paid: [], mutedUntil: [] };

/** Finds which of the owed events still need somebody. */
async function stillDown(app: TimedApp, { id: subscription, channel }: Subscription): Promise<Debt> {
  const debt: Debt = { down: [], others: 0, paid: [], mutedUntil: [] };
  const aspects = new Set<string>();
  for await (const { member } of scanIndex(app.store.index(owedBy(subscription)))) {
    if (debt.down.length === mostNamed || aspects.size === mostRead) {
      debt.others += 1;
      debt.paid.push(member);
      continue;
    }
    const [id = "", ...rest] = member.split(" ");
    const alert = rest.join(" ");
    const event = await readEvent(app, id);
    const isFirst = event && !aspects.has(aspectUnder(event));
    if (isFirst) aspects.add(aspectUnder(event));
    const isBad = isFirst && (await isStillBad(app, event));
    const mute = isBad ? await presentMute(app, channel, event) : null;
    if (mute) debt.mutedUntil.push(mute.until);
    else debt.paid.push(member);
    if (isBad && (await isUnattended(app, channel, event, alert))) debt.down.push({ event, alert });
  }
  return debt;
}

/** True if nobody has taken the alert, and no mute silences its event now. */
export async function isUnattended(
  app: TimedApp,
  channel: string,
  event: LoggedEvent,
  alert: string,
): Promise<boolean> {
  if (await presentMute(app, channel, event)) return false;
  const { takenBy } = await readResponsibility(app, responsibilityOf(alert));
  return takenBy === null || takenBy.until <= app.clock.now();
}
