import * as z from "zod";
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
export class CollectorFault extends Error {
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
