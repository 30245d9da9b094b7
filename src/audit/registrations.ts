import type { StoreApp } from "../storage/foundation.ts";
import type { Log, LogEntry, Transaction } from "../storage/store.ts";
import { auditEntries, keptForever } from "./entry.ts";
import { entryNonce } from "./proof.ts";

// Entries that register or remove passkeys are kept twice: the audit log is cut off after its retention, and what a passkey signed last
// week is proven only with the entry that registered it years ago.

const registrationLog = "audit-registrations";
/** The word by which such entries are found in the audit log. */
export const passkeyWord = "passkey";
const pageSize = 200;

type NewEntry = NonNullable<Transaction["log"]>[number];

/** The same entry for the log that is never cut, in the same transaction. */
export function keptApart(entry: NewEntry): NewEntry {
  return { ...entry, log: registrationLog };
}

function registrations({ store }: StoreApp): Log {
  return store.log(registrationLog, { retentionMs: keptForever });
}

/** The entries about passkeys from before the entry of this id, oldest first, those that were cut off included. */
export async function registrationsBefore(app: StoreApp, id: string): Promise<LogEntry[]> {
  // In this order: one that is written meanwhile would else seem to be an old one.
  const all: LogEntry[] = [];
  for await (const entry of newest(registrations(app), [])) all.push(entry);
  const later = new Set<string | null>();
  for await (const entry of newest(auditEntries(app), [`about:${passkeyWord}`])) {
    if (entry.id < id) break;
    later.add(entryNonce(entry));
  }
  return all.filter((entry) => !later.has(entryNonce(entry))).toReversed();
}

async function* newest(log: Log, subjects: string[]): AsyncGenerator<LogEntry> {
  for (let before: string | undefined; ; ) {
    const page = await log.read({ before, subjects, limit: pageSize });
    yield* page;
    before = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}
