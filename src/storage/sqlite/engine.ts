// storage/sqlite/: the default engine: one SQLite file in this process; the disk confirms its commits, and a thread its checkpoints.

import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { type Clock, repeat } from "../../process/clock.ts";
import type { Change, Engine, Lasting, MemberChange, Reading } from "../engine.ts";
import { StorageError } from "../errors.ts";
import { type Batch, createBatches, createFlush } from "./batches.ts";
import { inWords } from "./failures.ts";
import type { File } from "./file.ts";
import { createMarks, createMembers, createTexts, isLog } from "./texts.ts";

const hourMs = 3_600_000;
const pageSize = 200;
/** Rows that are read before other work gets its turn. */
const mostInTurn = 1_000;
const proof = "value:~ready";

const isMark = (key: string): boolean => key.startsWith("mark:");
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The engine over one SQLite file, which is open in this process only. */
export function createSqlite(file: File, { clock, log }: { clock: Clock; log: Logger }): Engine {
  const { db } = file;
  const instance = randomUUID();
  const flush = createFlush(file.sync, (error) => log.error({ err: error }, "nothing more is stored until a restart"));
  const values = createTexts(db, clock.now);
  const batches = createBatches(db, clock, flush, {
    committed: () => checkpoints?.committed(),
    undone: values.forget,
  });
  const checkpoints = file.checkpoints?.({ pause: batches.pause, flush, log });
  const marks = createMarks(clock.monotonic);
  const members = createMembers(db);
  const count = db.prepare(
    "INSERT INTO counter (name, number) VALUES (?, 1) ON CONFLICT DO UPDATE SET number = number + 1 RETURNING number",
  );
  const takeTurn = createTurns(clock.monotonic);
  let isOpen = true;
  let rowsRead = 0;

  function check(): void {
    if (!isOpen) throw new StorageError("The store is closed. Nothing was changed.");
  }

  /** Reads at once, with its errors in words. */
  function look<T>(read: () => T): T {
    check();
    try {
      return read();
    } catch (error) {
      throw inWords(error);
    }
  }

  /** Reads at once what the disk has; else it waits for that. */
  function read<T>(name: string, ask: () => T): Reading<T> {
    return batches.unconfirmed(name) ? batches.confirmed(name, () => look(ask)) : look(ask);
  }

  /** Reads a page of rows. After many of them other work goes on first. */
  async function page<T>(name: string | undefined, read: () => T[]): Promise<T[]> {
    const found = await batches.confirmed(name, () => look(read));
    rowsRead += found.length;
    if (rowsRead > mostInTurn) {
      await nextTurn();
      rowsRead = 0;
    }
    return found;
  }

  const textOf = (key: string): string | undefined => (isMark(key) ? marks : values).get(key);

  function isMet({ texts = [], members: changed = [], gone }: Change): boolean {
    return (
      gone !== instance &&
      texts.every(({ key, was }) => was === undefined || textOf(key) === (was ?? undefined)) &&
      changed.every(
        ({ index, member, was }) =>
          was === undefined || isLog(index) || members.score(index, member) === (was ?? undefined),
      )
    );
  }

  /** The latest batch, if the disk has not confirmed something by which the conditions are met or not. */
  function unconfirmedOf({ texts = [], members: changed = [] }: Change): Batch | undefined {
    const isUnconfirmed =
      texts.some(({ key, was }) => was !== undefined && batches.unconfirmed(key)) ||
      changed.some((one) => one.was !== undefined && batches.unconfirmed(nameOf(one)));
    return isUnconfirmed ? batches.unconfirmed() : undefined;
  }

  /** Makes the change, as a part of the batch if one is given. */
  function make({ texts = [], members: changed = [], appends = [] }: Change, batch?: Batch): (number | null)[] {
    function put(index: string, change: Omit<MemberChange, "index">): void {
      batch?.names.add(index).add(nameOf({ index, member: change.member }));
      members.put(index, change);
    }
    for (const { key, text, ttlMs } of texts) {
      batch?.names.add(key);
      if (!isMark(key)) values.set(key, text, ttlMs);
      else {
        const back = marks.set(key, text, ttlMs);
        batch?.undo.push(back);
      }
    }
    const taken = changed.flatMap((change) => {
      const { takes, member, score, unless } = change;
      if (isKept(change)) return [];
      const index = unless && textOf(unless.key) !== undefined ? unless.index : change.index;
      const other = takes === undefined ? undefined : members.score(takes, member);
      const least = other === undefined || (score !== null && score < other) ? score : other;
      put(index, { ...change, score: least });
      if (takes === undefined) return [];
      put(takes, { member, score: null });
      return [least];
    });
    const numbers = appends.map(({ counter, member, indexes }) => {
      const score = Number(count.get(counter)?.number);
      for (const index of indexes) put(index, { member, score });
      return score;
    });
    return [...numbers, ...taken];
  }

  async function mayBegin(): Promise<void> {
    for (let waits = batches.paused(); waits; waits = batches.paused()) await waits;
  }

  /** A change of marks alone reaches no disk. */
  function isOnDisk({ texts = [], members: changed = [], appends = [] }: Change): boolean {
    return appends.length > 0 || texts.some(({ key }) => !isMark(key)) || changed.some((one) => !isKept(one));
  }

  /** A mark that others of this turn have put into a batch must go with it if nothing of that is stored. */
  function joinsBatch({ texts = [] }: Change): boolean {
    const current = batches.current();
    return texts.some(({ key }) => current?.names.has(key));
  }

  async function applyMarks(change: Change): Promise<(number | null)[]> {
    const numbers = make(change);
    await unconfirmedOf(change)?.kept();
    return numbers;
  }

  /** False if what the change does not agree with was lost with its batch: then it may be made after all. */
  async function isRefused(change: Change): Promise<boolean> {
    const batch = unconfirmedOf(change);
    return !batch || batch.kept();
  }

  /** Undefined if the batch was not committed: then the change comes again. */
  async function applyStored(change: Change, lasts: Lasting): Promise<(number | null)[] | undefined> {
    const batch = look(batches.open);
    const numbers = part(() => make(change, batch));
    // Asked for before the commit: else each commit would set the timer of what nobody waits for, and call it off again.
    const kept = lasts === "disk" ? batch.kept() : null;
    if (lasts === "system") batches.closeSoon();
    if (lasts === "soon") batches.closeLater();
    if (!(await batch.committed)) return undefined;
    await kept;
    return numbers;
  }

  /** Its answer, where it is of marks alone and nothing bears on it that the disk has not confirmed. Most changes of a command are. */
  function applyAtOnce(change: Change): { numbers: (number | null)[] | undefined } | null {
    if (isOnDisk(change) || joinsBatch(change) || unconfirmedOf(change)) return null;
    return { numbers: look(() => isMet(change)) ? make(change) : undefined };
  }

  async function tryToApply(change: Change, lasts: Lasting): Promise<(number | null)[] | "refused" | "again"> {
    const isStored = isOnDisk(change);
    if (isStored && batches.paused()) await mayBegin();
    if (!look(() => isMet(change))) return (await isRefused(change)) ? "refused" : "again";
    if (!isStored && !joinsBatch(change)) return applyMarks(change);
    return (await applyStored(change, lasts)) ?? "again";
  }

  async function apply(
    change: Change,
    { lasts = "disk" }: { lasts?: Lasting } = {},
  ): Promise<(number | null)[] | undefined> {
    const atOnce = applyAtOnce(change);
    if (atOnce) return atOnce.numbers;
    for (;;) {
      const made = await tryToApply(change, lasts);
      if (made !== "again") return made === "refused" ? undefined : made;
    }
  }

  /** Makes a part of this turn's batch. If it fails, SQLite has mostly undone the others as well: they come again without it. */
  function part<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      batches.rollBack();
      throw inWords(error);
    }
  }

  async function sweep(goesOn: () => boolean): Promise<void> {
    marks.sweep();
    for (let after: number | undefined = 0; after !== undefined && goesOn(); ) {
      await mayBegin();
      const from: number = after;
      const { committed } = look(batches.open);
      const next = part(() => values.sweep(from));
      batches.closeSoon();
      if (await committed) after = next;
    }
  }

  // Not fatal: readers skip what has expired, and the next hour tries again.
  const endSweeping = repeat(clock, hourMs, sweep, (error) =>
    log.error({ err: error }, "expired records could not be deleted"),
  );

  return {
    instance,
    get: (key) => read(key, () => textOf(key)),
    apply,
    range: (index, query) => page(index, () => members.range(index, query)),
    score: (index, member) => read(nameOf({ index, member }), () => members.score(index, member)),
    size: async (index, most = Number.MAX_SAFE_INTEGER) => read(index, () => members.size(index, most)),
    named: (prefix) => page(undefined, () => members.named(prefix)),
    async *scan(prefix) {
      if (isMark(prefix)) return yield* look(() => marks.starting(prefix));
      for (let after = ""; ; ) {
        const found = await page(undefined, () => values.page(prefix, after, pageSize));
        yield* found;
        after = found.at(-1)?.[0] ?? "";
        if (found.length < pageSize) return;
      }
    },
    async turn(name, burst, everyMs) {
      check();
      return takeTurn(name, burst, everyMs);
    },
    alive: (other) => isOpen && other === instance,
    lookEveryMs: 60_000,
    weaknesses: () => [],
    prove: async () => void (await apply({ texts: [{ key: proof, text: randomUUID() }] })),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      endSweeping();
      await batches.end();
      await checkpoints?.end();
      // The last close would write the log into the database, of which nobody knows what the disk has.
      if (!flush.hasFailed()) file.close();
    },
  };
}

/** Of a member alone: another of the same index may be unconfirmed. */
function nameOf({ index, member }: { index: string; member: string }): string {
  return `${index}\n${member}`;
}

/** True if it only is a condition: the member keeps its score. */
function isKept({ was, score, takes }: MemberChange): boolean {
  return takes === undefined && was !== undefined && was === score;
}

/** More names than are in use at once: beyond, those with a free turn are forgotten. */
const mostNames = 1_000;

/** Takes turns as `Engine.turn`. One number for each name says how far its taken turns reach. */
export function createTurns(now: () => number): (name: string, burst: number, everyMs: number) => number {
  const reaches = new Map<string, number>();
  return (name, burst, everyMs) => {
    const start = now();
    const reach = Math.max(reaches.get(name) ?? 0, start);
    const wait = reach - start - (burst - 1) * everyMs;
    if (wait > 0) return wait;
    reaches.set(name, reach + everyMs);
    if (reaches.size > mostNames) for (const [old, end] of reaches) if (end <= start) reaches.delete(old);
    return 0;
  };
}
