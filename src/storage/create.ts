import type { Logger } from "pino";
import { type Clock, repeat } from "../process/clock.ts";
import { checkScore, checkText, checkTimeToLive } from "./checks.ts";
import type { Engine, Lasting, Member, MemberChange } from "./engine.ts";
import { createFace } from "./face.ts";
import { appending, createEntryLog, sweepLogs } from "./log.ts";
import type { RecordChange } from "./record.ts";
import { setting } from "./runs.ts";
import type { Index, Locks, Paces, Store, Timers } from "./store.ts";
import { createTimers, timerPlace, wholeTime } from "./timers.ts";

const hourMs = 3_600_000;

/** The store over the engine of a backend. `alone`: no other process can open it. `end`: at a crash, for tests. */
export function createStore(
  engine: Engine,
  { clock, log, alone }: { clock: Clock; log: Logger; alone: boolean },
): { store: Store; halt(): void } {
  const timers = createTimers({ engine, clock, log, alone });
  // Not fatal: readers skip expired entries, and the next hour tries again.
  const endSweeping = repeat(
    clock,
    hourMs,
    (goesOn) => sweepLogs(engine, clock.now(), goesOn),
    (error) => log.error({ err: error }, "expired entries could not be deleted"),
  );

  const transact: Store["transact"] = async ({ records, log: entries = [], index = [], timers: set = [] }) => {
    const now = clock.now();
    const appended = entries.map(({ log, retentionMs, ...entry }) => appending(log, entry, { retentionMs, now }));
    const places = set.map(({ id, at }) => ({ ...timerPlace(id), at: wholeTime(at) }));
    const members = index.map(
      ({ name, member, score }): MemberChange => ({
        index: checkText(name),
        member: checkText(member),
        score: score === null ? null : checkScore(score),
      }),
    );
    const change = {
      texts: [...records, ...appended.map(({ text }) => text)],
      members: [...members, ...places.map(({ lane, id, at }) => setting(lane, id, at))],
      appends: appended.map(({ append }) => append),
    };
    const isAlone = change.texts.length + change.members.length === records.length;
    const written = await engine.apply(change, { lasts: isAlone ? lastingOf(records) : "disk" });
    if (written) for (const { lane, at, id } of places) timers.expect(lane, at, id);
    return written !== undefined;
  };

  const { locks, stop: endReleases } = createLocks(engine, { clock, log });

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await timers.stop();
    endSweeping();
    endReleases();
    await engine.close();
  }

  const store: Store = {
    ...createFace(engine, log),
    transact,
    index: (name) => createIndex(engine, name),
    log: (name, { retentionMs }) => createEntryLog(engine, clock, name, retentionMs),
    locks,
    paces: createPaces(engine, timers),
    timers,
    instance: engine.instance,
    alive: async (instance) => engine.alive(instance),
    weaknesses: engine.weaknesses,
    async ready() {
      try {
        await engine.prove();
        return [];
      } catch (error) {
        return [error instanceof Error ? error.message : "The store cannot be written."];
      }
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
  return {
    store,
    halt() {
      timers.halt();
      endSweeping();
      endReleases();
    },
  };
}

/** A step of several records lasts as the safest of them. */
function lastingOf(records: readonly RecordChange[]): Lasting {
  if (records.every(({ lasts }) => lasts === "soon")) return "soon";
  return records.some(({ lasts }) => lasts === "disk") ? "disk" : "system";
}

const usualLimit = 100;

/** One ordered index. */
function createIndex(engine: Engine, name: string): Index {
  checkText(name);
  return {
    async range({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, after, limit = usualLimit } = {}) {
      const count = Math.floor(limit);
      if (count < 1 || Number.isNaN(from) || Number.isNaN(to)) return { entries: [], next: undefined };
      const place = after === undefined ? undefined : placeOf(after);
      const entries = await engine.range(name, { from, to, after: place, limit: count });
      const last = entries.at(-1);
      return { entries, next: last && entries.length === count ? `${last.score} ${last.member}` : undefined };
    },
    size: async () => engine.size(name),
  };
}

function placeOf(cursor: string): Member {
  const blank = cursor.indexOf(" ");
  return { score: Number(cursor.slice(0, blank)), member: cursor.slice(blank + 1) };
}

/** Every member of an index, in order of its score. */
export async function* scanIndex(index: Index): AsyncGenerator<{ member: string; score: number }> {
  let after: string | undefined;
  do {
    const { entries, next } = await index.range({ after });
    yield* entries;
    after = next;
  } while (after !== undefined);
}

interface LockMark {
  instance: string;
  fence: number;
  holder: unknown;
}

/** So long after a release that the store did not take, it is asked again. */
const releaseAgainMs = 1_000;

/** Locks are marks that name the instance which has them. `stop`: no release is made up for any more. */
function createLocks(engine: Engine, { clock, log }: { clock: Clock; log: Logger }): { locks: Locks; stop(): void } {
  /** The releases that are made up for, by fence; null once the store is closed. */
  let owed: Map<number, () => void> | null = new Map();

  const keyOf = (name: string): string => `mark:~lock:${checkText(name)}`;
  const heldIn = (text: string): LockMark => JSON.parse(text);

  /** The instance of a lock, if it has ended without releasing it. */
  async function endedInstance({ instance }: LockMark): Promise<string | undefined> {
    return (await engine.alive(instance)) ? undefined : instance;
  }

  async function release(name: string, fence: number): Promise<boolean> {
    const was = await engine.get(keyOf(name));
    if (was === undefined || heldIn(was).fence !== fence) return false;
    const change = { texts: [{ key: keyOf(name), was, text: undefined }] };
    return (await engine.apply(change, { lasts: "system" })) !== undefined;
  }

  function releaseLater(name: string, fence: number): void {
    const again = () => {
      owed?.delete(fence);
      release(name, fence).catch(() => releaseLater(name, fence));
    };
    owed?.set(fence, clock.after(releaseAgainMs, again));
  }

  const locks: Locks = {
    async lock(name, holder, ttlMs) {
      checkTimeToLive(ttlMs);
      const fence = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
      const text = JSON.stringify({ instance: engine.instance, fence, holder: holder ?? null } satisfies LockMark);
      // Nearly always it is free.
      for (let was: string | undefined, gone: string | undefined; ; ) {
        const change = { texts: [{ key: keyOf(name), was: was ?? null, text, ttlMs }], gone, signs: true };
        if (await engine.apply(change, { lasts: "system" })) return { fence };
        was = await engine.get(keyOf(name));
        const held = was === undefined ? undefined : heldIn(was);
        gone = held && (await endedInstance(held));
        if (held && gone === undefined) return { holder: held.holder };
      }
    },
    async unlock(name, fence) {
      try {
        return await release(name, fence);
      } catch (error) {
        if (!owed) throw error;
        // Thrown, it would take the place of the outcome of the work; and this living instance would keep the lock to its end.
        log.warn({ err: error, lock: name }, "a lock could not be released; it is tried again");
        releaseLater(name, fence);
        return true;
      }
    },
  };
  return {
    locks,
    stop() {
      for (const callOff of owed?.values() ?? []) callOff();
      owed = null;
    },
  };
}

export function createPaces(engine: Pick<Engine, "turn">, { prove }: Pick<Timers, "prove">): Paces {
  return {
    async take(name, { burst, everyMs }, run) {
      if (run) await prove(run);
      return engine.turn(checkText(name), burst, everyMs);
    },
  };
}
