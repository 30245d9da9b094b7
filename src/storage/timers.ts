import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { type Clock, sleep, systemClock } from "../process/clock.ts";
import { traced } from "../process/trace.ts";
import { checkText } from "./checks.ts";
import type { Engine } from "./engine.ts";
import { RunLost, StorageError } from "./errors.ts";
import {
  claim,
  type DueTimer,
  dueTimers,
  failingIn,
  failuresOf,
  firstDueAfter,
  lanesOf,
  moveTimers,
  type NextRun,
  proveRun,
  setting,
  settleRun,
} from "./runs.ts";
import type { LaneBacklog, LaneHandlers, RunToken, TimerHandler, Timers } from "./store.ts";

/** Milliseconds that a lane rests after the store has failed. */
const pauseMs = 1_000;
/** Milliseconds without a failure after which the store counts as back: some lanes may read while others cannot write. */
const calmMs = 3 * pauseMs;
/** Milliseconds between two lines of the log about one outage. */
const sayEveryMs = 60_000;
/** Runs that a lane begins in one turn of the loop. */
const mostInTurn = 32;
/** Smaller steps back are normal corrections of a clock. */
const leastBackMs = 5_000;

interface Deps {
  engine: Engine;
  clock: Clock;
  log: Logger;
  outage: Outage;
  openedAt: number;
}

/** The failures of the store in all lanes, for the log. */
interface Outage {
  failed(error: unknown, lane?: string): void;
  answered(): void;
  halt(): void;
}

/** Logs the begin of an outage, its end, and each minute of it: 30 lanes that try each second would fill the disk with their stacks. */
function createOutage({ clock, log }: Pick<Deps, "clock" | "log">): Outage {
  let saidAt = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let failures = 0;
  let endsSoon: (() => void) | undefined;

  function halt(): void {
    endsSoon?.();
    endsSoon = undefined;
  }

  return {
    failed(error, lane) {
      halt();
      isFailing = true;
      failures += 1;
      if (error instanceof StorageError && clock.monotonic() - saidAt < sayEveryMs) return;
      log.error({ err: error, lane, failures }, "timers pause because the store failed");
      saidAt = clock.monotonic();
      failures = 0;
    },
    answered() {
      if (!isFailing) return;
      endsSoon ??= clock.after(calmMs, () => {
        halt();
        isFailing = false;
        saidAt = Number.NEGATIVE_INFINITY;
        failures = 0;
        log.info("the store answers again, and timers go on");
      });
    },
    halt,
  };
}

/** The timers of one lane in this instance: claims due ones and runs them. */
interface Lane {
  start(): void;
  /** Ensures a look for due timers at `at`. One that has just been set for then, and is due, can begin without it. */
  expect(at: number, id?: string): void;
  runs(id: string): boolean;
  halt(): void;
  /** Resolves when no run is in progress and none can begin. */
  idle(): Promise<void>;
}

