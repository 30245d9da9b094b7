import { itself } from "../audit/entry.ts";
import { joinedPeople } from "../members/people/people-list.ts";
import { alertTimer } from "../messages/outbox.ts";
import { type Mute, windowMutes } from "../policy/maintenance-windows/windows.ts";
import { type CheckPerson, namedPeople, type ReachApp, reachPeople } from "../policy/responsibility/reach.ts";
import { pressTake, type ResponsibilityApp, type WaitingSubject } from "../policy/responsibility/responsibility.ts";
import { chainOf, type WaitStep } from "../policy/responsibility/steps.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { oneLine } from "../views/text.ts";
import { type Alert, type AlertCall, type AlertEvent, alertSubject, readAlert, responsibilityOf } from "./alert.ts";
import type { AlertsApp } from "./app.ts";
import { readEvent, searchTermsOf } from "./event-log.ts";
import { aspectOf, aspectResource, eventResource, isUnsettled, type LoggedEvent, latestByAspect } from "./events.ts";
import { isOpenStill } from "./present.ts";
import { muteAmong, readRouting, type Subscription } from "./subscriptions.ts";
import { resourceName } from "./view.ts";

/** An event of an alert, with its entry there. */
interface AlertedEvent {
  event: LoggedEvent;
  entry: AlertEvent;
}

/** An alert as it waits for a person. `isOver`: it has recovered, or a newer alert shows it, so it waits for nobody. */
export interface AlertWait extends WaitingSubject {
  isOver: boolean;
  mutes: AlertMutes;
}

/** The present mutes of an alert's resources. */
export interface AlertMutes {
  /** Each mute that silences one of them. */
  each: Mute[];
  /** The first of them to end, if they silence all that is open; null otherwise. */
  whole: Mute | null;
}

/** The parts of the app that find the wait of an alert. */
export type WaitingApp = ReachApp & Pick<AlertsApp, "causes">;

/** The wait of an alert for a person; null for one that is not known any more. `actor`: the member who presses; null where nobody does. */
export async function alertWaiting(
  app: WaitingApp,
  id: string,
  actor: { member: string; slackUser: string } | null = null,
): Promise<AlertWait | null> {
  const alert = await readAlert(app, id);
  if (!alert) return null;
  const events = await readAlerted(app, alert);
  const open = await openEvents(app, events);
  const about = events.flatMap(({ event }) => eventResource(event) ?? []);
  const [resource] = about;
  const newest = events.at(-1)?.event;
  const name = newest && resourceName(newest.event, newest.data);
  const found = await presentMutes(app, alert.channel, open.length > 0 ? open : events.slice(-1));
  const mutes = mutesOf([...found.values()]);
  const { member, slackUser } = actor ?? { member: itself, slackUser: itself };
  return {
    isOver: open.length === 0 && (events.some(({ entry }) => entry.loud) || isSettled(events)),
    steps: await stepsOf(app, alert, { events, open, mutes: found }),
    mutes,
    heldUntil: mutes.whole?.until ?? null,
    endsAt: null,
    audited: {
      ...{ id: null, member, slackUser, decidedBy: null, keyLabel: "", command: "rackbell alerts" },
      target: resource ? { id: resource, name: oneLine(name ?? resource) } : null,
      outcome: "",
    },
    made: [...new Set([id, ...about])],
    lastActOf: (slackUser) => lastActOn(app, events, slackUser),
    messageTimer: alertTimer(alertSubject, id),
  };
}

/** The mute of each aspect; null for one that none silences. */
async function presentMutes(
  app: TimedApp,
  channel: string,
  alerted: readonly AlertedEvent[],
): Promise<ReadonlyMap<string, Mute | null>> {
  const latest = latestByAspect(alerted.map(({ event }) => event));
  return new Map(
    await Promise.all(latest.map(async (one) => [aspectOf(one), await presentMute(app, channel, one)] as const)),
  );
}

