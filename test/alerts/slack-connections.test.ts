import { expect, test } from "vitest";
import { connectionFigures, connectionGreeted, connectionProblem } from "../../src/alerts/slack-connections.ts";
import type { Store } from "../../src/storage/store.ts";
import { openMemory } from "../storage/memory.ts";

/** Instances of the app on one store, some of which are alive. */
async function instances(...alive: string[]) {
  const { store, clock } = await openMemory();
  const isAlive = new Set(alive);
  const as = (instance: string): { store: Store; clock: typeof clock } => ({
    clock,
    store: { ...store, instance, alive: async (other) => isAlive.has(other) },
  });
  return { clock, isAlive, as };
}

test("as many connections as there are instances are no problem, and one more is", async () => {
  const { as, clock } = await instances("one", "two", "three");
  await connectionGreeted(as("one"), { connections: 1, overlap: 0 });
  await connectionGreeted(as("two"), { connections: 2, overlap: 0 });
  clock.skip(1_000);
  await connectionGreeted(as("three"), { connections: 3, overlap: 0 });
  expect(await connectionFigures(as("one"))).toEqual({ counted: 3, expected: 3, dead: 0 });
  clock.skip(1_000);
  await connectionGreeted(as("two"), { connections: 4, overlap: 0 });
  expect(await connectionProblem(as("one"))).toContain("Slack counted 4 connections of Rackbell");
});

test("an instance that rolls counts as long as it is alive, and a dead one is not expected", async () => {
  const { as, isAlive, clock } = await instances("old");
  await connectionGreeted(as("old"), { connections: 1, overlap: 1 });
  clock.skip(1_000);
  await connectionGreeted(as("new"), { connections: 2, overlap: 1 });
  isAlive.delete("old");
  expect(await connectionProblem(as("new"))).toBeNull();
  clock.skip(1_000);
  await connectionGreeted(as("new"), { connections: 2, overlap: 0 });
  expect(await connectionFigures(as("new"))).toEqual({ counted: 2, expected: 1, dead: 1 });
});

test("the newest count of any instance is believed", async () => {
  const { as, clock } = await instances("one", "two");
  await connectionGreeted(as("one"), { connections: 9, overlap: 0 });
  clock.skip(60_000);
  await connectionGreeted(as("two"), { connections: 2, overlap: 0 });
  expect(await connectionProblem(as("one"))).toBeNull();
});

test("a Slack that names no number alarms nobody", async () => {
  const { as } = await instances();
  await connectionGreeted(as("one"), { connections: null, overlap: 0 });
  expect([await connectionFigures(as("one")), await connectionProblem(as("one"))]).toEqual([null, null]);
});
