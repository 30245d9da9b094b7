import type { Mute } from "../policy/maintenance-windows/windows.ts";
import { responsibilityTimer } from "../policy/responsibility/responsibility.ts";
import { scanIndex } from "../storage/create.ts";
import type { StoreApp } from "../storage/foundation.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { queueAlert, readAlert, removeFromIndex, responsibilityOf } from "./alert.ts";
import type { AlertsApp } from "./app.ts";
import { newestEvents, readEvent, searchTermsOf } from "./event-log.ts";
import { readOutcome, routeAfterMute } from "./event-router.ts";
import { aspectUnder, type LoggedEvent } from "./events.ts";
import { owedMentionTimer } from "./mentions.ts";
import { keepMuted, mutedIn, muteLane, muteTimer } from "./muted-events.ts";
import { openAlerts } from "./open.ts";
import { presentOf } from "./present.ts";
import { readRouting } from "./subscriptions.ts";
import { presentMute } from "./waiting.ts";

/** How many of the newest events are searched for the alerts that a mute covers. */
const eventsSearched = 50;

export function muteTimers(app: AlertsApp): LaneHandlers {
  return {
    [muteLane]: { run: (timerId) => alertMuted(app, timerId.slice(muteLane.length).split(":")[0] ?? ""), atOnce: 1 },
  };
}

/** Alerts what a mute kept silent and is still so, once for each resource. What another mute silences now waits for the end of that. */
async function alertMuted(app: AlertsApp, channel: string): Promise<undefined> {
  const name = mutedIn(channel);
  const present = new Map<string, LoggedEvent>();
  const settled = new Set<string>();
  for await (const { member } of scanIndex(app.store.index(name))) {
    const event = await readEvent(app, member);
    const isSame = event !== null && (await presentOf(app, event))?.event === event.event;
    const mute = isSame ? await presentMute(app, channel, event) : null;
    if (event && mute) await keepMuted(app, channel, event, mute.until);
    else settled.add(member);
    if (event && isSame && !mute) present.set(aspectUnder(event), event);
  }
  for (const event of present.values()) {
    // A mute that an admin set meanwhile has kept the event for its own end.
    if ((await routeAfterMute(app, channel, event)) === "muted") settled.delete(event.id);
  }
  // Last: after a crash before this the same events are routed again, which changes nothing.
  await removeFromIndex(app, name, [...settled]);
}

/** Has the alerts that a mute covers show that it began or ended, and their steps and what it kept silent go on. `abouts`: null is all. */
export async function showMute(
  app: AlertsApp,
  { channel, abouts }: Pick<Mute, "channel"> & { abouts: readonly string[] | null },
): Promise<void> {
  const now = app.clock.now();
  const { subscriptions } = await readRouting(app);
  const covered = subscriptions.filter((one) => channel === null || one.channel === channel);
  const channels = [...new Set(covered.map((one) => one.channel))];
  const alerts = new Set(await recentAlerts(app, abouts));
  for (const one of channels)
    for await (const id of openAlerts(app, one)) if (await isAbout(app, id, abouts)) alerts.add(id);
  for (const id of alerts) {
    await queueAlert(app, id);
    await app.store.timers.set(responsibilityTimer(responsibilityOf(id)), now);
  }
  const timers = [...channels.map((one) => muteTimer(one, now)), ...covered.map(({ id }) => owedMentionTimer(id, now))];
  for (const { id, at } of timers) await app.store.timers.set(id, at);
}

async function recentAlerts(app: AlertsApp, abouts: readonly string[] | null): Promise<string[]> {
  const queries = abouts?.map((about) => ({ about, limit: eventsSearched })) ?? [{ limit: eventsSearched }];
  const events = (await Promise.all(queries.map((query) => newestEvents(app, query)))).flat();
  const outcomes = await Promise.all(events.map(({ id }) => readOutcome(app, id)));
  return outcomes.flatMap((outcome) => outcome?.channels.flatMap(({ alert }) => alert ?? []) ?? []);
}

async function isAbout(app: StoreApp, id: string, abouts: readonly string[] | null): Promise<boolean> {
  if (abouts === null) return true;
  const wanted = new Set(abouts.map((about) => about.toLowerCase()));
  const events = await Promise.all(((await readAlert(app, id))?.events ?? []).map((one) => readEvent(app, one.id)));
  return events.some((event) => event && searchTermsOf(event.data).some((term) => wanted.has(term.toLowerCase())));
}
