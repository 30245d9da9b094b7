import { expect, test } from "vitest";
import { countUndelivered, noteDelivered, noteUndelivered, replayAlerts } from "../../src/alerts/undelivered.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { handleLanes } from "../../src/storage/timers.ts";
import { openMemory } from "../storage/memory.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

/** A store in which Slack refuses alerts of one channel. `tried` has the timers of messages that were run. */
async function refusing() {
  const clock = createSandboxClock(Date.parse("2026-11-22T02:00:00Z"));
  const app = await openMemory({ clock });
  const tried: string[] = [];
  handleLanes(app.store.timers, {
    "alert:": async (timerId) => {
      tried.push(timerId);
      return undefined;
    },
  });
  await app.store.timers.start();
  const refuse = (id: string, since = clock.now()) =>
    noteUndelivered(
      app,
      { kind: "alert", id },
      { channel: "C1", noun: "an alert", slot: "alert", since, reason: "the channel is archived" },
    );
  return { ...app, tried, refuse };
}

test("an undelivered message counts until it is posted, or until the alert that it is made of has expired", async () => {
  const { refuse, ...app } = await refusing();
  const begun = app.clock.now();
  await refuse("old");
  app.clock.skip(day);
  await refuse("new");
  await refuse("posted");
  expect(await countUndelivered(app)).toBe(3);
  await noteDelivered(app, { kind: "alert", id: "posted" });
  expect(await countUndelivered(app)).toBe(2);
  app.clock.skip(29 * day + hour);
  // Another try of an expired one, which was under way, does not bring it back.
  await refuse("old", begun);
  expect(await countUndelivered(app)).toBe(1);
  expect(await replayAlerts(app, { channel: "C1" })).toBe(1);
  expect(await replayAlerts(app, { channel: "C2" })).toBe(0);
});

test("of the alerts that a channel refuses, one is tried again within the hour, so that a channel that opens gets all", async () => {
  const { clock, store, tried, refuse } = await refusing();
  await refuse("first");
  clock.skip(1_000);
  await refuse("second");
  expect(tried).toEqual([]);
  clock.skip(hour);
  await store.timers.settled("alert:");
  expect(tried).toEqual(["alert:alert:first"]);
});
