import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Unverified } from "./signature.ts";

/** Why a request is not taken. */
export type Refusal = Unverified | "too large" | "broken off" | "malformed" | "other workspace" | "stopping";

export type CountRefusal = (kind: Refusal) => void;

const quietMs = 60_000;

/** Counts what is refused, and logs it without its content: each kind at once, and then once a minute, so that a flood of them fills no disk. */
export function createRefusals(options: { clock: Clock; log: Logger; onRefused: CountRefusal }): CountRefusal {
  const { clock, log, onRefused } = options;
  const seen = new Map<Refusal, { loggedAt: number; unlogged: number }>();

  return (kind) => {
    onRefused(kind);
    const now = clock.monotonic();
    const last = seen.get(kind);
    if (last && now - last.loggedAt < quietMs) {
      last.unlogged += 1;
      return;
    }
    seen.set(kind, { loggedAt: now, unlogged: 0 });
    log.warn({ kind, before: last?.unlogged ?? 0 }, "A request to Slack's address was refused");
  };
}
