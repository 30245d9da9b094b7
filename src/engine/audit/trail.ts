import type { Registry } from "../../operation/registry.ts";
import type { Foundation } from "../foundation.ts";
import type { SettingsStore } from "../records/settings.ts";
import type { Outbox } from "../telling/outbox.ts";
import { type Audit, createAudit } from "./audit.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { createPosting, type Posting } from "./posting.ts";
import { keepRetention } from "./retention.ts";
import { createStream, type Deliver, type Stream } from "./stream.ts";
import { createVerify, type Verify } from "./verify.ts";

const sealLane = "audit-seal:";
const sealWake = `${sealLane}minute`;
export const sealEveryMs = 60_000;

/** The audit with what keeps it from being rewritten unseen. */
export interface Trail {
  audit: Audit;
  verify: Verify;
  posting: Posting;
  stream: Stream;
  /** Fixes what is new, at once. */
  seal(): Promise<void>;
  start(): void;
}

export function assembleTrail(
  foundation: Foundation,
  parts: {
    settings: SettingsStore;
    outbox: Outbox;
    registry: Registry;
    retentionMs: number;
    /** Hands an entry to whoever is to get each; null where nobody is. */
    deliver: Deliver | null;
    onEntry: (what: string) => void;
  },
): Trail {
  const { store, signer, clock, log } = foundation;
  const { settings, outbox, registry, retentionMs, deliver, onEntry } = parts;
  const checkpoints: Checkpoints = createCheckpoints(foundation);
  const posting = createPosting({ store, checkpoints, settings, registry, clock, log });
  outbox.source("checkpoint", posting.tellings);
  store.wakeups.handle(sealLane, async () => {
    await checkpoints.take();
    return clock.now() + sealEveryMs;
  });
  const stream = createStream({ store, deliver, clock, log });
  const { delivered } = stream;
  const retention = keepRetention({ store, checkpoints, retentionMs, delivered, clock });
  return {
    audit: createAudit({ store, signer, clock, onEntry }),
    verify: createVerify({ store, signer, checkpoints }),
    posting,
    stream,
    seal: () => checkpoints.take(),
    start() {
      Promise.all([store.wakeups.wake(sealWake, clock.now()), retention.start(), stream.start()]).catch(
        (error: unknown) => log.error({ err: error }, "The audit is not sealed yet: the next start tries again"),
      );
    },
  };
}
