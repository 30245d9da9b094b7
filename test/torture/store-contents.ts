import { pino } from "pino";
import { AuditEntry } from "../../src/audit/entry.ts";
import { systemClock } from "../../src/process/clock.ts";
import { Request } from "../../src/requests/request.ts";
import { openStore } from "../../src/storage/open.ts";
import type { Store } from "../../src/storage/store.ts";
import { raw } from "../storage/raw.ts";

const day = 24 * 60 * 60_000;

export interface StoreContents {
  requests: Request[];
  /** Oldest first. */
  audit: AuditEntry[];
  /** The supplier's events as the app stored them, oldest first. */
  events: unknown[];
}

/** The app's store, read after the app has ended. */
export async function readStore(url: string): Promise<StoreContents> {
  const store = await openStore({ url, clock: systemClock, log: pino({ level: "silent" }) });
  try {
    const requests: Request[] = [];
    for await (const { value } of store.scan(raw("requests"))) requests.push(Request.parse(value));
    const audit = (await readLog(store, "audit", 365 * day)).map((data) => AuditEntry.parse(data));
    return { requests, audit, events: await readLog(store, "events", 30 * day) };
  } finally {
    await store.close();
  }
}

async function readLog(store: Store, name: string, retentionMs: number): Promise<unknown[]> {
  const log = store.log(name, { retentionMs });
  const entries: unknown[] = [];
  for (let after = ""; ; ) {
    const page = await log.read({ after, limit: 500 });
    entries.push(...page.map(({ data }) => data));
    if (page.length < 500) return entries;
    after = page.at(-1)?.id ?? "";
  }
}
