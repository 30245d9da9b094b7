import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "../../../process/clock.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** An id as Slack makes them: a letter for the kind, then ten capitals and digits. */
export function newId(kind: string): string {
  return `${kind}0${Array.from({ length: 9 }, () => letters[randomInt(letters.length)]).join("")}`;
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

/** Hands out message timestamps: seconds by the clock with six decimals, each later than the last. */
export function createTimestamps(clock: Clock): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * 1_000);
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, "0")}`;
  };
}
