import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { createRefusals } from "../../http.ts";
import type { UnreadReason } from "../../intake.ts";
import type { Unverified } from "./signature.ts";

/** The reason why a request is refused. */
export type Refusal = Unverified | UnreadReason | "malformed" | "other workspace" | "stopping";

export type CountRefusal = (kind: Refusal) => void;

/** Counts and logs refused requests to Slack's address. */
export function createSlackRefusals(options: { clock: Clock; log: Logger; onRefused: CountRefusal }): CountRefusal {
  return createRefusals<Refusal>({ ...options, words: "A request to Slack's address was refused" });
}
