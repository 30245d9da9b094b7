import { pino } from "pino";
import { type Audit, createAudit } from "../../src/audit/audit.ts";
import type { NotedCheckpoint } from "../../src/audit/checkpoint.ts";
import { takeCheckpoints } from "../../src/audit/checkpoints.ts";
import type { AuditKind } from "../../src/audit/kinds.ts";
import { type VerifyResult, verifyAudit } from "../../src/audit/verify.ts";
import type { Clock } from "../../src/process/clock.ts";
import { createSigner } from "../../src/process/signer.ts";
import type { Store } from "../../src/storage/store.ts";

export const aKey = Buffer.alloc(32, 7);
export const newKey = Buffer.alloc(32, 8);

/** The record over one opening of a store, as one instance has it. */
export interface RecordAt {
  audit: Audit;
  checkpoints: { take(): Promise<void> };
  verify(checkpoint: NotedCheckpoint | null): Promise<VerifyResult>;
  store: Store;
  lines: string[];
  /** Keeps an entry that says so, of Ana's. */
  note(what: AuditKind): Promise<void>;
}

export function recordAt(
  store: Store,
  clock: Clock,
  keys: { key: Buffer; previous?: Buffer } = { key: aKey },
): RecordAt {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const signer = createSigner(keys, "audit record");
  const audit = createAudit({ store, signer, clock });
  const checkpoints = { take: () => takeCheckpoints({ store, signer, clock, log }) };
  return {
    audit,
    checkpoints,
    store,
    lines,
    verify: (checkpoint) => verifyAudit({ store, signer }, checkpoint),
    note: (what) =>
      audit.note({
        what,
        member: "T1:U1",
        slackUser: "U1",
        decidedBy: null,
        keyLabel: "ana",
        command: "vps cancel",
        target: { id: "vps-1", name: "web-1" },
        outcome: `It was ${what}.`,
        request: null,
      }),
  };
}
