import type { Signer } from "../process/signer.ts";
import type { Foundation } from "../storage/foundation.ts";
import type { LogEntry } from "../storage/store.ts";
import { type AssertionFault, createAssertionCheck } from "./assertions.ts";
import {
  type Checkpoint,
  checkSignatures,
  digestOfCheckpoint,
  entryPlace,
  type NotedCheckpoint,
  readMark,
} from "./checkpoint.ts";
import { allCheckpoints, newestCheckpoint } from "./checkpoints.ts";
import { AuditEntry, auditEntries } from "./entry.ts";
import { checkProof, digestOfEntry, digestOfText, entryNonce } from "./proof.ts";
import { registrationsBefore } from "./registrations.ts";

/** The first fault that verification found in the audit log. */
export type IntegrityFault =
  /** `entry` is null where only its place is known. */
  | {
      is: "removed" | "changed" | "added" | "copied";
      place: string;
      entry: { at: number; content: AuditEntry | null } | null;
    }
  /** The passkey of an entry does not prove it. */
  | { is: "assertion"; why: AssertionFault; place: string; entry: { at: number; content: AuditEntry | null } }
  /** A checkpoint is missing or was changed, or (`severed`) follows one whose signature could not be verified. */
  | { is: "no checkpoint"; number: number }
  | { is: "wrong checkpoint" | "severed"; number: number; at: number }
  /** The stored newest checkpoint is missing or unreadable. */
  | { is: "no head" }
  /** The noted checkpoint is not in the log. */
  | { is: "not the posted one"; number: number };

/** Thrown at the first fault, which ends the verification. */
class IntegrityError extends Error {
  readonly fault: IntegrityFault;
  constructor(fault: IntegrityFault) {
    super(fault.is);
    this.fault = fault;
  }
}

export type VerifyResult =
  | { is: "not begun" }
  | { is: "broken"; fault: IntegrityFault }
  | {
      is: "whole";
      /** Entries under a checkpoint, and those since. */
      fixed: number;
      loose: number;
      /** Decisions that a passkey proved, and decisions without one. */
      assertions: { checked: number; unsigned: number };
      /** When the oldest checkpoint and the newest were taken. */
      since: number;
      newest: { number: number; at: number; digest: string };
      /** True when the noted checkpoint was compared; false when its part was cut off; null when none was given. */
      compared: boolean | null;
    };

type VerifyApp = Pick<Foundation, "store" | "signer">;

/** Retention may cut off the beginning during a verification, which then starts over. */
const mostTries = 3;

/** Reads the whole audit log and reports the first fault in it. It writes nothing. */
export async function verifyAudit(app: VerifyApp, noted: NotedCheckpoint | null): Promise<VerifyResult> {
  for (let tries = 1; ; tries += 1) {
    const head = await newestCheckpoint(app);
    try {
      return await verifyOnce(app, head, noted);
    } catch (error) {
      if (!(error instanceof IntegrityError)) throw error;
      const cutMeanwhile = (await newestCheckpoint(app))?.start !== head?.start;
      if (!cutMeanwhile || tries === mostTries) return { is: "broken", fault: error.fault };
    }
  }
}

async function verifyOnce(
  app: VerifyApp,
  head: Checkpoint | null,
  noted: NotedCheckpoint | null,
): Promise<VerifyResult> {
  if (head === null) {
    if (await hasCheckpoint(app)) throw new IntegrityError({ is: "no head" });
    return { is: "not begun" };
  }
  let begun: { since: number; entries: AsyncGenerator<LogEntry> } | null = null;
  let compared = noted ? false : null;
  // Retention has cut no entries off.
  const isWhole = head.start === 0;
  const { prove, assertions } = createProofCheck(app.signer);
  let fixed = 0;
  for await (const checkpoint of chainOf(app, head)) {
    if (isNoted(checkpoint, noted)) compared = true;
    begun ??= {
      since: checkpoint.at,
      entries: await entriesFrom(app, isWhole ? checkpoint.after : checkpoint.through, prove),
    };
    if (checkpoint.number === head.start) continue;
    await checkFixed(app.signer, checkpoint, begun.entries, prove);
    fixed += checkpoint.marks.length;
  }
  if (!begun) throw missing(firstNumber(head));
  if (noted && noted.number > head.number) throw new IntegrityError({ is: "not the posted one", number: noted.number });
  return {
    is: "whole",
    fixed,
    loose: await proveLoose(begun.entries, prove),
    assertions: assertions.counts(),
    since: begun.since,
    newest: { number: head.number, at: head.at, digest: digestOfCheckpoint(head) },
    compared,
  };
}

async function hasCheckpoint(app: VerifyApp): Promise<boolean> {
  const { done } = await allCheckpoints(app).next();
  return !done;
}

/** The entries after that place. Retention cut off earlier ones that register passkeys in use: they are proven here. */
async function entriesFrom(app: VerifyApp, after: string, prove: Prove): Promise<AsyncGenerator<LogEntry>> {
  for (const entry of await registrationsBefore(app, await firstAfter(app, after)))
    await prove(entry, { formerKeys: true });
  return entriesAfter(app, after);
}

/** Proves the entries since the newest checkpoint, and counts them. */
async function proveLoose(entries: AsyncGenerator<LogEntry>, prove: Prove): Promise<number> {
  let loose = 0;
  for await (const entry of entries) {
    await prove(entry);
    loose += 1;
  }
  return loose;
}

/** True for the checkpoint of the noted number. Throws IntegrityError if its digest is not the noted one. */
function isNoted(checkpoint: Checkpoint, noted: NotedCheckpoint | null): boolean {
  if (noted?.number !== checkpoint.number) return false;
  if (!digestOfCheckpoint(checkpoint).startsWith(noted.digest))
    throw new IntegrityError({ is: "not the posted one", number: noted.number });
  return true;
}

