import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import type { Calls } from "../../../src/storage/embedded/calls.ts";
import { type Connection, createConnection } from "../../../src/storage/embedded/connection.ts";
import { createRuns, type Runs } from "../../../src/storage/embedded/runs.ts";
import { createWakeups } from "../../../src/storage/embedded/wakeups.ts";
import { openFile } from "../../../src/storage/embedded/worker/file.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import type { Wakeups } from "../../../src/storage/store.ts";

const patience = { timeout: 10_000, interval: 5 };
let clock: SandboxClock;
let connection: Connection;
let runs: Runs;
let lines: string[];

beforeEach(() => {
  clock = createSandboxClock();
  connection = createConnection(openFile(":memory:"));
  runs = createRuns();
  lines = [];
});
afterEach(() => connection.close());

function open(calls: Calls, instance = "one"): Wakeups {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  return createWakeups({ calls, clock, log, runs, instance });
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("wake-ups rest while the store cannot be written, and the run that could not be settled comes again", async () => {
  let broken = false;
  const wakeups = open({
    read: connection.read,
    async write(method, ...args) {
      if (broken) throw new StorageError("The disk is full.");
      return connection.write(method, ...args);
    },
  });
  const ran: string[] = [];
  wakeups.handle(
    "note:",
    async (id) => {
      broken = ran.length === 0;
      ran.push(id);
    },
    { atOnce: 1 },
  );
  for (const id of ["note:a", "note:b", "note:c"]) await wakeups.wake(id, clock.now());
  await wakeups.start();
  await vi.waitFor(() => expect(lines.join("")).toContain("wake-ups pause"), patience);
  await turns();
  expect(ran).toEqual(["note:a"]);
  broken = false;
  clock.skip(60_000);
  await vi.waitFor(() => expect(ran.toSorted()).toEqual(["note:a", "note:a", "note:b", "note:c"]), patience);
  await wakeups.stop();
  expect(await connection.read("wakeupLanes")).toEqual([]);
});

test.each([
  ["at once", 0],
  ["in two seconds", 2_000],
])("what is asked for while the file is still answering what is due, to run %s, is not forgotten", async (_, inMs) => {
  let gate: PromiseWithResolvers<void> | undefined;
  const wakeups = open({
    write: connection.write,
    async read(method, ...args) {
      const answer = await connection.read(method, ...args);
      await gate?.promise;
      return answer;
    },
  });
  const ran: string[] = [];
  wakeups.handle("note:", async (id) => void ran.push(id));
  await wakeups.start();
  await turns();
  gate = Promise.withResolvers<void>();
  await wakeups.wake("note:first", clock.now());
  await turns();
  // The answer under way is from before this one.
  await wakeups.wake("note:second", clock.now() + inMs);
  gate.resolve();
  await vi.waitFor(() => expect(ran).toContain("note:first"), patience);
  await turns();
  clock.skip(inMs);
  await vi.waitFor(() => expect(ran).toEqual(["note:first", "note:second"]), patience);
  await wakeups.stop();
});

test("two openings that look at the same moment share the work at once", async () => {
  const both = [open(connection, "one"), open(connection, "other")];
  const gate = Promise.withResolvers<void>();
  const ran = [0, 0];
  for (const [which, wakeups] of both.entries()) {
    wakeups.handle(
      "job:",
      async () => {
        ran[which] = (ran[which] ?? 0) + 1;
        await gate.promise;
      },
      { atOnce: 4 },
    );
  }
  await Promise.all(Array.from({ length: 30 }, (_, index) => connection.write("askForWakeup", "job:", `${index}`, 1)));
  await Promise.all(both.map((wakeups) => wakeups.start()));
  await turns();
  expect(ran).toEqual([4, 4]);
  gate.resolve();
  await vi.waitFor(() => expect(ran.reduce((sum, count) => sum + count)).toBe(30), patience);
  for (const wakeups of both) await wakeups.stop();
});
