import type { Outbox } from "../notifications/outbox.ts";
import type { Step } from "../operation/answer.ts";
import type { Foundation } from "../storage/foundation.ts";
import type { LaneHandlers } from "../storage/store.ts";
import type { Block } from "../views/blocks.ts";
import { type Audit, createAudit } from "./audit.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { type CheckpointPosts, createCheckpointPosts } from "./posting.ts";
import { keepRetention } from "./retention.ts";
import { createStream, type Deliver, type Stream } from "./stream.ts";
import { createVerify, type Verify } from "./verify.ts";

const sealLane = "audit-seal:";
const sealWake = `${sealLane}minute`;
export const sealEveryMs = 60_000;

/** The audit log with the parts that reveal a rewrite: verification, posted checkpoints and the stream to a collector. */
export interface AuditSystem {
  audit: Audit;
  verify: Verify;
  posting: CheckpointPosts;
  stream: Stream;
  /** Takes a checkpoint of the new entries at once. */
  seal(): Promise<void>;
  start(): void;
  timers: LaneHandlers;
}

export function assembleAudit(
  foundation: Foundation,
  parts: {
    outbox: Outbox;
    /** The buttons of the steps under a posted checkpoint. */
    buttons: (steps: Step[]) => Block[];
    retentionMs: number;
    /** Sends an entry to the collector; null when none is configured. */
    deliver: Deliver | null;
    onEntry: (what: string) => void;
  },
): AuditSystem {
  const { store, signer, clock, log } = foundation;
  const { outbox, buttons, retentionMs, deliver, onEntry } = parts;
  const checkpoints: Checkpoints = createCheckpoints(foundation);
  const posting = createCheckpointPosts({ store, checkpoints, buttons, clock, log });
  outbox.source("checkpoint", posting.notifications);
  async function sealAgain(): Promise<number> {
    await checkpoints.take();
    return clock.now() + sealEveryMs;
  }
  const stream = createStream({ store, deliver, clock, log });
  const { delivered } = stream;
  const retention = keepRetention({ store, checkpoints, retentionMs, delivered, clock });
  return {
    audit: createAudit({ store, signer, clock, onEntry }),
    verify: createVerify({ store, signer, checkpoints }),
    posting,
    stream,
    timers: { [sealLane]: sealAgain, ...posting.timers, ...stream.timers, ...retention.timers },
    seal: () => checkpoints.take(),
    start() {
      Promise.all([store.wakeups.wake(sealWake, clock.now()), retention.start(), stream.start()]).catch(
        (error: unknown) => log.error({ err: error }, "The audit is not sealed yet: the next start tries again"),
      );
    },
  };
}