/** True where nothing is left to be paid or renewed of what was. */
function isSettled(events: readonly AlertedEvent[]): boolean {
  const all = events.map(({ event }) => event);
  return all.some(isUnsettled) && !latestByAspect(all).some(isUnsettled);
}

/** One alert may show several services: a mute of one of them must not hold the steps of another. */
function mutesOf(found: readonly (Mute | null)[]): AlertMutes {
  const byKey = new Map(found.flatMap((mute) => (mute ? [[`${mute.about} ${mute.until} ${mute.by}`, mute]] : [])));
  const each = [...byKey.values()].toSorted((a, b) => a.until - b.until);
  return { each, whole: found.includes(null) ? null : (each[0] ?? null) };
}

/** When the member last acted on what the alert shows, even if no event came of it; null if they did not. */
async function lastActOn(app: WaitingApp, events: readonly AlertedEvent[], slackUser: string): Promise<number | null> {
  const shown = events.map(({ event }) => event);
  const ids = new Set(shown.flatMap((event) => [aspectResource(event), eventResource(event), event.data.orderId]));
  const acts = await Promise.all([...ids].map((id) => (id ? app.causes.actsOn(id) : [])));
  const times = [
    // The end of an act that is under way is not known.
    ...acts.flat().flatMap((act) => (act.slackUser === slackUser ? [Math.min(act.endsAt, app.clock.now())] : [])),
    ...shown.flatMap((event) => (event.askedBy === slackUser ? [event.at] : [])),
  ];
  return times.length > 0 ? Math.max(...times) : null;
}

async function readAlerted(app: StoreApp, { events }: Alert): Promise<AlertedEvent[]> {
  const read = await Promise.all(events.map(async (entry) => ({ event: await readEvent(app, entry.id), entry })));
  return read.flatMap(({ event, entry }) => (event ? [{ event, entry }] : []));
}

/** The events of all aspects that are open, each since it was last well: the first of them began what is open now. None if nothing is. */
async function openEvents(app: StoreApp, events: readonly AlertedEvent[]): Promise<AlertedEvent[]> {
  const latest = latestByAspect(events.map(({ event }) => event));
  const runs = await Promise.all(latest.map((event) => openRun(app, event, events)));
  const open = new Set(runs.flat());
  return events.filter((one) => open.has(one));
}

async function openRun(app: StoreApp, latest: LoggedEvent, events: readonly AlertedEvent[]): Promise<AlertedEvent[]> {
  const same = events.filter(({ event }) => aspectOf(event) === aspectOf(latest));
  const until = same.slice(0, same.findIndex(({ event }) => event.id === latest.id) + 1);
  const run = until.slice(until.findLastIndex(({ entry }) => entry.waits !== "here") + 1);
  // One that only a mute kept silent notifies its people when that ends.
  return run.some(({ entry }) => entry.loud) && (await isOpenStill(app, latest)) ? run : [];
}

