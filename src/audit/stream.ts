import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing, type Stored } from "../storage/record.ts";
import type { LaneHandlers, Store } from "../storage/store.ts";
import { moment, utc } from "../views/format.ts";
import { placeOf } from "./checkpoint.ts";
import { AuditEntry, auditLog } from "./entry.ts";
import { ocsfOf } from "./ocsf.ts";

const lane = "audit-stream:";
const wake = `${lane}send`;
const cursorKey = "cursor";
const lookEveryMs = 5_000;
const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;
const pageSize = 50;

const Cursor = z.object({
  v: z.literal(1),
  /** The last entry that the collector took. */
  after: z.string(),
  failures: z.number().int(),
  /** Start and reason of the present failure; the reason is the end of a sentence. */
  failing: z.object({ since: z.number(), why: z.string() }).nullable(),
});
type Cursor = z.infer<typeof Cursor>;

const streamCursor = defineKind({ name: "place of the stream", namespace: "audit-stream", schema: Cursor, version: 1 });
const beginning: Cursor = { v: 1, after: "", failures: 0, failing: null };

/** Sends one entry: resolves when the collector took it, and throws a CollectorFault when it did not. */
export type Deliver = (id: string, body: string) => Promise<void>;

/** The reason why an entry was not taken, as the end of a sentence without its full stop. */
export class CollectorFault extends Error {
  override readonly name = "CollectorFault";
}

/** Sends each entry to the collector that AUDIT_URL names, in order, at least once. */
export interface Stream {
  timers: LaneHandlers;
  start(): Promise<void>;
  /** The last entry that the collector took: later ones are kept, however old. Null when none is configured. */
  delivered(): Promise<string | null>;
  /** The present failure as a sentence, with times as Slack dates or as text; null when there is none. */
  problem(form: "slack" | "text"): Promise<string | null>;
}

export function createStream(deps: { store: Store; deliver: Deliver | null; clock: Clock; log: Logger }): Stream {
  const { store, deliver, clock, log } = deps;
  const cursors = store.keyv(streamCursor);
  const entries = store.log(auditLog, { retentionMs: Number.POSITIVE_INFINITY });

  const read = async (): Promise<Cursor> => (await cursors.get(cursorKey)) ?? beginning;

  async function failedWith(stored: Stored<Cursor>, why: string): Promise<number> {
    const cursor = stored.value ?? beginning;
    const failures = cursor.failures + 1;
    const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(cursor.failures, 20));
    const since = cursor.failing?.since ?? clock.now();
    log.warn({ why, failures, retryInMs }, "An entry of the audit was not taken by the collector, and is sent again");
    await store.transact({ records: [replacing(stored, { ...cursor, failures, failing: { since, why } })] });
    return clock.now() + retryInMs;
  }

  async function send(to: Deliver): Promise<number> {
    let stored = await store.read(streamCursor, cursorKey);
    const page = await entries.read({ after: (stored.value ?? beginning).after, limit: pageSize });
    for (const { id, at, data } of page) {
      const entry = AuditEntry.safeParse(data);
      try {
        if (entry.success) await to(`audit-${placeOf(id)}`, JSON.stringify(ocsfOf({ id, at, entry: entry.data })));
      } catch (error) {
        if (!(error instanceof CollectorFault)) throw error;
        return failedWith(stored, error.message);
      }
      const value = { ...beginning, after: id };
      const change = replacing(stored, value);
      // Another instance continued while this one stood still, so the other one sends from here on.
      if (!(await store.transact({ records: [change] }))) return clock.now() + lookEveryMs;
      stored = { ...stored, value, was: change.text };
    }
    return page.length < pageSize ? clock.now() + lookEveryMs : clock.now();
  }

  return {
    timers: deliver ? { [lane]: () => send(deliver) } : {},
    async start() {
      if (deliver) await store.wakeups.wake(wake, clock.now());
    },
    delivered: async () => (deliver ? (await read()).after : null),
    async problem(form) {
      const failing = deliver && (await read()).failing;
      if (!failing) return null;
      const since = form === "slack" ? moment(failing.since) : utc(failing.since);
      return `The audit has not reached its collector since ${since}: ${failing.why}. Nothing of it is lost; it is tried again.`;
    },
  };
}
