import type { Signer } from "../storage/signer.ts";
import type { LogEntry, Store } from "../storage/store.ts";
import { createChain, type NotedCheckpoint } from "./chain.ts";
import { type Checkpoint, digestOfCheckpoint } from "./checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { auditLog } from "./entry.ts";
import { IntegrityError, type IntegrityFault } from "./fault.ts";
import { createReader } from "./reader.ts";

export type VerifyResult =
  | { is: "not begun" }
  | { is: "broken"; fault: IntegrityFault }
  | {
      is: "whole";
      /** Entries under a checkpoint, those since, and those from before there were any. */
      fixed: number;
      loose: number;
      before: number;
      /** Assertions of passkeys that were proven, and those whose key was registered in entries that are cut off. */
      assertions: { checked: number; unknown: number };
      /** When the oldest checkpoint and the newest were taken. */
      since: number;
      newest: { number: number; at: number; digest: string };
      /** True when the noted checkpoint was compared; false when its part was cut off; null when none was given. */
      compared: boolean | null;
    };

export type Verify = (noted: NotedCheckpoint | null) => Promise<VerifyResult>;

const pageSize = 500;
/** Retention may cut off the beginning during a verification, which then starts over. */
const mostTries = 3;

/** Reads the whole audit log and reports the first fault in it. It writes nothing. */
export function createVerify(deps: { store: Store; signer: Signer; checkpoints: Checkpoints }): Verify {
  const { store, signer, checkpoints } = deps;
  const log = store.log(auditLog, { retentionMs: Number.POSITIVE_INFINITY });

  async function* entriesAfter(after: string): AsyncGenerator<LogEntry> {
    for (let last = after; ; ) {
      const page = await log.read({ after: last, limit: pageSize });
      yield* page;
      last = page.at(-1)?.id ?? last;
      if (page.length < pageSize) return;
    }
  }

  async function countUpTo(id: string): Promise<number> {
    let count = 0;
    for await (const entry of entriesAfter("")) {
      if (entry.id > id) break;
      count += 1;
    }
    return count;
  }

  async function look(head: Checkpoint | null, noted: NotedCheckpoint | null): Promise<VerifyResult> {
    const chain = createChain(signer, head, noted);
    let reader: ReturnType<typeof createReader> | null = null;
    let first: Checkpoint | null = null;
    for await (const { checkpoint } of checkpoints.all()) {
      if (!chain.takes(checkpoint)) continue;
      if (first === null) {
        first = checkpoint;
        const begins = head?.start === 0 ? checkpoint.after : checkpoint.through;
        reader = createReader(signer, entriesAfter(begins), { isWhole: head?.start === 0 });
      }
      if (checkpoint.number !== head?.start) await reader?.fixed(checkpoint);
    }
    chain.end();
    if (head === null || first === null || reader === null) return { is: "not begun" };
    const { fixed, loose, assertions } = await reader.rest();
    return {
      ...{ is: "whole", fixed, loose, assertions, since: first.at, compared: chain.compared() },
      before: head.start === 0 ? await countUpTo(first.after) : 0,
      newest: { number: head.number, at: head.at, digest: digestOfCheckpoint(head) },
    };
  }

  return async (noted) => {
    for (let tries = 1; ; tries += 1) {
      const head = await checkpoints.head();
      try {
        return await look(head, noted);
      } catch (error) {
        if (!(error instanceof IntegrityError)) throw error;
        const cutMeanwhile = (await checkpoints.head())?.start !== head?.start;
        if (!cutMeanwhile || tries === mostTries) return { is: "broken", fault: error.fault };
      }
    }
  };
}