/** The mentions that were posted with what is open now, and the steps that follow the first of them. */
async function stepsOf(
  app: ReachApp,
  alert: Alert,
  {
    events,
    open,
    mutes,
  }: {
    events: readonly AlertedEvent[];
    open: readonly AlertedEvent[];
    mutes: ReadonlyMap<string, Mute | null>;
  },
): Promise<WaitStep[]> {
  const begin = open.find(({ entry }) => entry.loud);
  if (!begin) return [];
  const calls = [
    ...open.flatMap((one) => (one.entry.call ? [{ name: one.event.id, at: shownAt(one), call: one.entry.call }] : [])),
    // Its newest event is of this alert; the others may have alerts of their own.
    ...alert.lateMentions.flatMap(({ at, call, events: named }) =>
      at < shownAt(begin) || call === null ? [] : [{ name: `${named.at(-1)?.id}:late`, at, call }],
    ),
  ];
  // A failure soon after another one is not mentioned again. The steps of that one apply to it from its own time on: a mention that follows
  // must not begin them anew.
  const before = events.slice(0, events.indexOf(begin)).findLast(({ entry }) => entry.call !== null);
  const ordered = calls.toSorted((a, b) => a.at - b.at);
  const [first] = begin.entry.call === null && before ? [] : ordered;
  const others = ordered.filter((one) => one !== first);
  const call = first?.call ?? before?.entry.call;
  if (!call) return [];
  const { name, at } = first ?? { name: begin.event.id, at: shownAt(begin) };
  const check = seesAlertsIn(app, alert.channel);
  const later = await Promise.all(
    call.later.map(async ({ to, after }) => {
      return { to: await namedPeople(app, to), after, reach: () => reachPeople(app, to, check) };
    }),
  );
  // A step that called somebody about a muted machine would leave the open one unnamed.
  const named = events.find(({ event }) => name.startsWith(event.id)) ?? begin;
  const about = [named, ...open.filter(({ entry }) => entry.loud)].find(
    (one) => open.includes(one) && !mutes.get(aspectOf(one.event)),
  );
  const chain = chainOf(name, at, { first: first ? { to: call.to, reach: call.reached } : null, later });
  return [
    ...chain.map((step) => (about ? { ...step, about: about.event.id } : step)),
    ...others.map(
      ({ name, at, call: { to, reached } }): WaitStep => ({ name, kind: "notified", to, at, reach: reached }),
    ),
  ];
}

/** When the alert notified its people of the event. */
function shownAt({ event, entry }: AlertedEvent): number {
  return entry.mutedUntil ?? event.at;
}

/** The people whom these subscriptions of a channel mention, and the steps that follow; null without a subscription. */
export async function callOf(
  app: ReachApp,
  channel: string,
  subscriptions: readonly Pick<Subscription, "mention" | "later">[],
): Promise<AlertCall | null> {
  if (subscriptions.length === 0) return null;
  const list = joinedPeople(subscriptions.flatMap(({ mention }) => mention ?? []));
  const reached = await reachPeople(app, list, seesAlertsIn(app, channel));
  // Of several subscriptions the steps of the one that has most of them apply.
  const [later = []] = subscriptions.map((one) => one.later).toSorted((a, b) => b.length - a.length);
  return { to: await namedPeople(app, list), reached, later };
}

/** Everybody in the channel sees its alerts, and so does each member of the workspace if it is public. */
function seesAlertsIn({ people }: Pick<ReachApp, "people">, channel: string): CheckPerson {
  return async (slackUser) => {
    const members = await people.members(channel);
    if (members === null || members.has(slackUser)) return { direct: false };
    return (await people.channel(channel)).isPublic
      ? { direct: true }
      : { why: "is not in this channel, so they may not see its alerts" };
  };
}

/**
 * The mute, or the maintenance window, that silences this event's resource in the channel now; null if none does. It names the resource as
 * the event does, since its own name for it may be an old one.
 */
export async function presentMute(app: TimedApp, channel: string, event: LoggedEvent): Promise<Mute | null> {
  const now = app.clock.now();
  const windows = await windowMutes(app, now, searchTermsOf(event.data));
  const mute = muteAmong([...(await readRouting(app)).mutes, ...windows], channel, { ...event, at: now });
  if (mute === null || mute.about !== eventResource(event)) return mute;
  return { ...mute, name: resourceName(event.event, event.data) ?? mute.name };
}

/** A press of *Take* or *Release* on an alert. Resolves with why it changes nothing, as a sentence; null if it counts. */
export async function takeAlert(
  app: ResponsibilityApp & WaitingApp,
  { id, release }: { id: string; release: boolean },
  actor: { member: string; slackUser: string },
): Promise<string | null> {
  const waiting = await alertWaiting(app, id, actor);
  if (!waiting) return "That alert is no longer known. Nothing changed.";
  if (waiting.isOver) return "This is over, or a newer alert shows it, so nobody needs to take it. Nothing changed.";
  return pressTake(app, responsibilityOf(id), waiting, { slackUser: actor.slackUser, release });
}
