import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import type { Reading } from "../../identities/connection.ts";
import { type ApiName, keyRejected } from "../../platform/http/errors.ts";
import { createRecords, type Records } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";
import { againAt, takeTurn } from "../reading-pace.ts";
import type { Reader } from "./reader.ts";

const lane = "sweep:";
const minute = 60_000;
/** What could not be read is tried again after this. */
const triedAgainMs = 10 * minute;

const Progress = z.object({
  /** The key that it was read with: another key begins anew. */
  key: z.string(),
  readers: z.record(
    z.string(),
    z.object({
      /** Where the round goes on; null between two rounds. */
      cursor: z.string().nullable(),
      /** When the round began that is under way, or the last one; and the one before it. Milliseconds. */
      startedAt: z.number(),
      since: z.number(),
      /** Rounds that came to their end. */
      rounds: z.number(),
      /** Not tried again before this. */
      notBefore: z.number(),
      /** It does not wait until its time has come. */
      anew: z.boolean(),
    }),
  ),
  /** Why nothing can be read, where that is so. */
  problem: z.enum(["key rejected"]).nullable(),
});
type Progress = z.infer<typeof Progress>;
type ReaderProgress = Progress["readers"][string];

/** One sweep for each reading key: all that is read in the background, a call at a time, under a fifth of the key's hour (design section 6). */
export interface Sweep {
  /** Goes on, or begins with a key that was just set. `atOnce`: everything is looked at anew, as far as the pace allows. */
  go(api: ApiName, options?: { atOnce?: boolean }): Promise<void>;
  start(): void;
  /** Why nothing can be read with the key of that API, where it was tried. */
  problem(api: ApiName): Promise<Progress["problem"]>;
}

export function createSweep(deps: {
  store: Store;
  clock: Clock;
  log: Logger;
  /** The client of each reading key; null where none is set. */
  keys: { [A in ApiName]: () => Promise<Pick<Reading<A>, "client" | "keyId"> | null> };
  readers: { [A in ApiName]: Reader<A>[] };
}): Sweep {
  const { store, clock, log, keys, readers } = deps;
  const kept = createRecords(store.values("sweeps"), { name: "sweep", schema: Progress, version: 1, log });

  async function run<A extends ApiName>(api: A, own: Reader<A>[]): Promise<number | undefined> {
    const reading = await keys[api]();
    if (!reading) return undefined;
    const { client, keyId } = reading;
    const before = await kept.get(api);
    const progress: Progress = before?.key === keyId ? before : { key: keyId, readers: {}, problem: null };
    const now = clock.now();
    const next = nextReader(own, progress, now);
    if (!next) return undefined;
    if (next.at > now) return next.at;
    const budget = client.budget();
    const again = againAt(budget);
    if (again !== null) return again;
    const wait = await takeTurn(store.paces, keyId, budget);
    if (wait > 0) return now + wait;
    const { reader, at } = next;
    const round = next.progress.cursor === null ? begun(next.progress, now) : next.progress;
    try {
      const cursor = await reader.step(client, round.cursor ?? "", {
        ...{ first: round.rounds === 0, since: round.since, key: keyId },
      });
      const ended = cursor === null ? { rounds: round.rounds + 1 } : {};
      await keep(kept, api, { ...progress, problem: null }, reader.name, { ...round, cursor, ...ended });
    } catch (error) {
      log.warn({ err: error, api, reader: reader.name }, "What is read in the background could not be read");
      const problem = keyRejected(error) ? "key rejected" : progress.problem;
      const again = { ...next.progress, notBefore: clock.now() + triedAgainMs };
      await keep(kept, api, { ...progress, problem }, reader.name, again);
    }
    return Math.max(at, clock.now());
  }

  store.wakeups.handle(lane, (id) =>
    id === `${lane}customer` ? run("customer", readers.customer) : run("reseller", readers.reseller),
  );
  const wake = (api: ApiName) => store.wakeups.wake(`${lane}${api}`, clock.now());

  return {
    async go(api, { atOnce: anew = false } = {}) {
      if (anew) await kept.update(api, (progress) => progress && lookAnew(progress));
      await wake(api);
    },
    start() {
      for (const api of ["customer", "reseller"] as const)
        wake(api).catch((error: unknown) => log.error({ err: error, api }, "Nothing is read in the background yet"));
    },
    problem: async (api) => (await kept.get(api))?.problem ?? null,
  };
}

/** The first of the readers whose time has come, whole lists last; else the one whose time comes first. */
function nextReader<A extends ApiName>(
  readers: Reader<A>[],
  { readers: known }: Progress,
  now: number,
): { reader: Reader<A>; progress: ReaderProgress; at: number } | null {
  const timed = readers.map((reader) => {
    const progress = known[reader.name] ?? {
      cursor: null,
      startedAt: 0,
      since: now,
      rounds: 0,
      notBefore: 0,
      anew: true,
    };
    const due = progress.cursor === null && !progress.anew ? progress.startedAt + reader.every : 0;
    return { reader, progress, at: Math.max(due, progress.notBefore) };
  });
  const ready = timed.filter(({ at }) => at <= now);
  return ready.find(({ reader }) => !reader.whole) ?? firstOf(ready) ?? timed.sort((a, b) => a.at - b.at)[0] ?? null;
}

/** Of whole lists the one that is being read, and then the one whose turn was longest ago. */
function firstOf<R extends { progress: ReaderProgress }>(ready: R[]): R | undefined {
  const underWay = ready.find(({ progress }) => progress.cursor !== null);
  return underWay ?? ready.sort((a, b) => a.progress.startedAt - b.progress.startedAt)[0];
}

function begun(progress: ReaderProgress, now: number): ReaderProgress {
  return { ...progress, startedAt: now, since: progress.startedAt || now, anew: false };
}

function lookAnew(progress: Progress): Progress {
  const readers = Object.entries(progress.readers).map(([name, reader]) => [
    name,
    // A round that is under way goes on: what it has read is not read twice.
    reader.cursor === null ? { ...reader, anew: true, notBefore: 0 } : reader,
  ]);
  return { ...progress, readers: Object.fromEntries(readers) };
}

/** Keeps how far a reader is; whoever asked meanwhile that all is looked at anew is not undone. */
async function keep(
  kept: Records<Progress>,
  api: ApiName,
  { key, problem }: Pick<Progress, "key" | "problem">,
  name: string,
  reader: ReaderProgress,
): Promise<void> {
  await kept.update(api, (now) => ({
    key,
    problem,
    readers: { ...(now?.key === key ? now.readers : {}), [name]: reader },
  }));
}
