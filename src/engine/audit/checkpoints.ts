import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Signer } from "../../storage/signer.ts";
import type { LogEntry, Store } from "../../storage/store.ts";
import { Checkpoint, checkSignatures, digestOfCheckpoint, isSignedNow, makeCheckpoint, placeOf } from "./checkpoint.ts";
import { auditLog } from "./entry.ts";
import { checkProof } from "./proof.ts";

const name = "audit-checkpoints";
const headKey = "newest";
/** What is read, proved and digested in one turn, however much was written within a minute: of 500 everybody else would wait for 9 ms. */
const mostEntries = 100;
const pageSize = 200;
const forever = Number.POSITIVE_INFINITY;

/** A kept checkpoint; null where what is kept there is none. */
export interface KeptCheckpoint {
  id: string;
  checkpoint: Checkpoint | null;
}

/** The chain of checkpoints: each fixes the entries since the one before it (README, the record). */
export interface Checkpoints {
  /** Fixes what is new, if anything is. `start`: the record begins after that checkpoint from now on. */
  take(start?: number): Promise<void>;
  /** The newest. Null before the first, and where what is kept there is none. */
  head(): Promise<Checkpoint | null>;
  /** Oldest first. */
  all(): AsyncGenerator<KeptCheckpoint>;
  /** Deletes what lies before the record's beginning, as the newest checkpoint says it. */
  cut(): Promise<void>;
}

export function createCheckpoints(deps: { store: Store; signer: Signer; clock: Clock; log: Logger }): Checkpoints {
  const { store, signer, clock, log } = deps;
  const entries = store.log(auditLog, { retentionMs: forever });
  const kept = store.log(name, { retentionMs: forever });
  const heads = store.values("audit-head");

  /** The last entry from before there were proofs: nothing can be said of what lies before it. */
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
    const raw = await heads.get(headKey);
    const head = Checkpoint.safeParse(raw).data ?? null;
    const after = head ? head.through : await lastUnproven();
    const found = await entries.read({ after, limit: mostEntries });
    const begins = start !== undefined && start > (head?.start ?? 0);
    if (head && found.length === 0 && !begins && isSignedNow(signer, head)) return "all";
    const severed = raw !== undefined && (head === null || checkSignatures(signer, head) !== "right");
    if (severed) log.error("The newest checkpoint of the audit is not one that Rackbell took: verify the record");
    const checkpoint = makeCheckpoint(signer, found, {
      number: (head?.number ?? 0) + 1,
      at: clock.now(),
      after,
      strange: found.filter(isStrange).map(({ id }) => placeOf(id)),
      start: begins ? start : (head?.start ?? 0),
      previous: head && digestOfCheckpoint(head),
      severed,
    });
    const taken = await store.commit({
      record: { namespace: "audit-head", key: headKey, expected: raw, value: checkpoint },
      append: [{ log: name, retentionMs: forever, at: checkpoint.at, subjects: [], data: checkpoint }],
    });
    // Another instance was quicker: what is left is the next turn's.
    return taken && found.length < mostEntries ? "all" : "more";
  }

  function isStrange(entry: LogEntry): boolean {
    return checkProof(signer, entry) !== "right";
  }

  async function* all(): AsyncGenerator<KeptCheckpoint> {
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
