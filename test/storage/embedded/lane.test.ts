import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import type { Calls } from "../../../src/storage/embedded/calls.ts";
import { openChannel, type ThreadChannel } from "../../../src/storage/embedded/channel.ts";
import { createRuns, type Runs } from "../../../src/storage/embedded/runs.ts";
import { createTimerFile } from "../../../src/storage/embedded/timers.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import type { Timers } from "../../../src/storage/store.ts";
import { createTimers } from "../../../src/storage/timers.ts";
import { patience } from "../contract/notebook.ts";

let clock: SandboxClock;
let channel: ThreadChannel;
let runs: Runs;
let lines: string[];

beforeEach(async () => {
  clock = createSandboxClock();
  channel = await openChannel({ path: ":memory:", clock, log: pino({ level: "silent" }) });
  runs = createRuns();
  lines = [];
});
afterEach(() => channel.close());

function open(calls: Calls, instance = "one"): Timers {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const timers = createTimers(createTimerFile({ calls, clock, runs, instance }), { clock, log });
  runs.listen(instance, timers.listener);
  return timers;
}

/** The file, whose answers to what is read wait from `hold` until `release`. */
function heldBack(): { calls: Calls; hold(): void; release(): void } {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const { write, later } = channel;
  return {
    calls: {
      write,
      later,
      async read(method, ...args) {
        const answer = await channel.read(method, ...args);
        await gate.promise;
        return answer;
      },
    },
    hold() {
      gate = Promise.withResolvers();
    },
    release: () => gate.resolve(),
  };
}

/** Everything that could happen by now has happened: each turn waits for an answer of the file. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await channel.write("proveWrite", "turn");
}

/** Timers on a disk that takes no end of a run while it is full. */
function openOnDisk(isFull: () => boolean) {
  return open({
    read: channel.read,
    write: channel.write,
    async later(method, ...args) {
      if (isFull()) throw new StorageError("The disk is full.");
      return channel.later(method, ...args);
    },
  });
}

test("timers pause while the store cannot be written, and a run that could not be settled is repeated", async () => {
  let broken = false;
  const timers = openOnDisk(() => broken);
  const ran: string[] = [];
  timers.handle(
    "note:",
    async (id) => {
      broken = ran.length === 0;
      ran.push(id);
    },
    { atOnce: 1 },
  );
  for (const id of ["note:a", "note:b", "note:c"]) await timers.set(id, clock.now());
  await timers.start();
  await vi.waitFor(() => expect(lines.join("")).toContain("timers pause"), patience);
  await timers.set("note:d", clock.now());
  await turns();
  expect(ran).toEqual(["note:a"]);
  broken = false;
  clock.skip(60_000);
  await vi.waitFor(() => expect(ran.toSorted()).toEqual(["note:a", "note:a", "note:b", "note:c", "note:d"]), patience);
  await timers.stop();
  expect(await channel.read("timerLanes")).toEqual([]);
});

test.each([-60 * 60_000, 60 * 60_000])(
  "a lane that pauses goes on within a minute, although the time of day is set by %i ms meanwhile",
  async (stepMs) => {
    let broken = true;
    const timers = openOnDisk(() => broken);
    const ran: string[] = [];
    timers.handle("note:", async (id) => void ran.push(id), { atOnce: 1 });
    await timers.set("note:a", clock.now());
    await timers.start();
    await vi.waitFor(() => expect(lines.join("")).toContain("timers pause"), patience);
    broken = false;
    clock.adjust(stepMs);
    await turns();
    expect(ran).toEqual(["note:a"]);
    clock.skip(60_000);
    await vi.waitFor(() => expect(ran).toEqual(["note:a", "note:a"]), patience);
    await timers.stop();
  },
);

test.each([
  ["set back by an hour, although the disk is full at first", -60 * 60_000, 1],
  ["corrected by less than five seconds, without a write", -4_000, 0],
])("a timer runs on time when the clock is %s", async (_, stepMs, expected) => {
  let refusals = 1;
  const moves: unknown[] = [];
  const timers = open({
    read: channel.read,
    later: channel.later,
    async write(method, ...args) {
      if (method === "moveTimers") {
        refusals -= 1;
        if (refusals >= 0) throw new StorageError("The disk is full.");
        moves.push(args[0]);
      }
      return channel.write(method, ...args);
    },
  });
  const ran: string[] = [];
  timers.handle("note:", async (id) => void ran.push(id));
  await timers.set("note:a", clock.now() + 150_000);
  await timers.start();
  await turns();
  clock.adjust(stepMs);
  for (let minute = 0; minute < 3; minute += 1) {
    clock.skip(60_000);
    await turns();
  }
  expect(ran).toEqual(["note:a"]);
  expect(moves).toHaveLength(expected);
  await timers.stop();
});

