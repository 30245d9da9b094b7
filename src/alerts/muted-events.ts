import type { StoreApp } from "../storage/foundation.ts";
import type { LoggedEvent } from "./events.ts";

// The events that a mute kept silent, in an index by channel: polling raises a state once, so they are alerted at the end of the mute.

export const mutedIn = (channel: string) => `muted-events:${channel}`;
export const muteLane = "mute-end:";

/** The timer at which the mutes of a channel are judged anew. One for each end: of one alone, the latest would take the place of all others. */
export function muteTimer(channel: string, at: number): { id: string; at: number } {
  return { id: `${muteLane}${channel}:${at}`, at };
}

/** Keeps the event for the end of the mute, in milliseconds since the epoch. */
export async function keepMuted(
  { store }: StoreApp,
  channel: string,
  event: LoggedEvent,
  until: number,
): Promise<void> {
  await store.transact({
    records: [],
    index: [{ name: mutedIn(channel), member: event.id, score: event.at }],
    timers: [muteTimer(channel, until)],
  });
}
