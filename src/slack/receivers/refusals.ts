import type { Logger } from "pino";
import type { Clock } from "../../process/clock.ts";
import { createRefusals } from "../../process/http.ts";
import type { UnreadReason } from "../../process/intake.ts";
import type { Unverified } from "./signature.ts";

/** The reason why a request is refused. */
export type RefusalKind = Unverified | UnreadReason | "malformed" | "other workspace" | "stopping";

export type CountRefusal = (kind: RefusalKind) => void;

/** Counts and logs refused requests to Slack's address. */
export function createSlackRefusals(options: { clock: Clock; log: Logger; onRefused: CountRefusal }): CountRefusal {
  return createRefusals<RefusalKind>({ ...options, words: "A request to Slack's address was refused" });
}