function createLane(lane: string, { run, atOnce }: { run: TimerHandler; atOnce: number }, deps: Deps): Lane {
  const { engine, clock, log, outage, openedAt } = deps;
  const busy = new Map<string, Promise<void>>();
  let started = false;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let claiming = 0;
  let freed = (): void => {};
  /** Due timers that were set during the present look: somebody may wait for them. */
  let recent: DueTimer[] = [];
  let turns = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let planned = Number.POSITIVE_INFINITY;
  let callOff = (): void => {};

  function plan(at: number): void {
    callOff();
    planned = at;
    // By the monotonic clock: with the time of day set back, the lane would rest until the old time returns.
    const ms = Math.max(at - clock.now(), restsUntil - clock.monotonic(), 0);
    callOff = clock.after(ms, look);
  }

  function look(): void {
    callOff();
    lookAgain = true;
    if (started) looking ??= beginAll().finally(ended);
  }

  /** A look that is asked for after the loop has ended, and before this, would wait for a minute. */
  function ended(): void {
    looking = undefined;
    if (lookAgain) look();
  }

  async function beginAll(): Promise<void> {
    while (started && lookAgain) {
      lookAgain = false;
      planned = Number.POSITIVE_INFINITY;
      try {
        const next = await beginDue();
        if (started) outage.answered();
        if (started && !lookAgain && next < Number.POSITIVE_INFINITY) plan(next);
      } catch (error) {
        rest(error);
      }
    }
  }

  /** Begins all that is due, as there is room for it, and resolves with the time of the next look. */
  async function beginDue(): Promise<number> {
    const now = clock.now();
    for await (const page of dueTimers(engine, lane, { now, busy: (id) => busy.has(id) }))
      for (let rest = page; rest.length > 0; ) {
        const room = await waitForRoom();
        if (!started) return Number.POSITIVE_INFINITY;
        // The half is for those that were just set. A single place goes to both kinds in turn, so that neither waits for ever.
        turns += 1;
        const lately = recent.splice(0, Math.floor((room + (turns % 2)) / 2));
        await beginThese([...rest.slice(0, room - lately.length), ...lately]);
        rest = rest.slice(room - lately.length);
      }
    recent = [];
    return firstDueAfter(engine, lane, now);
  }

  /** Resolves with the number of runs that may begin. In another turn, so that other work goes on between two of these groups. */
  async function waitForRoom(): Promise<number> {
    for (let room = 0; ; room = atOnce - busy.size - claiming) {
      if (room > 0 || !started) return Math.min(room, mostInTurn);
      if (busy.size + claiming >= atOnce) await new Promise<void>((resolve) => (freed = resolve));
      await nextTurn();
    }
  }

  /** False if another instance had one of them, or if it was set for another time. */
  async function beginThese(timers: DueTimer[]): Promise<boolean> {
    claiming += timers.length;
    try {
      const tokens = await Promise.all(timers.map((timer) => claim(engine, lane, { ...timer, openedAt })));
      // A timer that was claimed during a halt is free again, since nobody runs it.
      for (const token of tokens) if (token && started) begin(token);
      return !tokens.includes(null);
    } finally {
      claiming -= timers.length;
      freed();
    }
  }

  function begin(token: RunToken): void {
    const done = carryOut(token)
      .catch(rest)
      .then(() => {
        busy.delete(token.id);
        freed();
      });
    busy.set(token.id, done);
  }

  async function carryOut(token: RunToken): Promise<void> {
    const outcome = await attempt(token, run, { clock, log, failures: () => failuresOf(engine, lane, token.id) });
    const next = await report(token, outcome);
    if (next !== undefined) expect(next);
  }

  /** Until the store accepts it: no other instance takes a run from a living one. */
  async function report(token: RunToken, outcome: NextRun): Promise<number | undefined> {
    for (;;) {
      try {
        return await settleRun(engine, token, outcome);
      } catch (error) {
        if (!started || !(error instanceof StorageError)) throw error;
        rest(error);
        await sleep(clock, pauseMs);
      }
    }
  }

  function rest(error: unknown): void {
    if (!started) return;
    outage.failed(error, lane);
    restsUntil = clock.monotonic() + pauseMs;
    plan(clock.now());
  }

  function expect(at: number, id?: string): void {
    if (!started) return;
    const isDue = at <= clock.now() && clock.monotonic() >= restsUntil;
    // During a look the room is for the timers that it finds.
    if (isDue && id !== undefined && !looking && !busy.has(id) && busy.size + claiming < atOnce) {
      beginThese([{ id, at, lost: undefined }])
        .then((hasBegun) => hasBegun || look())
        .catch(rest);
    } else if (isDue || looking) {
      if (isDue && id !== undefined && recent.length < atOnce) recent.push({ id, at, lost: undefined });
      look();
    } else if (at < planned) plan(at);
  }

  return {
    expect,
    runs: (id) => busy.has(id),
    start() {
      started = true;
      look();
    },
    halt() {
      started = false;
      callOff();
      freed();
    },
    async idle() {
      while (looking || busy.size > 0) await Promise.all([looking, ...busy.values()]);
    },
  };
}

export interface InstanceTimers extends Timers {
  expect(lane: string, at: number, id?: string): void;
  /** Starts no more runs and does not wait. */
  halt(): void;
}

