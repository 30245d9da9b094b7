import type { Foundation } from "../storage/foundation.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { allCheckpoints, cutBeforeStart, takeCheckpoints } from "./checkpoints.ts";
import { postCheckpoint, postTimer } from "./posting.ts";
import { lastDelivered, type StreamApp, sendEntries } from "./stream.ts";

const sealTimer = "audit-seal:";
const cutTimer = "audit-cut:";
const streamTimer = "audit-stream:";
export const sealEveryMs = 60_000;
const cutEveryMs = 60 * 60_000;

/** The parts of the app that keep the audit log, and that reveal a rewrite of it. */
export interface AuditApp extends Pick<Foundation, "signer">, StreamApp {
  /** Milliseconds for which entries are kept. */
  auditRetentionMs: number;
}

export function auditTimers(app: AuditApp): LaneHandlers {
  const { clock } = app;
  return {
    async [sealTimer]() {
      await takeCheckpoints(app);
      return clock.now() + sealEveryMs;
    },
    async [cutTimer]() {
      await cutOldEntries(app);
      return clock.now() + cutEveryMs;
    },
    [postTimer]: () => postCheckpoint(app),
    ...(app.deliverEntry ? { [streamTimer]: () => sendEntries(app) } : {}),
  };
}

export function startAudit({ store, clock, log, deliverEntry }: AuditApp): void {
  const timers = [`${sealTimer}minute`, `${cutTimer}hour`, ...(deliverEntry ? [`${streamTimer}send`] : [])];
  Promise.all(timers.map((timer) => store.timers.set(timer, clock.now()))).catch((error: unknown) =>
    log.error({ err: error }, "The audit is not sealed yet: the next start tries again"),
  );
}

/** Cuts off the oldest entries after their time, always at a checkpoint, so that the rest can be verified. */
async function cutOldEntries(app: AuditApp): Promise<void> {
  // Sign the new beginning first: verification reports a missing beginning without a signature as removed.
  const last = await lastTooOld(app);
  if (last > 0) await takeCheckpoints(app, last);
  await cutBeforeStart(app);
}

/** The number of the last checkpoint before the retention; 0 where there is none. */
async function lastTooOld(app: AuditApp): Promise<number> {
  let found = 0;
  const sent = await lastDelivered(app);
  for await (const { checkpoint } of allCheckpoints(app)) {
    if (!checkpoint || checkpoint.at > app.clock.now() - app.auditRetentionMs) break;
    // Entries that the collector has not taken yet outlive their time.
    if (sent !== null && checkpoint.through > sent) break;
    found = checkpoint.number;
  }
  return found;
}
