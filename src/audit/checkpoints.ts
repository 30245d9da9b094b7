import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { Signer } from "../storage/signer.ts";
import type { LogEntry, Store } from "../storage/store.ts";
import { Checkpoint, checkSignatures, digestOfCheckpoint, isSignedNow, makeCheckpoint, placeOf } from "./checkpoint.ts";
import { auditLog } from "./entry.ts";
import { checkProof } from "./proof.ts";

const name = "audit-checkpoints";
const headKey = "newest";
/** Any value, since one that is no checkpoint must be found and reported, and replaced. */
const checkpointHead = defineKind({ name: "newest checkpoint", namespace: "audit-head", schema: z.unknown() });
/** Entries that one turn reads, checks and digests: 500 would block everybody else for 9 ms. */
const mostEntries = 100;
const pageSize = 200;
const forever = Number.POSITIVE_INFINITY;

/** A stored checkpoint; null when the stored value is none. */
export interface StoredCheckpoint {
  id: string;
  checkpoint: Checkpoint | null;
}

/** The chain of checkpoints: each one fixes the entries since the one before it (see the guide: audit-log.md). */
export interface Checkpoints {
  /** Takes checkpoints until all new entries are fixed. `start`: the log begins after that checkpoint from now on. */
  take(start?: number): Promise<void>;
  /** The newest checkpoint; null before the first, and when the stored value is none. */
  head(): Promise<Checkpoint | null>;
  /** Oldest first. */
  all(): AsyncGenerator<StoredCheckpoint>;
  /** Deletes the entries and checkpoints before the beginning that the newest checkpoint states. */
  cut(): Promise<void>;
}

export function createCheckpoints(deps: { store: Store; signer: Signer; clock: Clock; log: Logger }): Checkpoints {
  const { store, signer, clock, log } = deps;
  const entries = store.log(auditLog, { retentionMs: forever });
  const kept = store.log(name, { retentionMs: forever });
  const heads = store.keyv(checkpointHead);

  /** The last entry from before entries had proofs: entries up to it cannot be verified. */
  async function lastUnproven(): Promise<string> {
    for (let before: string | undefined; ; ) {
      const page = await entries.read({ before, limit: pageSize });
      const found = page.find((entry) => checkProof(signer, entry) === "none");
      if (found) return found.id;
      if (page.length < pageSize) return "";
      before = page.at(-1)?.id;
    }
  }

  async function takeOne(start: number | undefined): Promise<"more" | "all"> {
    const stored = await store.read(checkpointHead, headKey);
    const head = Checkpoint.safeParse(stored.value).data ?? null;
    const after = head ? head.through : await lastUnproven();
    const found = await entries.read({ after, limit: mostEntries });
    const begins = start !== undefined && start > (head?.start ?? 0);
    if (head && found.length === 0 && !begins && isSignedNow(signer, head)) return "all";
    const severed = stored.was !== undefined && (head === null || checkSignatures(signer, head) !== "right");
    if (severed) log.error("Rackbell did not write the newest checkpoint of the audit log: verify the log");
    const checkpoint = makeCheckpoint(signer, found, {
      number: (head?.number ?? 0) + 1,
      at: clock.now(),
      after,
      strange: found.filter(isStrange).map(({ id }) => placeOf(id)),
      start: begins ? start : (head?.start ?? 0),
      previous: head && digestOfCheckpoint(head),
      severed,
    });
    const taken = await store.transact({
      records: [replacing(stored, checkpoint)],
      log: [{ log: name, retentionMs: forever, at: checkpoint.at, subjects: [], data: checkpoint }],
    });
    // If another instance was quicker, the next turn takes what is left.
    return taken && found.length < mostEntries ? "all" : "more";
  }

  function isStrange(entry: LogEntry): boolean {
    return checkProof(signer, entry) !== "right";
  }

  async function* all(): AsyncGenerator<StoredCheckpoint> {
    let after = "";
    for (;;) {
      const page = await kept.read({ after, limit: pageSize });
      for (const { id, data } of page) yield { id, checkpoint: Checkpoint.safeParse(data).data ?? null };
      after = page.at(-1)?.id ?? after;
      if (page.length < pageSize) return;
    }
  }

  async function head(): Promise<Checkpoint | null> {
    return Checkpoint.safeParse(await heads.get(headKey)).data ?? null;
  }

  return {
    all,
    head,
    async take(start) {
      while ((await takeOne(start)) === "more");
    },
    async cut() {
      const start = (await head())?.start ?? 0;
      let passed: string | undefined;
      for await (const { id, checkpoint } of all()) {
        if (checkpoint && checkpoint.number >= start) {
          if (checkpoint.number === start) await entries.cut(checkpoint.through);
          break;
        }
        passed = id;
      }
      if (passed !== undefined) await kept.cut(passed);
    },
  };
}
