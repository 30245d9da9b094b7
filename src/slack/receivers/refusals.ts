import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { createRefusals } from "../../http.ts";
import type { Unverified } from "./signature.ts";

/** Why a request is not taken. */
export type Refusal = Unverified | "too large" | "broken off" | "malformed" | "other workspace" | "stopping";

export type CountRefusal = (kind: Refusal) => void;

/** Counts and logs what is not taken of what comes to Slack's address. */
export function createSlackRefusals(options: { clock: Clock; log: Logger; onRefused: CountRefusal }): CountRefusal {
  return createRefusals<Refusal>({ ...options, words: "A request to Slack's address was refused" });
}
