import * as z from "#zod";
import { backgroundAllowedAt, takeTurn } from "../../members/access/background-rate.ts";
import type { MonitoringClient, SupplierConnection } from "../../members/identities/connection.ts";
import { meetsAll } from "../../messages/answers/error-text.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import { type ApiName, PlatformRefused } from "../../platform/http/errors.ts";
import type { UnreadRow } from "../../platform/http/unread.ts";
import type { LoggedApp, StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { replacing } from "../../storage/record.ts";
import type { LaneHandlers } from "../../storage/store.ts";
import { update } from "../../storage/update.ts";
import { updateAlerts } from "../alert-updater.ts";
import { type AlertsApp, type Causes, doneTimer } from "../app.ts";
import { type BalanceApp, balanceReader } from "./balance.ts";
import { customerReaders } from "./customer.ts";
import {
  type CallShortage,
  failingAfter,
  failingInRows,
  fewCallsAllowed,
  fewCallsLeft,
  isStarving,
  ListFailure,
  noticeChanges,
  starving,
  type UnreadLists,
  unreadLists,
  withNotices,
} from "./failing.ts";
import { noteState } from "./observations.ts";
import { nothingRead, type PollingRound, type Reader, type ReadersApp } from "./reader.ts";
import { resellerReaders } from "./reseller.ts";

const pollingTimer = "poll:";
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
      /** When the present or last round began, and the one before it that lost no page, in milliseconds since the epoch. */
      startedAt: z.number(),
      since: z.number(),
      /** When it was last read, and when the platform last answered that, in milliseconds since the epoch. */
      readAt: z.number(),
      answeredAt: z.number(),
      /** Number of completed rounds that lost no page. */
      rounds: z.number(),
      /** Failed reads in a row. */
      tries: z.number(),
      /** Rows that cannot be read in the present or last round, so far. */
      unread: z.number().default(0),
      /** The largest part that the present or last round skipped. */
      skipped: z.enum(["page", "resource"]).nullable(),
      /** Null once all of the list is read again. */
      failing: ListFailure.nullable(),
      /** No read before this time. */
      notBefore: z.number(),
      /** The next round starts without waiting for its time. */
      anew: z.boolean(),
    }),
  ),
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

/** The lists of that API that cannot be read, of which the admins were notified. */
export async function pollingProblems({ store }: StoreApp, api: ApiName): Promise<UnreadLists[]> {
  return [...unreadLists((await store.keyv(pollingProgress).get(api))?.readers ?? {}).values()];
}

/** The timer's run: one call of the reader that is due. Resolves to the time of the next run; undefined without a key. */
export async function poll<A extends ApiName>(
  app: LoggedApp,
  api: A,
  key: Pick<MonitoringClient<A>, "client" | "keyId"> | null,
  readers: Reader<A>[],
): Promise<number | undefined> {
  if (!key) return undefined;
  const { store, clock, log } = app;
  const { client, keyId } = key;
  const before = await store.keyv(pollingProgress).get(api);
  const progress: Progress = before?.key === keyId ? before : { key: keyId, readers: {}, wholeLast: false };
  const now = clock.now();
  const next = nextReader(readers, progress, now);
  if (!next) return undefined;
  if (next.at > now) return next.at;
  const budget = client.budget();
  const again = backgroundAllowedAt(budget);
  if (again !== null) {
    await noteStarving(app, { api, key: keyId }, { readers, progress, shortage: fewCallsLeft, now, until: again });
    return again;
  }
  const wait = await takeTurn(store.paces, "background", keyId, budget);
  if (wait > 0) {
    const until = now + wait;
    // Calls are far apart with a low limit of the key itself, even if nobody else uses it.
    const shortage = budget && fewCallsAllowed(api, budget.limit);
    if (shortage) await noteStarving(app, { api, key: keyId }, { readers, progress, shortage, now, until });
    return until;
  }
  const { reader } = next;
  const read = { ...next.progress, readAt: now };
  const round = read.cursor === null ? begun(read, reader, now) : read;
  const cursor = round.cursor ?? "";
  const place = { first: round.rounds === 0, since: round.since, key: keyId };
  const unread: UnreadRow[] = [];
  const save = (after: ReaderProgress) =>
    saveProgress(app, { api, key: keyId }, (stored) => ({
      wholeLast: reader.whole === true,
      readers: { ...stored.readers, [reader.name]: after },
    }));
  try {
    const step = await reader.step(
      notingSkipped(client, (row) => unread.push(row)),
      cursor,
      place,
    );
    if (unread.length > 0) log.warn({ api, reader: reader.name, rows: unread.map(rowFault) }, "Polling left out rows");
    await save(afterRead({ ...round, unread: round.unread + unread.length }, step, now));
  } catch (error) {
    log.warn({ err: error, api, reader: reader.name }, "Polling failed");
    const failing = failingAfter(round.failing, error, api, now);
    const failed = { ...round, cursor, failing, tries: round.tries + 1, notBefore: clock.now() + retryAfterMs };
    await save(await afterFailure(reader, failed, error, place));
  }
  return clock.now();
}

