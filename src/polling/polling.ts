import type { Logger } from "pino";
import * as z from "zod";
import { backgroundAllowedAt, takeTurn } from "../access/background-rate.ts";
import type { Clock } from "../clock.ts";
import type { MonitoringClient } from "../identities/connection.ts";
import { type ApiName, keyRejected } from "../platform/http/errors.ts";
import { defineKind } from "../storage/kind.ts";
import type { LaneHandlers, Store } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import type { Reader } from "./reader.ts";

const lane = "sweep:";
const minute = 60_000;
/** The pause of a reader after a failed read. */
const retryAfterMs = 10 * minute;

const Progress = z.object({
  /** The id of the monitoring key; another key starts over. */
  key: z.string(),
  readers: z.record(
    z.string(),
    z.object({
      /** The reader's place in the present round; null between two rounds. */
      cursor: z.string().nullable(),
      /** When the present or last round began, and the one before it, in milliseconds since the epoch. */
      startedAt: z.number(),
      since: z.number(),
      /** Number of completed rounds. */
      rounds: z.number(),
      /** No read before this time. */
      notBefore: z.number(),
      /** The next round starts without waiting for its time. */
      anew: z.boolean(),
    }),
  ),
  /** Why nothing can be read; null otherwise. */
  problem: z.enum(["key rejected"]).nullable(),
});
type Progress = z.infer<typeof Progress>;
type ReaderProgress = Progress["readers"][string];

/** Polls with each monitoring key, one call at a time, below a fifth of the key's rate limit (design section 6). */
export interface Poller {
  /** Continues, or starts with a key that was just set. `atOnce`: every reader starts a round as soon as the rate limit allows. */
  go(api: ApiName, options?: { atOnce?: boolean }): Promise<void>;
  start(): void;
  timers: LaneHandlers;
  /** Why nothing can be read with the key of that API; null where no problem is known. */
  problem(api: ApiName): Promise<Progress["problem"]>;
}

const pollingProgress = defineKind({ name: "sweep", namespace: "sweeps", schema: Progress, version: 1 });

export function createPoller(deps: {
  store: Store;
  clock: Clock;
  log: Logger;
  /** The client of each monitoring key; null where none is set. */
  keys: { [A in ApiName]: () => Promise<Pick<MonitoringClient<A>, "client" | "keyId"> | null> };
  readers: { [A in ApiName]: Reader<A>[] };
}): Poller {
  const { store, clock, log, keys, readers } = deps;
  const records = store.keyv(pollingProgress);

  async function run<A extends ApiName>(api: A, own: Reader<A>[]): Promise<number | undefined> {
    const reading = await keys[api]();
    if (!reading) return undefined;
    const { client, keyId } = reading;
    const before = await records.get(api);
    const progress: Progress = before?.key === keyId ? before : { key: keyId, readers: {}, problem: null };
    const now = clock.now();
    const next = nextReader(own, progress, now);
    if (!next) return undefined;
    if (next.at > now) return next.at;
    const budget = client.budget();
    const again = backgroundAllowedAt(budget);
    if (again !== null) return again;
    const wait = await takeTurn(store.paces, "background", keyId, budget);
    if (wait > 0) return now + wait;
    const { reader, at } = next;
    const round = next.progress.cursor === null ? begun(next.progress, now) : next.progress;
    try {
      const cursor = await reader.step(client, round.cursor ?? "", {
        ...{ first: round.rounds === 0, since: round.since, key: keyId },
      });
      const ended = cursor === null ? { rounds: round.rounds + 1 } : {};
      await saveProgress(store, api, { ...progress, problem: null }, reader.name, { ...round, cursor, ...ended });
    } catch (error) {
      log.warn({ err: error, api, reader: reader.name }, "Polling failed");
      const problem = keyRejected(error) ? "key rejected" : progress.problem;
      const again = { ...next.progress, notBefore: clock.now() + retryAfterMs };
      await saveProgress(store, api, { ...progress, problem }, reader.name, again);
    }
    return Math.max(at, clock.now());
  }

  const poll = (id: string) =>
    id === `${lane}customer` ? run("customer", readers.customer) : run("reseller", readers.reseller);
  const wake = (api: ApiName) => store.wakeups.wake(`${lane}${api}`, clock.now());

  return {
    timers: { [lane]: poll },
    async go(api, { atOnce: anew = false } = {}) {
      if (anew) await update(store, pollingProgress, api, (progress) => progress && restartRounds(progress));
      await wake(api);
    },
    start() {
      for (const api of ["customer", "reseller"] as const)
        wake(api).catch((error: unknown) => log.error({ err: error, api }, "Polling has not started yet"));
    },
    problem: async (api) => (await records.get(api))?.problem ?? null,
  };
}

/** The first reader that is due, with whole lists last; if none is due, the one that is due next. */
function nextReader<A extends ApiName>(
  readers: Reader<A>[],
  { readers: progressByName }: Progress,
  now: number,
): { reader: Reader<A>; progress: ReaderProgress; at: number } | null {
  const timed = readers.map((reader) => {
    const progress = progressByName[reader.name] ?? {
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

/** Among whole lists the one under way, otherwise the one that was read longest ago. */
function firstOf<R extends { progress: ReaderProgress }>(ready: R[]): R | undefined {
  const underWay = ready.find(({ progress }) => progress.cursor !== null);
  return underWay ?? ready.sort((a, b) => a.progress.startedAt - b.progress.startedAt)[0];
}

function begun(progress: ReaderProgress, now: number): ReaderProgress {
  return { ...progress, startedAt: now, since: progress.startedAt || now, anew: false };
}

function restartRounds(progress: Progress): Progress {
  const readers = Object.entries(progress.readers).map(([name, reader]) => [
    name,
    // A round under way continues: starting it over would read its pages twice.
    reader.cursor === null ? { ...reader, anew: true, notBefore: 0 } : reader,
  ]);
  return { ...progress, readers: Object.fromEntries(readers) };
}

/** Stores a reader's progress alone, so that `go` with `atOnce` during the read is not undone for the other readers. */
async function saveProgress(
  store: Store,
  api: ApiName,
  { key, problem }: Pick<Progress, "key" | "problem">,
  name: string,
  reader: ReaderProgress,
): Promise<void> {
  await update(store, pollingProgress, api, (now) => ({
    key,
    problem,
    readers: { ...(now?.key === key ? now.readers : {}), [name]: reader },
  }));
}
