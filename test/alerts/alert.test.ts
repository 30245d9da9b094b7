import { expect, test } from "vitest";
import { addToAlert, readAlert } from "../../src/alerts/alert.ts";
import { newestEvents, storeDetected } from "../../src/alerts/event-log.ts";
import { openMemory } from "../storage/memory.ts";

test("an event that a crash brings a second time is on its alert once", async () => {
  const { store, clock } = await openMemory();
  const app = { store, clock, wakeFeed: () => {} };
  await storeDetected(app, {
    event: "machine.error",
    data: { serviceId: "web-1" },
    source: "polling",
    askedBy: null,
    request: null,
    unique: "web-1",
  });
  const [event] = await newestEvents(app, { limit: 1 });
  if (!event) throw new Error("The event log is empty");
  const entry = {
    id: event.id,
    loud: true,
    waits: "here" as const,
    mutedUntil: null,
    askedBy: null,
    mention: null,
    call: null,
    unmentioned: 0,
  };
  const to = { channel: "C1", alertKeys: ["service:web-1"], starts: true, entry };
  const first = await addToAlert(app, event, to);
  // The process died after the alert was stored and before the feed stored its cursor.
  const again = await addToAlert(app, event, to);
  expect(again).toEqual(first);
  expect((await readAlert(app, first?.id ?? ""))?.events.map(({ id }) => id)).toEqual([event.id]);
});
