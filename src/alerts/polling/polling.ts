import * as z from "#zod";
import { backgroundAllowedAt, takeTurn } from "../../members/access/background-rate.ts";
import type { MonitoringClient, SupplierConnection } from "../../members/identities/connection.ts";
import { errorText, whoseMonitoringKey } from "../../messages/answers/error-text.ts";
import { type ApiName, keyRejected } from "../../platform/http/errors.ts";
import type { LoggedApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import type { LaneHandlers, Store } from "../../storage/store.ts";
import { update } from "../../storage/update.ts";
import { updateAlerts } from "../alert-updater.ts";
import { type AlertsApp, type Causes, doneTimer } from "../app.ts";
import { type BalanceApp, balanceReader } from "./balance.ts";
import { customerReaders } from "./customer.ts";
import { noteState } from "./observations.ts";
import { nothingRead, type Reader, type ReadersApp } from "./reader.ts";
import { resellerReaders } from "./reseller.ts";

const pollingTimer = "poll:";
const minute = 60_000;
/** The pause of a reader after a failed read. */
const retryAfterMs = 10 * minute;
/** Admins see that polling fails once nothing was read for so long. */
const worthSayingMs = 60 * minute;

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
      /** When it was last read, in milliseconds since the epoch. */
      readAt: z.number(),
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
  /** Since when every call failed, in milliseconds since the epoch, and why the last one did; null once one succeeds. */
  failing: z.object({ since: z.number(), why: z.string() }).nullable(),
  /** The last call read a whole list: the next one is for the other readers, if one is due. */
  wholeLast: z.boolean(),
});
type Progress = z.infer<typeof Progress>;
type ReaderProgress = Progress["readers"][string];

const pollingProgress = defineKind({ name: "progress of polling", namespace: "polling", schema: Progress });

// Polls with each monitoring key, one call at a time, below a fifth of the key's rate limit.

/** The parts of the app that poll, and that bring alerts up to date after a member's act. */
export interface PollingApp extends ReadersApp, BalanceApp {
  connection: Pick<SupplierConnection, "about" | "reader">;
  causes: Causes;
  onGone: AlertsApp["onGone"];
}

export function pollingTimers(app: PollingApp): LaneHandlers {
  const { connection } = app;
  const customer = customerReaders(app, balanceReader(app));
  const reseller = resellerReaders(app);
  return {
    [pollingTimer]: async (timerId) =>
      timerId === `${pollingTimer}customer`
        ? poll(app, "customer", await connection.reader("customer"), customer)
        : poll(app, "reseller", await connection.reader("reseller"), reseller),
    [doneTimer]: (timerId) => updateAlerts(app, (observed) => noteState(app, observed), timerId),
  };
}

/** Continues, or starts with a key that was just set. `atOnce`: every reader starts a round as soon as the rate limit allows. */
export async function pollNow(
  { store, clock }: TimedApp,
  api: ApiName,
  { atOnce = false }: { atOnce?: boolean } = {},
): Promise<void> {
  if (atOnce) await update(store, pollingProgress, api, (progress) => progress && restartRounds(progress));
  await store.timers.set(`${pollingTimer}${api}`, clock.now());
}

export function startPolling(app: LoggedApp): void {
  for (const api of ["customer", "reseller"] as const)
    pollNow(app, api).catch((error: unknown) => app.log.error({ err: error, api }, "Polling has not started yet"));
}

/** Since when nothing was read with the key of that API, and why; null where something was within the last hour. */
export async function pollingProblem({ store, clock }: TimedApp, api: ApiName): Promise<Progress["failing"]> {
  const { problem = null, failing = null } = (await store.keyv(pollingProgress).get(api)) ?? {};
  // A rejected key stays rejected; any other failure may pass with the next call.
  return failing && (problem !== null || clock.now() - failing.since > worthSayingMs) ? failing : null;
}