/** The timers of one instance. */
export function createTimers(deps: Omit<Deps, "openedAt" | "outage"> & { alone: boolean }): InstanceTimers {
  const { engine, clock, log, alone } = deps;
  const outage = createOutage(deps);
  const openedAt = clock.now();
  const lanes = new Map<string, Lane>();
  const unhandled = new Set<string>();
  let started = false;
  let cancelLook = (): void => {};
  const offset = (): number => clock.now() - clock.monotonic();
  let known = offset();

  function expect(lane: string, at: number, id?: string): void {
    lanes.get(lane)?.expect(at, id);
    if (!started || lanes.has(lane) || unhandled.has(lane)) return;
    unhandled.add(lane);
    log.warn({ lane }, "nothing in this version of Rackbell handles these timers; they wait");
  }

  /** A lane waits for its next timer by the monotonic clock: where the time of day is set, or the machine has slept, this finds what is due. */
  async function lookAtAll(): Promise<void> {
    const now = offset();
    if (alone && known - now >= leastBackMs) await moveTimers(engine, Math.round(known - now));
    known = now;
    for (const { lane, at } of await lanesOf(engine)) expect(lane, at);
  }

  function lookLater(): void {
    cancelLook();
    if (!started) return;
    cancelLook = clock.after(engine.lookEveryMs, () => {
      lookAtAll().then(outage.answered, outage.failed).finally(lookLater);
    });
  }

  async function backlogOf(lane: string): Promise<LaneBacklog> {
    const busy = (id: string): boolean => lanes.get(lane)?.runs(id) ?? false;
    const due: DueTimer[] = [];
    for await (const page of dueTimers(engine, lane, { now: clock.now(), busy })) due.push(...page);
    return { lane, due: due.length, since: due[0]?.at ?? null, failing: await failingIn(engine, lane) };
  }

  async function stopLanes(ending: Lane[]): Promise<void> {
    if (!started) cancelLook();
    if (!started) outage.halt();
    for (const lane of ending) lane.halt();
    for (const lane of ending) await lane.idle();
  }

  return {
    expect,
    async set(id, at) {
      const place = timerPlace(id);
      await engine.apply({ members: [setting(place.lane, place.id, wholeTime(at))] });
      expect(place.lane, wholeTime(at), place.id);
    },
    handle(prefix, run, { atOnce = usualAtOnce } = {}) {
      if (!/^[^:]+:$/.test(prefix))
        throw new StorageError(`"${prefix}" is no lane of timers: a lane is a word and a colon.`);
      if (lanes.has(prefix)) throw new StorageError(`The timers "${prefix}" have a handler already.`);
      const lane = createLane(prefix, { run, atOnce }, { engine, clock, log, outage, openedAt });
      lanes.set(prefix, lane);
      if (started) lane.start();
    },
    async start() {
      started = true;
      for (const lane of lanes.values()) lane.start();
      lookLater();
      await lookAtAll();
    },
    prove: (run) => proveRun(engine, run),
    async backlog() {
      const all = new Set([...lanes.keys(), ...(await lanesOf(engine)).map(({ lane }) => lane)]);
      const found = await Promise.all([...all].map(backlogOf));
      return found.filter(({ lane, due, failing }) => lanes.has(lane) || due + failing > 0);
    },
    async settled(lane) {
      for (;;) {
        await lanes.get(lane)?.idle();
        if ((await backlogOf(lane)).due === 0) return lanes.get(lane)?.idle();
        // By the machine's clock: due timers start regardless of the app's clock, which a test may stop.
        await sleep(systemClock, 20);
      }
    },
    async stop(but = []) {
      started &&= but.length > 0;
      await stopLanes([...lanes].flatMap(([prefix, lane]) => (but.includes(prefix) ? [] : [lane])));
    },
    halt() {
      started = false;
      cancelLook();
      outage.halt();
      for (const lane of lanes.values()) lane.halt();
    },
  };
}

/** The most concurrent runs of a lane in one instance, unless its handler sets another limit. */
const usualAtOnce = 16;

const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;

/** Runs one timer. A failure is logged; each further failure doubles the pause before the next try, up to ten minutes. */
async function attempt(
  token: RunToken,
  handler: TimerHandler,
  { clock, log, failures: failuresBefore }: { clock: Clock; log: Logger; failures: () => Promise<number> },
): Promise<NextRun> {
  const id = token.lane + token.id;
  try {
    const again = await traced("timer", { "rackbell.timer": token.lane }, async () => handler(id, token));
    return { again: typeof again === "number" ? wholeTime(again) : undefined };
  } catch (error) {
    const failures = (await failuresBefore()) + 1;
    const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
    if (error instanceof RunLost) log.info({ timer: id }, "another instance has taken over this timer");
    else log.warn({ err: error, timer: id, failures, retryInMs }, "a timer failed and is tried again");
    return { retryAt: Math.ceil(clock.now() + retryInMs), failures };
  }
}

/** Registers the handlers of a room. */
export function handleLanes(timers: Pick<Timers, "handle">, handlers: LaneHandlers): void {
  for (const [lane, handler] of Object.entries(handlers)) {
    if (typeof handler === "function") timers.handle(lane, handler);
    else timers.handle(lane, handler.run, { atOnce: handler.atOnce });
  }
}

/** The time in whole milliseconds, rounded up. Throws RangeError unless it is a finite number. */
export function wholeTime(time: number): number {
  if (!Number.isFinite(time)) throw new RangeError("A timer needs a time.");
  return Math.ceil(time);
}

/** Splits a timer's id into its lane and the rest. Throws TypeError if it has no lane. */
export function timerPlace(id: string): { lane: string; id: string } {
  const end = checkText(id).indexOf(":") + 1;
  if (end < 2) throw new TypeError("A timer's id begins with its lane, a word and a colon.");
  return { lane: id.slice(0, end), id: id.slice(end) };
}
