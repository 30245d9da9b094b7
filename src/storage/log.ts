import { hash } from "node:crypto";
import type { Clock } from "../process/clock.ts";
import { checkText } from "./checks.ts";
import type { Change, Engine, Member, TextChange } from "./engine.ts";
import type { Log, LogEntry, Transaction } from "./store.ts";

/** An entry as it is stored, under a key of its own; the indexes of its log and of its subjects have that key under its number. */
interface StoredEntry {
  at: number;
  endsAt: number;
  subjects: string[];
  data: unknown;
}

type Appended = Pick<NonNullable<Transaction["log"]>[number], "at" | "subjects" | "data">;

const usualLimit = 50;
/** Entries that one step reads or removes. */
const portion = 200;
/** Subjects with more entries are all the same. */
const mostCounted = 1_000;
const idDigits = 16;
let made = 0;

const nameOf = (log: string): string => encodeURIComponent(checkText(log));
const indexOf = (log: string): string => `~log ${nameOf(log)}`;
const subjectIndex = (log: string, subject: string): string => `~of ${nameOf(log)} ${checkText(subject)}`;
const keyOf = (member: string): string => `value:~entry:${member}`;

/** The parts of a step that append an entry. */
export function appending(
  log: string,
  { at, subjects, data }: Appended,
  { retentionMs, now }: { retentionMs: number; now: number },
): { text: TextChange; append: NonNullable<Change["appends"]>[number] } {
  // Counted from the later of both: an entry dated ahead stays until its own date is out of retention.
  const endsAt = Math.min(Math.ceil(Math.max(at, now) + retentionMs), Number.MAX_SAFE_INTEGER);
  const entry: StoredEntry = { at: Math.trunc(at), endsAt, subjects: [...subjects], data: data ?? null };
  // Its key only has to be its own. That it begins with the time keeps entries together in the file.
  made += 1;
  const member = `${now.toString(36)}-${process.pid.toString(36)}-${made.toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  const indexes = [indexOf(log), ...new Set(subjects.map((subject) => subjectIndex(log, subject)))];
  return {
    text: { key: keyOf(member), text: JSON.stringify(entry) },
    append: { counter: `log ${nameOf(log)}`, member, indexes },
  };
}

export function createEntryLog(engine: Engine, clock: Clock, log: string, retentionMs: number): Log {
  const index = indexOf(log);

  /** Of several subjects the index of the one that the fewest entries have. */
  async function rarest(subjects: readonly string[]): Promise<string> {
    const names = subjects.map((subject) => subjectIndex(log, subject));
    const [first = index, ...others] = names;
    if (others.length === 0) return first;
    const sizes = await Promise.all(names.map((name) => engine.size(name, mostCounted)));
    return names[sizes.indexOf(Math.min(...sizes))] ?? first;
  }

  /** The entries of a page which are retained, and about all these subjects. */
  async function entriesOf(page: readonly Member[], subjects: readonly string[]): Promise<LogEntry[]> {
    const entries = await Promise.all(page.map(({ member }) => readStored(engine, member)));
    const now = clock.now();
    return page.flatMap(({ score }, at) => {
      const entry = entries[at];
      const fits = entry && entry.endsAt > now && subjects.every((one) => entry.subjects.includes(one));
      return fits ? [shown(score, entry)] : [];
    });
  }

  return {
    async append(entry, uniques = []) {
      const now = clock.now();
      const { text, append } = appending(log, entry, { retentionMs, now });
      const ttlMs = Number.isFinite(retentionMs) ? Math.max(entry.at, now) + retentionMs - now : undefined;
      const known = new Set(uniques.map((unique) => uniqueKey(log, unique)));
      const claims = [...known].map((key) => ({ key, was: null, text: "1", ttlMs }));
      const numbers = await engine.apply({ texts: [...claims, text], appends: [append] });
      return numbers ? idOf(numbers[0] ?? 0) : null;
    },
    async read({ after, before, subjects = [], limit = usualLimit } = {}) {
      let [from, to] = [Number(after ?? 0) + 1, Number(before ?? Number.MAX_SAFE_INTEGER) - 1];
      if (Number.isNaN(from) || Number.isNaN(to)) return [];
      const name = await rarest(subjects);
      const size = Math.min(Math.floor(limit), portion);
      const found: LogEntry[] = [];
      while (found.length < limit) {
        const page = await engine.range(name, { from, to, limit: size, reverse: after === undefined });
        found.push(...(await entriesOf(page, subjects)).slice(0, limit - found.length));
        const last = page.at(-1)?.score;
        if (last === undefined || page.length < size) break;
        if (after === undefined) to = last - 1;
        else from = last + 1;
      }
      return found;
    },
    async entry(id) {
      const number = /^\d+$/.test(id) ? Number(id) : Number.NaN;
      if (!Number.isSafeInteger(number)) return undefined;
      const [found] = await engine.range(index, { from: number, to: number, limit: 1 });
      const entry = found && (await readStored(engine, found.member));
      return entry && entry.endsAt > clock.now() ? shown(number, entry) : undefined;
    },
    async cut(through) {
      const last = Number(through);
      if (!Number.isNaN(last)) while (await removeOldest(engine, log, { to: last })) {}
    },
  };
}

async function readStored(engine: Engine, member: string): Promise<StoredEntry | undefined> {
  const text = await engine.get(keyOf(member));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Removes a portion of the oldest entries: all of them up to `to`, or those that have expired by `now`. True if there may be more. */
async function removeOldest(engine: Engine, log: string, ends: { to: number } | { now: number }): Promise<boolean> {
  const query = "to" in ends ? { to: ends.to, limit: portion } : { limit: portion };
  const page = await engine.range(indexOf(log), query);
  const texts: TextChange[] = [];
  const members: NonNullable<Change["members"]>[number][] = [];
  for (const { member, score: was } of page) {
    const entry = await readStored(engine, member);
    if (entry && "now" in ends && entry.endsAt > ends.now) continue;
    texts.push({ key: keyOf(member), text: undefined });
    const indexes = [indexOf(log), ...(entry?.subjects ?? []).map((subject) => subjectIndex(log, subject))];
    members.push(...indexes.map((index) => ({ index, member, was, score: null })));
  }
  if (texts.length > 0) await engine.apply({ texts, members }, { lasts: "system" });
  return texts.length > 0 && page.length === portion;
}

/** Removes the entries of all logs that are out of retention. */
export async function sweepLogs(engine: Engine, now: number, goesOn: () => boolean): Promise<void> {
  for (const { index } of await engine.named("~log ")) {
    const log = decodeURIComponent(index.slice("~log ".length));
    while (goesOn() && (await removeOldest(engine, log, { now }))) {}
  }
}

/** A later entry has a greater text. */
function idOf(number: number): string {
  return String(number).padStart(idDigits, "0");
}

function shown(number: number, { at, subjects, data }: StoredEntry): LogEntry {
  return { id: idOf(number), at, subjects, data };
}

/** However long the unique is, its key is short. */
function uniqueKey(log: string, unique: string): string {
  return `value:~unique:${nameOf(log)}:${hash("sha256", checkText(unique), "base64url").slice(0, 22)}`;
}
