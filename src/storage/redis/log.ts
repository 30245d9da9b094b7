import type { Clock } from "../../clock.ts";
import { checkText } from "../checks.ts";
import { digestOf } from "../digest.ts";
import { expiryOf, idOf } from "../log-entry.ts";
import type { Log, LogEntry, Transaction } from "../store.ts";
import type { Calls } from "./calls.ts";
import { keyPart } from "./names.ts";
import { append, cutLog, readEntry, readLog } from "./scripts/log.ts";

const usualLimit = 50;
/** Ids that one call visits, so that a search does not block Redis for others. */
const looksAt = 5_000;
const cutsAtOnce = 200;

/** One log in Redis. Retention goes by `clock`. */
export function createLog(calls: Calls, clock: Clock, plainName: string, retentionMs: number): Log {
  const name = keyPart(checkText(plainName));

  function uniqueOf(unique: string): string {
    return digestOf(plainName, checkText(unique)).toString("base64url");
  }

  async function find(query: { after: number; before: number; forward: boolean; subjects: string[]; limit: number }) {
    const { forward, subjects, limit } = query;
    let { after, before } = query;
    const found: LogEntry[] = [];
    for (;;) {
      const room = limit - found.length;
      const range = [after, before, forward ? 1 : 0, room, clock.now(), looksAt];
      const [rows, next] = await calls.readScript(readLog, name, ...range, ...subjects);
      found.push(...rows.map(entry));
      if (next === "") return found;
      if (forward) after = Number(next);
      else before = Number(next);
    }
  }

  return {
    async append(given, uniques = []) {
      const now = clock.now();
      const digests = uniques.map(uniqueOf);
      const plan = { name, entry: entryPlan(given, retentionMs, now), uniques: digests, now: String(now) };
      const id = await calls.write(append, JSON.stringify(plan));
      return id === null ? null : idOf(id);
    },
    async read({ after, before, subjects = [], limit = usualLimit } = {}) {
      const [low, high] = [Number(after ?? 0), Number(before ?? Number.MAX_SAFE_INTEGER)];
      const parts = subjects.map((subject) => keyPart(checkText(subject)));
      if (Number.isNaN(low) || Number.isNaN(high) || limit < 1) return [];
      const forward = after !== undefined;
      return find({ after: inRange(low), before: inRange(high), forward, subjects: parts, limit: Math.floor(limit) });
    },
    async entry(id) {
      if (!/^\d+$/.test(id) || !Number.isSafeInteger(Number(id))) return undefined;
      const [row] = await calls.readScript(readEntry, name, Number(id), clock.now());
      return row && entry(row);
    },
    async cut(through) {
      const last = Number(through);
      if (Number.isNaN(last)) return;
      // In portions, so that other calls do not wait for long.
      while (await calls.writeVolatile(cutLog, name, inRange(last), cutsAtOnce));
    },
  };
}

/** An entry as an argument of the scripts. */
export function entryPlan(
  { at, subjects, data }: Pick<NonNullable<Transaction["log"]>[number], "at" | "subjects" | "data">,
  retentionMs: number,
  now: number,
): { at: string; ends: string; subjects: string[]; subjectsText: string; data: string } {
  const names = subjects.map((subject) => keyPart(checkText(subject)));
  return {
    at: String(Math.trunc(at)),
    ends: String(expiryOf(at, retentionMs, now)),
    subjects: names,
    subjectsText: JSON.stringify(names),
    data: JSON.stringify(data ?? null),
  };
}

function entry([id, at, subjects, data]: [id: string, at: string, subjects: string, data: string]): LogEntry {
  const names: string[] = JSON.parse(subjects);
  return { id: idOf(Number(id)), at: Number(at), subjects: names.map(decodeURIComponent), data: JSON.parse(data) };
}

function inRange(id: number): number {
  return Math.min(Math.max(0, Math.floor(id)), Number.MAX_SAFE_INTEGER);
}