/** The client that notes each row that a reader leaves out: what is in it raises no alert, so no reader may drop one unseen. */
function notingSkipped<A extends ApiName>(client: ApiClient<A>, note: (row: UnreadRow) => void): ApiClient<A> {
  return {
    ...client,
    skipping: (skip) =>
      client.skipping((row) => {
        note(row);
        skip(row);
      }),
  };
}

/** The log names the row and its fields, and no value. */
function rowFault({ id, place, fields }: UnreadRow) {
  return { id, place, fields };
}

/** Stores since when each list waits, while polling gets no call of the rate limit until then: it makes no call that could fail. */
async function noteStarving<A extends ApiName>(
  app: LoggedApp,
  place: { api: ApiName; key: string },
  {
    readers,
    progress,
    shortage,
    now,
    until,
  }: { readers: Reader<A>[]; progress: Progress; shortage: CallShortage; now: number; until: number },
): Promise<void> {
  const starvingIn = (stored: Progress) =>
    timedReaders(readers, stored, now).flatMap(
      ({ reader: { name }, progress: reader, at }): [string, ReaderProgress][] => {
        // The last round of some made no call: nothing needs those lists.
        if (at > until || reader.startedAt > reader.answeredAt) return [];
        const failing = starving(reader.failing, { shortage, dueAt: at, now });
        return failing === null ? [] : [[name, { ...reader, failing }]];
      },
    );
  if (starvingIn(progress).length === 0) return;
  await saveProgress(
    app,
    place,
    (stored) => ({
      wholeLast: stored.wholeLast,
      readers: { ...stored.readers, ...Object.fromEntries(starvingIn(stored)) },
    }),
    { starves: true },
  );
}

function afterRead(round: ReaderProgress, step: string | null | typeof nothingRead, now: number): ReaderProgress {
  const isAnswer = step !== nothingRead;
  const read = { ...round, cursor: isAnswer ? step : null, tries: 0, answeredAt: isAnswer ? now : round.answeredAt };
  const { cursor, skipped, failing, startedAt, unread } = read;
  if (skipped === null && unread > 0) {
    // Until the round has ended, the number of the round before counts if it is higher: each page would change the notice.
    const rows = cursor === null ? unread : Math.max(unread, failing?.rows ?? 0);
    return withRound({ ...read, failing: failingInRows(failing, rows, now) });
  }
  // A failure in this round was made good by another try; an earlier one may be in a page that is still to be read.
  const isGood = failing !== null && (isStarving(failing) || failing.since >= startedAt);
  const isWell = skipped === null && (cursor === null || isGood);
  return withRound({ ...read, failing: isWell ? null : failing });
}

