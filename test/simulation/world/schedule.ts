import { createDraws, type Draws } from "../../torture/draws.ts";
import { createTimerHeap } from "./timer-heap.ts";

/** Real turns of the event loop: stored before time is replaced, so that the schedule itself continues. */
const turnOfTheLoop = globalThis.setImmediate;

/** So long the code of one event may run in real turns before the simulation calls it stuck. */
const mostTurns = 20_000;

/** So many events and timers may fall into one moment: more would stop time for ever. */
const mostInMoment = 50_000;

interface Happening {
  label: string;
  /** A later one has a greater number. */
  order: number;
  run(): void;
}

/**
 * All that happens in a simulated world, one event at a time. Events of one queue keep their order; the seed picks the queue that
 * goes next, and a timer of the same moment may come before it: two answers that are due at once overtake what the first sets going. Time moves only when no event is left and no code runs, straight to the next timer.
 */
export interface Schedule {
  /** Milliseconds since the world began. */
  readonly time: number;
  /** How many events there have been. */
  readonly events: number;
  /** Which interleaving this is: the same for the same seed, in any process. */
  readonly digest: number;
  /** Draws of their own for the order of events, for bytes, for what people do and for faults, so that fewer of one change no other. */
  readonly draws: Record<"order" | "bytes" | "people" | "faults" | "delays", Draws>;
  /** Events come in the order in which they were caused, and before the timers of their moment; else the seed picks. */
  isOrderly: boolean;
  readonly seed: number;
  /** Every event as a line of text, while somebody wants them. */
  trace: string[] | null;
  /** Called before each event with its number and its label. */
  onEvent: ((event: number, label: string) => void) | null;
  add(queue: string, label: string, run: () => void): void;
  /** Drops what waits in the queues that this names. */
  drop(chosen: (queue: string) => boolean): void;
  after(ms: number, action: () => void): () => void;
  /** Counts one turn of the loop that code has requested; the returned function takes it back. `real`: something outside of the world. */
  busy(options?: { real: boolean }): () => void;
  /** Runs until `done`, or until `untilMs` of the world's time with nothing left to do before; false then. */
  run(done: () => boolean, untilMs: number): Promise<boolean>;
  /** Runs code that waits only for its turn. */
  rest(): Promise<void>;
  /** A new world: everything of the one before is forgotten. */
  begin(seed: number): void;
  /** Goes on from another world, at its time, with draws that it has not had. */
  goOn(seed: number, time: number): void;
  /** A timer or connection of an earlier world must not reach this one. */
  readonly round: number;
}

export function createSchedule(): Schedule {
  let round = 0;
  let time = 0;
  let events = 0;
  let digest = 0;
  let pending = 0;
  let real = 0;
  let order = 0;
  let seed = 1;
  let draws = drawsOf(seed);
  const queues = new Map<string, Happening[]>();
  const timers = createTimerHeap();

  const turn = () => new Promise<void>((resolve) => turnOfTheLoop(resolve));

  /** Until the code that the last event has set going rests: it waits for an event or for time. */
  async function settle(): Promise<void> {
    // Something real takes as long as it takes.
    for (let turns = 0; turns < mostTurns; turns += real > 0 ? 0 : 1) {
      await turn();
      if (pending === 0) return;
    }
    throw new Error("The code of one event does not come to rest");
  }

  function note(label: string): void {
    events += 1;
    let mixed = Math.imul(digest, 31) + time;
    for (let at = 0; at < label.length; at += 1) mixed = Math.imul(mixed, 33) + label.charCodeAt(at);
    digest = mixed | 0;
    schedule.trace?.push(`${(time / 1000).toFixed(3).padStart(9)} s  ${label}`);
    schedule.onEvent?.(events, label);
  }

  /** One event of the queue that the order's draws pick, or a timer that is due with them; false where there is none. */
  function step(): boolean {
    const names = schedule.isOrderly ? oldestQueue() : [...queues.keys()];
    const isDue = (timers.soonest() ?? Number.POSITIVE_INFINITY) <= time;
    const choices = schedule.isOrderly && names.length > 0 ? 1 : names.length + (isDue ? 1 : 0);
    const at = choices > 1 ? draws.order.between(0, choices - 1) : 0;
    if (isDue && at === names.length) {
      timers.take()?.();
      return true;
    }
    const name = names[at];
    const queue = name === undefined ? undefined : queues.get(name);
    const next = queue?.shift();
    if (name === undefined || !queue || !next) return false;
    if (queue.length === 0) queues.delete(name);
    note(next.label);
    next.run();
    return true;
  }

  function oldestQueue(): string[] {
    let oldest: { name: string; order: number } | undefined;
    for (const [name, [first]] of queues)
      if (first && (!oldest || first.order < oldest.order)) oldest = { name, order: first.order };
    return oldest ? [oldest.name] : [];
  }

  const schedule: Schedule = {
    isOrderly: false,
    trace: null,
    onEvent: null,
    get time() {
      return time;
    },
    get events() {
      return events;
    },
    get digest() {
      return digest;
    },
    get draws() {
      return draws;
    },
    get seed() {
      return seed;
    },
    get round() {
      return round;
    },
    add(queue, label, run) {
      order += 1;
      const waiting = queues.get(queue);
      if (waiting) waiting.push({ label, order, run });
      else queues.set(queue, [{ label, order, run }]);
    },
    drop(chosen) {
      for (const name of [...queues.keys()]) if (chosen(name)) queues.delete(name);
    },
    after(ms, action) {
      // Whole milliseconds, as Node's timers and Date.now: a third of one makes timestamps that no Slack has, and waits that never pass.
      return timers.add(time + Math.max(0, Number.isFinite(ms) ? Math.trunc(ms) : 0), action);
    },
    busy({ real: isReal } = { real: false }) {
      pending += 1;
      real += isReal ? 1 : 0;
      const own = round;
      let over = false;
      return () => {
        if (!over && own === round) {
          pending -= 1;
          real -= isReal ? 1 : 0;
        }
        over = true;
      };
    },
    async run(done, untilMs) {
      for (let inMoment = 0; ; inMoment += 1) {
        await settle();
        if (done()) return true;
        if (inMoment > mostInMoment) throw new Error("Something goes on and on within one moment");
        if (step()) continue;
        const due = timers.soonest();
        if (due === undefined || due > untilMs) {
          time = Math.max(time, untilMs);
          return false;
        }
        if (due > time) inMoment = 0;
        time = Math.max(time, due);
        timers.take()?.();
      }
    },
    rest: settle,
    begin(given) {
      seed = given;
      round += 1;
      time = 0;
      events = 0;
      digest = 0;
      pending = 0;
      real = 0;
      draws = drawsOf(seed);
      queues.clear();
      timers.clear();
      schedule.onEvent = null;
      if (schedule.trace) schedule.trace = [];
    },
    goOn(given, at) {
      seed = given;
      draws = drawsOf(seed ^ 0x51ed270b);
      time = Math.max(time, at);
    },
  };
  return schedule;
}

function drawsOf(seed: number): Schedule["draws"] {
  const of = (salt: number) => createDraws(Math.imul(seed, 0x9e3779b1) ^ salt);
  return { order: of(1), bytes: of(2), people: of(3), faults: of(4), delays: of(5) };
}
