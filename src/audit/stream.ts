import { createHmac } from "node:crypto";
import * as z from "#zod";
import type { Clock } from "../process/clock.ts";
import { createExchanges, ExchangeFailed } from "../process/exchange.ts";
import type { LoggedApp, StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing, type Stored } from "../storage/record.ts";
import { moment, utc } from "../views/format.ts";
import { checkpointNote, digestOfCheckpoint, entryPlace } from "./checkpoint.ts";
import { newestCheckpoint } from "./checkpoints.ts";
import { AuditEntry, auditEntries } from "./entry.ts";
import { ocsfEvent } from "./ocsf.ts";

const cursorKey = "cursor";
const lookEveryMs = 5_000;
const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;
const pageSize = 50;

const Cursor = z.object({
  /** The last entry that the collector took. */
  after: z.string(),
  failures: z.number().int(),
  /** Start and reason of the present failure; the reason is the end of a sentence. */
  failing: z.object({ since: z.number(), why: z.string() }).nullable(),
});
type Cursor = z.infer<typeof Cursor>;

const streamCursor = defineKind({ name: "place of the stream", namespace: "audit-stream", schema: Cursor });
const beginning: Cursor = { after: "", failures: 0, failing: null };

/** Sends one entry: resolves when the collector took it, and throws a CollectorFault when it did not. */
export type Deliver = (id: string, body: string) => Promise<void>;

/** The reason why an entry was not taken, as the end of a sentence without its full stop. */
class CollectorFault extends Error {
  override readonly name = "CollectorFault";
}

export interface StreamApp extends LoggedApp {
  /** Sends an entry to the collector that AUDIT_URL names; null when none is configured. */
  deliverEntry: Deliver | null;
}

async function readCursor({ store }: StoreApp): Promise<Cursor> {
  return (await store.keyv(streamCursor).get(cursorKey)) ?? beginning;
}

/** The last entry that the collector took: later ones are kept, however old. Null when none is configured. */
export async function lastDelivered(app: Pick<StreamApp, "store" | "deliverEntry">): Promise<string | null> {
  return app.deliverEntry ? (await readCursor(app)).after : null;
}

/** The present failure as a sentence, with times as Slack dates or as text; null when there is none. */
export async function streamProblem(
  app: Pick<StreamApp, "store" | "deliverEntry">,
  form: "slack" | "text",
): Promise<string | null> {
  const failing = app.deliverEntry && (await readCursor(app)).failing;
  if (!failing) return null;
  const since = form === "slack" ? moment(failing.since) : utc(failing.since);
  return `The audit has not reached its collector since ${since}: ${failing.why}. Nothing of it is lost; it is tried again.`;
}

/** The timer's run: sends each entry to the collector, in order, at least once. Resolves to the time of the next run. */
export async function sendEntries(app: StreamApp): Promise<number | undefined> {
  const { store, clock, deliverEntry } = app;
  if (!deliverEntry) return undefined;
  let stored = await store.read(streamCursor, cursorKey);
  const page = await auditEntries(app).read({ after: (stored.value ?? beginning).after, limit: pageSize });
  const head = page.length > 0 ? await newestCheckpoint(app) : null;
  const checkpoint = head ? checkpointNote({ number: head.number, digest: digestOfCheckpoint(head) }) : undefined;
  for (const { id, at, data } of page) {
    const entry = AuditEntry.safeParse(data);
    try {
      if (entry.success)
        await deliverEntry(
          `audit-${entryPlace(id)}`,
          JSON.stringify(ocsfEvent({ id, at, entry: entry.data }, checkpoint)),
        );
    } catch (error) {
      if (!(error instanceof CollectorFault)) throw error;
      return noteFailure(app, stored, error.message);
    }
    const value = { ...beginning, after: id };
    const change = replacing(stored, value);
    // Another instance continued while this one stood still, so the other one sends from here on.
    if (!(await store.transact({ records: [change] }))) return clock.now() + lookEveryMs;
    stored = { ...stored, value, was: change.text };
  }
  return page.length < pageSize ? clock.now() + lookEveryMs : clock.now();
}

async function noteFailure({ store, clock, log }: StreamApp, stored: Stored<Cursor>, why: string): Promise<number> {
  const cursor = stored.value ?? beginning;
  const failures = cursor.failures + 1;
  const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(cursor.failures, 20));
  const since = cursor.failing?.since ?? clock.now();
  log.warn(
    { why, failures, retryInMs },
    "The collector did not take an entry of the audit log: Rackbell sends it again",
  );
  await store.transact({ records: [replacing(stored, { ...cursor, failures, failing: { since, why } })] });
  return clock.now() + retryInMs;
}

const limitMs = 20_000;
/** Only the status of an answer counts. */
const mostBytes = 100_000;

/**
 * Posts audit entries to the collector's URL, signed as Standard Webhooks: `webhook-signature` covers the id, this attempt's time and the
 * body. Redirects are not followed, so that entries reach the configured address only. `deliver` throws CollectorFault.
 */
export function createCollector(options: { url: string; secret: Buffer; clock: Clock }): {
  deliver: Deliver;
  close(): Promise<void>;
} {
  const { url, secret, clock } = options;
  const { origin, pathname, search } = new URL(url);
  const exchanges = createExchanges({ clock });

  async function post(id: string, body: string): Promise<number> {
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    };
    const request = { origin, path: pathname + search, method: "POST", headers, body, limitMs, mostBytes };
    const { status } = await exchanges.send(request).catch(statusOfLong);
    return status;
  }

  return {
    async deliver(id, body) {
      const status = await post(id, body).catch((cause: unknown) => {
        throw new CollectorFault("it does not answer", { cause });
      });
      if (status >= 300 && status < 400)
        throw new CollectorFault(`it answers ${status}, and redirects are not followed`);
      if (status < 200 || status >= 300) throw new CollectorFault(`it answers ${status}`);
    },
    close: exchanges.close,
  };
}

/** An answer that is too long has a status all the same. */
function statusOfLong(error: unknown): { status: number } {
  if (error instanceof ExchangeFailed && error.failing === "too long" && error.status !== undefined)
    return { status: error.status };
  throw error;
}