test.each([
  ["at once", 0, "because it was asked for", 0],
  ["in two seconds", 2_000, "because it was asked for", 0],
  ["at once", 0, "because its time has come", 5_000],
])(
  "a timer set to run %s (%i ms) during a read of the file for another timer, %s, is not forgotten",
  async (_, inMs, __, first) => {
    const gate = heldBack();
    const timers = open(gate.calls);
    const ran: string[] = [];
    timers.handle("note:", async (id) => void ran.push(id));
    await timers.start();
    await turns();
    await timers.set("note:first", clock.now() + 5_000);
    gate.hold();
    if (first > 0) clock.skip(first);
    else await timers.set("note:first", clock.now());
    await turns();
    // The pending answer is from before this one.
    await timers.set("note:second", clock.now() + inMs);
    gate.release();
    await vi.waitFor(() => expect(ran).toContain("note:first"), patience);
    await turns();
    clock.skip(inMs);
    await vi.waitFor(() => expect(ran).toEqual(["note:first", "note:second"]), patience);
    await timers.stop();
  },
);

test("a timer that is set anew while the end of its run is being kept runs once more", async () => {
  let gate: PromiseWithResolvers<void> | undefined;
  let settling = false;
  const timers = open({
    read: channel.read,
    write: channel.write,
    async later(method, ...args) {
      const answer = await channel.later(method, ...args);
      if (method !== "settleTimer" || !gate) return answer;
      settling = true;
      await gate.promise;
      return answer;
    },
  });
  const ran: string[] = [];
  timers.handle("note:", async (id) => void ran.push(id));
  await timers.start();
  gate = Promise.withResolvers<void>();
  await timers.set("note:a", clock.now());
  await vi.waitFor(() => expect(settling).toBe(true), patience);
  await timers.set("note:a", clock.now());
  const hold = gate;
  gate = undefined;
  hold.resolve();
  await vi.waitFor(() => expect(ran).toHaveLength(2), patience);
  await turns();
  expect(ran).toEqual(["note:a", "note:a"]);
  await timers.stop();
});

test.each([
  ["at the same time", 0],
  ["for a time before", -1_000],
])(
  "a timer set %s while a run of it begins, and kept only after that run has read the file, runs once more",
  async (_, inMs) => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let isHolding = false;
    const timers = open({
      read: channel.read,
      later: channel.later,
      async write(method, ...args) {
        // It was planned before the run began, and is written while that goes on.
        if (isHolding && method === "setTimer") await begun.promise;
        return channel.write(method, ...args);
      },
    });
    const ran: string[] = [];
    timers.handle("note:", async (id) => {
      ran.push(id);
      begun.resolve();
      if (ran.length === 1) await gate.promise;
    });
    await timers.set("note:a", clock.now());
    isHolding = true;
    const setting = timers.set("note:a", clock.now() + inMs);
    await timers.start();
    await setting;
    await turns();
    expect(ran).toHaveLength(1);
    gate.resolve();
    await vi.waitFor(() => expect(ran).toEqual(["note:a", "note:a"]), patience);
    await turns();
    expect(ran).toHaveLength(2);
    await timers.stop();
  },
);

test("two openings that look at the same moment share the work at once", async () => {
  const both = [open(channel, "one"), open(channel, "other")];
  const gate = Promise.withResolvers<void>();
  const ran = [0, 0];
  for (const [which, timers] of both.entries()) {
    timers.handle(
      "job:",
      async () => {
        ran[which] = (ran[which] ?? 0) + 1;
        await gate.promise;
      },
      { atOnce: 4 },
    );
  }
  await Promise.all(Array.from({ length: 30 }, (_, index) => channel.write("setTimer", "job:", `${index}`, 1)));
  await Promise.all(both.map((timers) => timers.start()));
  await turns();
  expect(ran).toEqual([4, 4]);
  gate.resolve();
  await vi.waitFor(() => expect(ran.reduce((sum, count) => sum + count)).toBe(30), patience);
  for (const timers of both) await timers.stop();
});

