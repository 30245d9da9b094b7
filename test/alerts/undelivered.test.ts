import { expect, test } from "vitest";
import {
  countUndelivered,
  noteDelivered,
  noteUndelivered,
  replayAlerts,
  undeliveredTimers,
} from "../../src/alerts/undelivered.ts";
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
  handleLanes(app.store.timers, undeliveredTimers(app));
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

test("of the alerts that a channel refuses, one is tried again each hour in turn, so that none that is refused for ever holds up the others", async () => {
  const { clock, store, tried, refuse } = await refusing();
  async function passHours(hours: number): Promise<void> {
    for (let passed = 0; passed < hours; passed += 1) {
      clock.skip(hour);
      await store.timers.settled("undelivered:");
      await store.timers.settled("alert:");
    }
  }
  const since = clock.now();
  for (const id of ["b", "a", "c"]) await refuse(id, since);
  clock.skip(1_000);
  await refuse("later");
  expect(tried).toEqual([]);
  await passHours(1);
  expect(tried).toEqual(["alert:alert:a"]);
  await passHours(4);
  expect(tried.slice(1)).toEqual(["alert:alert:b", "alert:alert:c", "alert:alert:later", "alert:alert:a"]);
});

test("while no message is undelivered, none is tried", async () => {
  const { clock, store, tried, refuse, ...app } = await refusing();
  await refuse("posted");
  await noteDelivered({ ...app, clock, store }, { kind: "alert", id: "posted" });
  clock.skip(2 * hour);
  await store.timers.settled("undelivered:");
  expect(tried).toEqual([]);
});
