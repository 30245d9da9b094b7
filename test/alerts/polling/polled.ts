import { newestEvents } from "../../../src/alerts/event-log.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { openMemory } from "../../storage/memory.ts";

export const minute = 60_000;
export const hour = 60 * minute;

/** The app as a poller needs it, on a fixed morning. `found` has the events in its log, the newest first. */
export async function openPolling() {
  const memory = await openMemory({ clock: createSandboxClock(Date.parse("2026-11-22T02:00:00Z")) });
  const found: { at: number; event: string; id: unknown }[] = [];
  async function wakeFeed(): Promise<void> {
    const events = await newestEvents(memory, { limit: 1_000 });
    found.splice(0, found.length, ...events.map(({ at, event, data }) => ({ at, event, id: data.serviceId })));
  }
  return { ...memory, found, wakeFeed, causes: { actsOn: async () => [] }, connection: { reader: async () => null } };
}

/** The highest number of calls within any hour. */
export function busiestHour(calls: { at: number }[]): number {
  return Math.max(...calls.map(({ at }) => calls.filter((one) => one.at >= at && one.at < at + hour).length));
}