/** The timer's run: one call of the reader that is due. Resolves to the time of the next run; undefined without a key. */
export async function poll<A extends ApiName>(
  { store, clock, log }: LoggedApp,
  api: A,
  key: Pick<MonitoringClient<A>, "client" | "keyId"> | null,
  readers: Reader<A>[],
): Promise<number | undefined> {
  if (!key) return undefined;
  const { client, keyId } = key;
  const before = await store.keyv(pollingProgress).get(api);
  const progress: Progress =
    before?.key === keyId ? before : { key: keyId, readers: {}, problem: null, failing: null, wholeLast: false };
  const now = clock.now();
  const next = nextReader(readers, progress, now);
  if (!next) return undefined;
  if (next.at > now) return next.at;
  const budget = client.budget();
  const again = backgroundAllowedAt(budget);
  if (again !== null) return again;
  const wait = await takeTurn(store.paces, "background", keyId, budget);
  if (wait > 0) return now + wait;
  const { reader } = next;
  const read = { ...next.progress, readAt: now };
  const round = read.cursor === null ? begun(read, reader, now) : read;
  const wholeLast = reader.whole === true;
  try {
    const { rounds, since } = round;
    const step = await reader.step(client, round.cursor ?? "", { first: rounds === 0, since, key: keyId });
    const cursor = step === nothingRead ? null : step;
    const success = step === nothingRead ? {} : { problem: null, failing: null };
    const ended = cursor === null ? { rounds: rounds + 1 } : {};
    const after = { ...round, cursor, ...ended };
    await saveProgress(store, api, { ...progress, ...success, wholeLast }, reader.name, after);
  } catch (error) {
    log.warn({ err: error, api, reader: reader.name }, "Polling failed");
    const problem = keyRejected(error) ? "key rejected" : progress.problem;
    const failing = {
      since: Math.min(progress.failing?.since ?? now, now),
      why: errorText(error, now, whoseMonitoringKey(api)).text,
    };
    const paused = { ...read, notBefore: clock.now() + retryAfterMs };
    await saveProgress(store, api, { ...progress, problem, failing, wholeLast }, reader.name, paused);
  }
  return clock.now();
}

/** A reader with its progress; `at`: when it is due, in milliseconds since the epoch. */
interface TimedReader<A extends ApiName> {
  reader: Reader<A>;
  progress: ReaderProgress;
  at: number;
}

/**
 * The reader whose turn it is; if none is due, the one that is due next. Whole lists and the other readers take turns: a key with a low rate
 * limit is always behind with the others, and would never read a whole list.
 */
function nextReader<A extends ApiName>(
  readers: Reader<A>[],
  { readers: progressByName, wholeLast }: Progress,
  now: number,
): TimedReader<A> | null {
  const timed = readers.map((reader) => {
    const progress = possible(progressByName[reader.name] ?? unread(now), reader, now);
    const due = progress.cursor === null && !progress.anew ? progress.startedAt + reader.every : 0;
    return { reader, progress, at: Math.max(due, progress.notBefore) };
  });
  const ready = timed.filter(({ at }) => at <= now);
  const whole = firstOf(ready.filter(({ reader }) => reader.whole));
  const other = latestOf(
    ready.filter(({ reader }) => !reader.whole),
    now,
  );
  return (wholeLast ? (other ?? whole) : (whole ?? other)) ?? timed.sort((a, b) => a.at - b.at)[0] ?? null;
}

function unread(now: number): ReaderProgress {
  return { cursor: null, startedAt: 0, since: now, readAt: 0, rounds: 0, notBefore: 0, anew: true };
}

/**
 * Counts stored times that cannot be as long past: after the clock was set back, a reader would wait until the old time returns, or behind
 * those that were read since.
 */
function possible<A extends ApiName>(progress: ReaderProgress, { every }: Reader<A>, now: number): ReaderProgress {
  const { startedAt, since, readAt, notBefore } = progress;
  return {
    ...progress,
    startedAt: startedAt > now ? 0 : startedAt,
    since: since > now ? now - every : since,
    readAt: readAt > now ? 0 : readAt,
    notBefore: notBefore > now + retryAfterMs ? 0 : notBefore,
  };
}

/** Among whole lists the one under way, otherwise the one that was read longest ago. */
function firstOf<A extends ApiName>(ready: TimedReader<A>[]): TimedReader<A> | undefined {
  const underWay = ready.find(({ progress }) => progress.cursor !== null);
  return underWay ?? ready.sort((a, b) => a.progress.startedAt - b.progress.startedAt)[0];
}

/** The reader that was left alone for the most of its intervals; of equals the first, which is the most urgent. */
function latestOf<A extends ApiName>(ready: TimedReader<A>[], now: number): TimedReader<A> | undefined {
  const intervalsPast = ({ reader, progress }: TimedReader<A>) => (now - progress.readAt) / reader.every;
  return ready.toSorted((a, b) => intervalsPast(b) - intervalsPast(a))[0];
}

function begun<A extends ApiName>(progress: ReaderProgress, { every }: Reader<A>, now: number): ReaderProgress {
  return { ...progress, startedAt: now, since: progress.startedAt || now - every, anew: false };
}

function restartRounds(progress: Progress): Progress {
  const readers = Object.entries(progress.readers).map(([name, reader]) => [
    name,
    // A round under way continues: starting it over would read its pages twice.
    { ...reader, anew: reader.cursor === null, notBefore: 0 },
  ]);
  return { ...progress, readers: Object.fromEntries(readers) };
}

/** Stores a reader's progress alone, so that `pollNow` with `atOnce` during the read is not undone for the other readers. */
async function saveProgress(
  store: Store,
  api: ApiName,
  { key, ...others }: Omit<Progress, "readers">,
  name: string,
  reader: ReaderProgress,
): Promise<void> {
  await update(store, pollingProgress, api, (now) => ({
    ...others,
    key,
    readers: { ...(now?.key === key ? now.readers : {}), [name]: reader },
  }));
}