/** The first checkpoint of the log that the head describes. */
function firstNumber(head: Checkpoint): number {
  return Math.max(1, head.start);
}

/**
 * The checkpoints of the log that the head describes, each compared with the one before it, and the last one with the head. Throws
 * IntegrityError at the first fault; without any checkpoint it gives none.
 */
async function* chainOf(app: VerifyApp, head: Checkpoint): AsyncGenerator<Checkpoint> {
  let previous: Checkpoint | null = null;
  for await (const { checkpoint } of allCheckpoints(app)) {
    if (previous?.number === head.number) {
      // Checkpoints that another instance took meanwhile may follow the head, and nothing else.
      if (!checkpoint || checkpoint.number <= head.number) throw missing(head.number + 1);
      continue;
    }
    if (previous === null && checkpoint && checkpoint.number < head.start) continue;
    previous = checkNext(app.signer, checkpoint, previous, head);
    yield previous;
  }
  if (previous) checkLast(app.signer, previous, head);
}

/** The checkpoint, which must follow the previous one. */
function checkNext(
  signer: Signer,
  checkpoint: Checkpoint | null,
  previous: Checkpoint | null,
  head: Checkpoint,
): Checkpoint {
  const expected = previous ? previous.number + 1 : firstNumber(head);
  if (checkpoint?.number !== expected) throw missing(expected);
  if (previous && checkpoint.previous !== digestOfCheckpoint(previous)) throw wrong(previous);
  if (checkSignatures(signer, checkpoint) === "wrong") throw wrong(checkpoint);
  if (checkpoint.severed) throw wrong(checkpoint, "severed");
  return checkpoint;
}

function checkLast(signer: Signer, last: Checkpoint, head: Checkpoint): void {
  if (last.number !== head.number) throw missing(last.number + 1);
  // Check digest and signature: the head also states where the log begins, so the head must be signed.
  if (digestOfCheckpoint(last) !== digestOfCheckpoint(head) || checkSignatures(signer, last) !== "right")
    throw wrong(last);
}

function missing(number: number): IntegrityError {
  return new IntegrityError({ is: "no checkpoint", number });
}

function wrong({ number, at }: Checkpoint, is: "wrong checkpoint" | "severed" = "wrong checkpoint"): IntegrityError {
  return new IntegrityError({ is, number, at });
}

/** Compares the next entries with the checkpoint that fixed them. Throws IntegrityError at the first fault. */
async function checkFixed(
  signer: Signer,
  checkpoint: Checkpoint,
  entries: AsyncGenerator<LogEntry>,
  prove: Prove,
): Promise<void> {
  const digests: string[] = [];
  for (const mark of checkpoint.marks) {
    const { place, digest } = readMark(mark);
    const { value: entry, done } = await entries.next();
    if (done || Number(entry.id) > place)
      throw new IntegrityError({ is: "removed", place: String(place), entry: null });
    const found = checkMarked(signer, checkpoint, entry, digest);
    await prove(entry, { formerKeys: true });
    digests.push(found);
  }
  if (digestOfText(digests.join()) !== checkpoint.digest) throw wrong(checkpoint);
}

/** The digest of an entry, which must begin as the checkpoint's mark says. */
function checkMarked(signer: Signer, { strange }: Checkpoint, entry: LogEntry, digest: string): string {
  if (strange.includes(entryPlace(entry.id)))
    throw faultOf(checkProof(signer, entry) === "wrong" ? "changed" : "added", entry);
  const found = digestOfEntry(entry);
  if (!found.startsWith(digest)) throw faultOf("changed", entry);
  return found;
}

/** Checks the proof of each entry, from first to last, and that none is a copy. */
function createProofCheck(signer: Signer) {
  const assertions = createAssertionCheck();
  /** Each entry with a proof has a nonce. */
  const nonces = new Set<string | null>();

  async function prove(entry: LogEntry, { formerKeys = false }: { formerKeys?: boolean } = {}): Promise<void> {
    const proof = checkProof(signer, entry);
    if (proof === "wrong") throw faultOf("changed", entry);
    if (proof === "none" || (proof === "unknown key" && !formerKeys)) throw faultOf("added", entry);
    const nonce = entryNonce(entry);
    if (nonces.has(nonce)) throw faultOf("copied", entry);
    nonces.add(nonce);
    await checkAssertion(entry);
  }

  async function checkAssertion({ id, at, data }: LogEntry): Promise<void> {
    const { data: content = null } = AuditEntry.safeParse(data);
    const why = content && (await assertions.faultOf({ at, entry: content }));
    if (why) throw new IntegrityError({ is: "assertion", why, place: entryPlace(id), entry: { at, content } });
  }

  return { prove, assertions };
}

type Prove = ReturnType<typeof createProofCheck>["prove"];

function faultOf(is: "changed" | "added" | "copied", { id, at, data }: LogEntry): IntegrityError {
  return new IntegrityError({
    is,
    place: entryPlace(id),
    entry: { at, content: AuditEntry.safeParse(data).data ?? null },
  });
}

const pageSize = 500;

/** The id of the next entry; without one, an id after all. */
async function firstAfter(app: VerifyApp, after: string): Promise<string> {
  const [entry] = await auditEntries(app).read({ after, limit: 1 });
  return entry?.id ?? afterAll;
}

const afterAll = "\uffff";

async function* entriesAfter(app: VerifyApp, after: string): AsyncGenerator<LogEntry> {
  for (let last = after; ; ) {
    const page = await auditEntries(app).read({ after: last, limit: pageSize });
    yield* page;
    last = page.at(-1)?.id ?? last;
    if (page.length < pageSize) return;
  }
}
