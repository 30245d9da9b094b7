import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../src/sandbox/clock.ts";
import type { Engine } from "../../src/storage/engine.ts";
import { StorageError } from "../../src/storage/errors.ts";
import { setting } from "../../src/storage/runs.ts";
import { createSqlite } from "../../src/storage/sqlite/engine.ts";
import { openFile } from "../../src/storage/sqlite/file.ts";
import { createTimers, type InstanceTimers } from "../../src/storage/timers.ts";
import { patience } from "./contract/notebook.ts";

let clock: SandboxClock;
let engine: Engine;
let lines: string[];

beforeEach(() => {
  clock = createSandboxClock();
  engine = createSqlite(openFile(":memory:"), { clock, log: pino({ level: "silent" }) });
  lines = [];
});
afterEach(() => engine.close());

function open(change: Partial<Engine> = {}): InstanceTimers {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  return createTimers({ engine: { ...engine, ...change }, clock, log, alone: true });
}

/** The store, whose answers to what is read wait from `hold` until `release`. */
function heldBack(): { reads: Pick<Engine, "range">; hold(): void; release(): void } {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  return {
    reads: {
      async range(index, query) {
        const answer = await engine.range(index, query);
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

/** A disk that takes no write while it is full. A claim is none. */
function onDisk(isFull: () => boolean): Pick<Engine, "apply"> {
  return {
    async apply(change, options) {
      if (isFull() && !change.signs) throw new StorageError("The disk is full.");
      return engine.apply(change, options);
    },
  };
}

/** Everything that could happen by now has happened. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await engine.prove();
}

test("timers pause while the store cannot be written, and a run that could not be settled is settled later, and not repeated", async () => {
  let broken = false;
  const timers = open(onDisk(() => broken));
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
  await expect(timers.set("note:d", clock.now())).rejects.toThrow("full");
  await turns();
  expect(ran).toEqual(["note:a"]);
  broken = false;
  await timers.set("note:d", clock.now());
  clock.skip(60_000);
  await vi.waitFor(() => expect(ran.toSorted()).toEqual(["note:a", "note:b", "note:c", "note:d"]), patience);
  await timers.stop();
  expect(await engine.named("~due ")).toEqual([]);
});

test("an outage of the store is a line at its begin, one a minute for all lanes, and one at its end; the next is another", async () => {
  let isAway = false;
  const timers = open({
    async range(index, query) {
      if (isAway) throw new StorageError("Redis does not answer.");
      return engine.range(index, query);
    },
  });
  const lanes = Array.from({ length: 30 }, (_, lane) => `lane${lane}:`);
  for (const lane of lanes) timers.handle(lane, async () => {});
  await timers.start();
  isAway = true;
  for (const lane of lanes) timers.expect(lane, clock.now());
  const pass = async (seconds: number, asked?: string): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      clock.skip(1_000);
      if (asked !== undefined) timers.expect(asked, clock.now());
      await turns();
    }
  };
  const said = () => lines.map((line) => JSON.parse(line).msg);
  await pass(110);
  expect(said()).toEqual(Array.from({ length: 2 }, () => "timers pause because the store failed"));
  expect(JSON.parse(lines[1] ?? "").failures).toBeGreaterThan(1_000);
  isAway = false;
  await pass(10);
  const ended = "the store answers again, and timers go on";
  expect(said().slice(2)).toEqual([ended]);
  isAway = true;
  await pass(5, "lane1:");
  isAway = false;
  await pass(10);
  expect(said().slice(3)).toEqual(["timers pause because the store failed", ended]);
  expect(JSON.parse(lines[3] ?? "").failures).toBe(1);
  await timers.stop();
});

test("a timer that is set in the moment in which a look ends runs at once, whichever turn of the loop that is", async () => {
  for (let ticks = 0; ticks < 16; ticks += 1) {
    const lane = `note${ticks}:`;
    let wasSet = false;
    const timers = open({
      async range(index, query) {
        const answer = await engine.range(index, query);
        // The last read of a look: what comes now, the look does not see.
        if (wasSet || !index.endsWith(lane) || query.limit !== 1) return answer;
        wasSet = true;
        await engine.apply({ members: [setting(lane, "a", clock.now())] });
        void setAfter(ticks, () => timers.expect(lane, clock.now()));
        return answer;
      },
    });
    const ran: string[] = [];
    timers.handle(lane, async (id) => void ran.push(id));
    await timers.start();
    await turns();
    expect(ran, `${ticks} turns later`).toEqual([`${lane}a`]);
    await timers.stop();
  }
});

async function setAfter(ticks: number, set: () => void): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) await null;
  set();
}

test.each([-60 * 60_000, 60 * 60_000])(
  "a lane that pauses goes on within a minute, although the time of day is set by %i ms meanwhile",
  async (stepMs) => {
    let broken = false;
    const timers = open(onDisk(() => broken));
    const ran: string[] = [];
    const run = async (id: string) => {
      broken = ran.length === 0;
      ran.push(id);
    };
    timers.handle("note:", run, { atOnce: 1 });
    for (const id of ["note:a", "note:b"]) await timers.set(id, clock.now());
    await timers.start();
    await vi.waitFor(() => expect(lines.join("")).toContain("timers pause"), patience);
    broken = false;
    clock.adjust(stepMs);
    await turns();
    expect(ran).toEqual(["note:a"]);
    clock.skip(60_000);
    await vi.waitFor(() => expect(ran).toEqual(["note:a", "note:b"]), patience);
    await timers.stop();
  },
);

test("a timer whose time has come because the clock was set forward, or the machine slept, runs within a minute", async () => {
  const timers = open();
  const ran: string[] = [];
  timers.handle("note:", async (id) => void ran.push(id));
  await timers.set("note:a", clock.now() + 2 * 60 * 60_000);
  await timers.start();
  await turns();
  clock.adjust(2 * 60 * 60_000);
  await turns();
  expect(ran).toEqual([]);
  clock.skip(60_000);
  await vi.waitFor(() => expect(ran).toEqual(["note:a"]), patience);
  await timers.stop();
});

test.each([
  ["set back by an hour, although the disk is full at first", -60 * 60_000, 1],
  ["corrected by less than five seconds, without a write", -4_000, 0],
])("a timer runs on time when the clock is %s", async (_, stepMs, expected) => {
  let refusals = 1;
  const moves: unknown[] = [];
  const timers = open({
    async apply(change, options) {
      if (
        (change.members?.length ?? 0) > 0 &&
        change.members?.every(({ was, score }) => was !== undefined && was !== score)
      ) {
        refusals -= 1;
        if (refusals >= 0) throw new StorageError("The disk is full.");
        moves.push(change);
      }
      return engine.apply(change, options);
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
    const timers = open(gate.reads);
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
    async apply(change, options) {
      const answer = await engine.apply(change, options);
      if (!gate || !change.members?.some(({ takes }) => takes)) return answer;
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

test("a timer that is due when it is set runs at once, without a read of the file", async () => {
  let looks = 0;
  const timers = open({
    async range(index, query) {
      looks += 1;
      return engine.range(index, query);
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
  const timers = open();
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
  const timers = open(gate.reads);
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
  const timers = open(gate.reads);
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

test("a timer runs within a minute of its time, although the store's answer to its setting was lost", async () => {
  let broken = false;
  const timers = open({
    async apply(change, options) {
      const answer = await engine.apply(change, options);
      if (broken) throw new StorageError("The store ended before it answered.");
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

test("a timer that somebody waits for runs before thousands that were due before it, in its own lane and in another", async () => {
  const timers = open();
  const many = 5_000;
  const ran: string[] = [];
  const lanes = ["note:", "other:"];
  timers.handle("note:", async (id) => void ran.push(id), { atOnce: 4 });
  timers.handle("other:", async (id) => void ran.push(id));
  for (const lane of lanes)
    await Promise.all(Array.from({ length: many }, (_, number) => timers.set(`${lane}${number}`, clock.now())));
  await timers.start();
  await vi.waitFor(() => expect(ran.length).toBeGreaterThan(0), patience);
  await timers.set("note:mine", clock.now());
  await vi.waitFor(() => expect(ran).toContain("note:mine"), patience);
  await timers.settled("note:");
  await timers.settled("other:");
  expect(new Set(ran).size).toBe(2 * many + 1);
  const after = ran.slice(ran.indexOf("note:mine"));
  for (const lane of lanes) expect(after.filter((id) => id.startsWith(lane)).length).toBeGreaterThan(many / 2);
  await timers.stop();
});

test("timers that are due at one time are read from the file once, and other work goes on between them", async () => {
  let rows = 0;
  const timers = open({
    async range(index, query) {
      const found = await engine.range(index, query);
      rows += found.length;
      return found;
    },
  });
  const many = 1_000;
  let ran = 0;
  let inTurn = 0;
  let most = 0;
  const run = async () => {
    ran += 1;
    inTurn += 1;
  };
  timers.handle("note:", run, { atOnce: 256 });
  await Promise.all(Array.from({ length: many }, (_, number) => timers.set(`note:${number}`, clock.now())));
  await timers.start();
  while (ran < many) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, inTurn);
    inTurn = 0;
  }
  await timers.stop();
  expect(rows).toBeLessThan(2 * many);
  expect(most).toBeLessThan(100);
});