/** Reads the same again after a pause, or goes on without it. */
async function afterFailure<A extends ApiName>(
  reader: Reader<A>,
  failed: ReaderProgress,
  error: unknown,
  place: PollingRound,
): Promise<ReaderProgress> {
  const isForAll = meetsAll(error) || (error instanceof PlatformRefused && error.status === 429);
  const part = isForAll ? null : await reader.skip?.(failed.cursor ?? "", failed.tries, place);
  if (!part) return failed;
  const { cursor, left } = part;
  if (left === "page") return withRound({ ...failed, cursor, skipped: left });
  return withRound({ ...failed, cursor, skipped: failed.skipped ?? left, tries: 0, notBefore: 0 });
}

/** Counts the round where it has ended. While a page was lost, its resources are not known, and would raise events as new ones. */
function withRound(progress: ReaderProgress): ReaderProgress {
  const isWhole = progress.cursor === null && progress.skipped !== "page";
  return isWhole ? { ...progress, rounds: progress.rounds + 1 } : progress;
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
function nextReader<A extends ApiName>(readers: Reader<A>[], all: Progress, now: number): TimedReader<A> | null {
  const { wholeLast } = all;
  const timed = timedReaders(readers, all, now);
  const ready = timed.filter(({ at }) => at <= now);
  const whole = firstOf(ready.filter(({ reader }) => reader.whole));
  const other = latestOf(
    ready.filter(({ reader }) => !reader.whole),
    now,
  );
  return (wholeLast ? (other ?? whole) : (whole ?? other)) ?? timed.sort((a, b) => a.at - b.at)[0] ?? null;
}

function timedReaders<A extends ApiName>(
  readers: Reader<A>[],
  { readers: progressByName }: Progress,
  now: number,
): TimedReader<A>[] {
  return readers.map((reader) => {
    const progress = possible(progressByName[reader.name] ?? unread(now), reader, now);
    const due = progress.cursor === null && !progress.anew ? progress.startedAt + reader.every : 0;
    return { reader, progress, at: Math.max(due, progress.notBefore) };
  });
}

function unread(now: number): ReaderProgress {
  const never = { startedAt: 0, readAt: 0, answeredAt: 0, notBefore: 0 };
  return {
    ...never,
    cursor: null,
    since: now,
    rounds: 0,
    tries: 0,
    unread: 0,
    skipped: null,
    failing: null,
    anew: true,
  };
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
  const { startedAt, since, skipped } = progress;
  const last = skipped === "page" ? since : startedAt;
  return { ...progress, startedAt: now, since: last || now - every, unread: 0, skipped: null, anew: false };
}

function restartRounds(progress: Progress): Progress {
  const readers = Object.entries(progress.readers).map(([name, reader]) => [
    name,
    // A round under way continues: starting it over would read its pages twice.
    { ...reader, anew: reader.cursor === null, notBefore: 0 },
  ]);
  return { ...progress, readers: Object.fromEntries(readers) };
}

/**
 * Changes the progress as it is stored now, so that `pollNow` with `atOnce` during a read is not undone for the other readers; in one step
 * with the notices, which a crash would lose.
 */
async function saveProgress(
  app: LoggedApp,
  { api, key }: { api: ApiName; key: string },
  change: (stored: Progress) => Omit<Progress, "key">,
  { starves = false }: { starves?: boolean } = {},
): Promise<void> {
  const { store, clock } = app;
  for (;;) {
    const stored = await store.read(pollingProgress, api);
    const other = stored.value !== undefined && stored.value.key !== key;
    const before = stored.value?.readers ?? {};
    const changed = change(stored.value === undefined || other ? { key, readers: {}, wholeLast: false } : stored.value);
    const readers = withNotices(changed.readers, clock.now(), { starves });
    const notices = await noticeChanges(app, api, { before, after: readers, other });
    const progress = { key, wholeLast: changed.wholeLast, readers };
    const records = [replacing(stored, progress), ...notices.flatMap((one) => one.records)];
    if (await store.transact({ records, timers: notices.flatMap(({ timers }) => timers) })) return;
  }
}
