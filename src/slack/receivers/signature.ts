import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../process/clock.ts";

/** The reason why a request is not verified as Slack's. */
export type Unverified = "unsigned" | "stale" | "ahead" | "forged";

/** Seconds that a request's timestamp may differ from our clock, either way. */
const window = 5 * 60;

export interface Verifier {
  /** Checks the headers before the body is read; null if they have no fault. */
  look(headers: IncomingHttpHeaders): Exclude<Unverified, "forged"> | null;
  /** Checks Slack's `v0` signature over the raw body; null if it is valid and at most five minutes old. */
  verify(headers: IncomingHttpHeaders, body: Buffer): Unverified | null;
}

/** Throws TypeError for an empty secret, with which anybody could sign. */
export function createVerifier(signingSecret: string, clock: Clock): Verifier {
  if (signingSecret.trim() === "") throw new TypeError("The signing secret is empty");
  const secret = createSecretKey(signingSecret, "utf8");

  function read(headers: IncomingHttpHeaders) {
    const timestamp = header(headers, "x-slack-request-timestamp", /^\d{1,12}$/);
    const signature = header(headers, "x-slack-signature", /^v0=[0-9a-f]{64}$/);
    if (timestamp === null || signature === null) return "unsigned";
    const aheadBy = Number(timestamp) - clock.now() / 1_000;
    if (aheadBy < -window) return "stale";
    if (aheadBy > window) return "ahead";
    return { timestamp, signature };
  }

  return {
    look(headers) {
      const signing = read(headers);
      return typeof signing === "string" ? signing : null;
    },
    verify(headers, body) {
      const signing = read(headers);
      if (typeof signing === "string") return signing;
      const right = createHmac("sha256", secret).update(`v0:${signing.timestamp}:`).update(body).digest();
      return timingSafeEqual(right, Buffer.from(signing.signature.slice(3), "hex")) ? null : "forged";
    },
  };
}

function header(headers: IncomingHttpHeaders, name: string, shape: RegExp): string | null {
  const value = headers[name];
  return typeof value === "string" && shape.test(value) ? value : null;
}
