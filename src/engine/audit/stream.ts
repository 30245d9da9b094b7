import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import { moment, utc } from "../../views/format.ts";
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
  /** The last entry that was taken over there. */
  after: z.string(),
  failures: z.number().int(),
  /** Since when none gets through, and why, as the end of a sentence. */
  failing: z.object({ since: z.number(), why: z.string() }).nullable(),
});
type Cursor = z.infer<typeof Cursor>;

const beginning: Cursor = { v: 1, after: "", failures: 0, failing: null };

/** Hands one entry over: resolves once it was taken, and throws a CollectorFault where it was not. */
export type Deliver = (id: string, body: string) => Promise<void>;

/** Why an entry was not taken, as the end of a sentence without its full stop. */
export class CollectorFault extends Error {
  override readonly name = "CollectorFault";
}

/** Sends each entry to the collector that AUDIT_URL names, in order, at least once. */
export interface Stream {
  start(): Promise<void>;
  /** The last entry that was delivered: what comes after it is kept, however old. Null where nothing is sent. */
  delivered(): Promise<string | null>;
  /** What keeps entries from getting there, as a sentence with times in Slack's way or as text; null when nothing does. */
  problem(form: "slack" | "text"): Promise<string | null>;
}

export function createStream(deps: { store: Store; deliver: Deliver | null; clock: Clock; log: Logger }): Stream {
  const { store, deliver, clock, log } = deps;
  const cursors = store.values("audit-stream");
  const entries = store.log(auditLog, { retentionMs: Number.POSITIVE_INFINITY });

  async function read(): Promise<Cursor> {
    return Cursor.safeParse(await cursors.get(cursorKey)).data ?? beginning;
  }

  async function failedWith(cursor: Cursor, why: string): Promise<number> {
    const failures = cursor.failures + 1;
    const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(cursor.failures, 20));
    const since = cursor.failing?.since ?? clock.now();
    log.warn({ why, failures, retryInMs }, "An entry of the audit was not taken by the collector, and is sent again");
    await cursors.set(cursorKey, { ...cursor, failures, failing: { since, why } });
    return clock.now() + retryInMs;
  }

  async function send(to: Deliver): Promise<number> {
    let cursor = await read();
    const page = await entries.read({ after: cursor.after, limit: pageSize });
    for (const { id, at, data } of page) {
      const entry = AuditEntry.safeParse(data);
      try {
        if (entry.success) await to(`audit-${placeOf(id)}`, JSON.stringify(ocsfOf({ id, at, entry: entry.data })));
      } catch (error) {
        if (!(error instanceof CollectorFault)) throw error;
        return failedWith(cursor, error.message);
      }
      cursor = { ...beginning, after: id };
      await cursors.set(cursorKey, cursor);
    }
    return page.length < pageSize ? clock.now() + lookEveryMs : clock.now();
  }

  if (deliver) store.wakeups.handle(lane, () => send(deliver));

  return {
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
