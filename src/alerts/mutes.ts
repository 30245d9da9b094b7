import { type Mute, windowMutes } from "../policy/maintenance-windows/windows.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { type Block, context } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { queueAlert } from "./alert.ts";
import type { AlertsApp } from "./app.ts";
import { newestEvents, searchTermsOf } from "./event-log.ts";
import { readOutcome } from "./event-router.ts";
import type { LoggedEvent } from "./events.ts";
import { muteAmong, readRouting } from "./subscriptions.ts";

/** How many of the newest events are searched for the alerts that a mute covers. */
const eventsSearched = 50;

/** The mute, or the maintenance window, that silences this event's resource in the channel now; null if none does. */
export async function presentMute(app: StoreApp & TimedApp, channel: string, event: LoggedEvent): Promise<Mute | null> {
  const now = app.clock.now();
  const windows = await windowMutes(app, now, searchTermsOf(event.data));
  return muteAmong([...(await readRouting(app)).mutes, ...windows], channel, { ...event, at: now });
}

/** The line on an alert that says until when it is muted, and by whom. */
export function muteBlocks(mute: Mute | null): Block[] {
  return mute === null ? [] : [context(`:mute: Muted until ${moment(mute.until)} by <@${mute.by}>`)];
}

/** Has the outbox show on the alerts that a mute covers that it began, or has ended. */
export async function showMute(app: AlertsApp, { about }: Pick<Mute, "about">): Promise<void> {
  const events = await newestEvents(app, { limit: eventsSearched, ...(about === null ? {} : { about }) });
  const outcomes = await Promise.all(events.map(({ id }) => readOutcome(app, id)));
  const alerts = new Set(outcomes.flatMap((outcome) => outcome?.channels.flatMap(({ alert }) => alert ?? []) ?? []));
  for (const alert of alerts) await queueAlert(app, alert);
}