test("a timer that is due when it is set runs at once, without a read of the file", async () => {
  let looks = 0;
  const timers = open({
    write: channel.write,
    later: channel.later,
    async read(method, ...args) {
      looks += 1;
      return channel.read(method, ...args);
    },
  });
  const ran: string[] = [];
  timers.handle("note:", async (id) => void ran.push(id));
  await timers.start();
  await turns();
  looks = 0;
  for (const id of ["note:a", "note:b", "note:a"]) {
    await timers.set(id, clock.now());
    await turns();
  }
  expect({ ran, looks }).toEqual({ ran: ["note:a", "note:b", "note:a"], looks: 0 });
  await timers.stop();
});

test("a timer that failed and is set anew keeps the count of its failures and the growing pause before its next try", async () => {
  const timers = open(channel);
  timers.handle("note:", async () => {
    throw new Error("No luck.");
  });
  await timers.start();
  for (const failures of [1, 2, 3]) {
    await timers.set("note:a", clock.now());
    await vi.waitFor(() => expect(lines.at(-1)).toContain(`"failures":${failures}`), patience);
    await turns();
  }
  expect(lines).toHaveLength(3);
  const { retryInMs } = JSON.parse(lines[2] ?? "");
  expect(retryInMs).toBe(4 * JSON.parse(lines[0] ?? "").retryInMs);
  clock.skip(retryInMs / 2);
  await turns();
  expect(lines).toHaveLength(3);
  clock.skip(retryInMs / 2);
  await vi.waitFor(() => expect(lines).toHaveLength(4), patience);
  await timers.stop();
});

test("a timer that has long been due gets a free place before those that are set while the file is read", async () => {
  const gate = heldBack();
  const timers = open(gate.calls);
  const end = Promise.withResolvers<void>();
  const ran: string[] = [];
  const run = async (id: string) => {
    ran.push(id);
    await end.promise;
  };
  timers.handle("note:", run, { atOnce: 2 });
  await timers.start();
  await turns();
  await timers.set("note:long", clock.now() + 5_000);
  gate.hold();
  clock.skip(5_000);
  await turns();
  for (const id of ["note:a", "note:b"]) await timers.set(id, clock.now());
  gate.release();
  await vi.waitFor(() => expect(ran).toContain("note:long"), patience);
  await turns();
  await timers.set("note:c", clock.now());
  await turns();
  expect(ran).toHaveLength(2);
  end.resolve();
  await vi.waitFor(() => expect(ran).toHaveLength(4), patience);
  await timers.stop();
});

test("a timer that the file gives during a stop does not run until the next start", async () => {
  const gate = heldBack();
  const timers = open(gate.calls);
  const ran: string[] = [];
  timers.handle("note:", async (id) => void ran.push(id));
  await timers.start();
  await turns();
  await timers.set("note:a", clock.now() + 5_000);
  gate.hold();
  clock.skip(5_000);
  await turns();
  const stopped = timers.stop();
  gate.release();
  await stopped;
  await turns();
  expect(ran).toEqual([]);
  await timers.start();
  await vi.waitFor(() => expect(ran).toEqual(["note:a"]), patience);
  await timers.stop();
});

test("a timer runs within a minute of its time, although the file's answer to its setting was lost", async () => {
  let broken = false;
  const timers = open({
    read: channel.read,
    later: channel.later,
    async write(method, ...args) {
      const answer = await channel.write(method, ...args);
      if (broken) throw new StorageError("The thread ended before it answered.");
      return answer;
    },
  });
  const ran: string[] = [];
  timers.handle("note:", async (id) => void ran.push(id));
  await timers.start();
  await turns();
  broken = true;
  await expect(timers.set("note:a", clock.now() + 5_000)).rejects.toThrow("before it answered");
  broken = false;
  clock.skip(60_000);
  await vi.waitFor(() => expect(ran).toEqual(["note:a"]), patience);
  await timers.stop();
});

test("a lane without timers leaves the file alone: the file is read once a minute for all lanes", async () => {
  let looks = 0;
  const timers = open({
    write: channel.write,
    later: channel.later,
    async read(method, ...args) {
      looks += 1;
      return channel.read(method, ...args);
    },
  });
  for (const lane of ["note:", "job:", "poll:"]) timers.handle(lane, async () => {});
  await timers.set("note:a", clock.now() + 60 * 60_000);
  await timers.start();
  await turns();
  looks = 0;
  for (let minute = 0; minute < 10; minute += 1) {
    clock.skip(60_000);
    await turns();
  }
  expect(looks).toBe(10);
  await timers.stop();
});
