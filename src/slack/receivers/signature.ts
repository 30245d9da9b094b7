import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../clock.ts";

/** Why a request does not count as Slack's. */
export type Unverified = "unsigned" | "stale" | "ahead" | "forged";

/** Seconds that a request's own time may differ from ours, either way. */
const window = 5 * 60;

/**
 * Checks Slack's `v0` signature over a body as it came, byte for byte; null where it is right and of these five minutes. Throws on an empty
 * secret, with which anybody could sign.
 */
export function createVerifier(
  signingSecret: string,
  clock: Clock,
): (headers: IncomingHttpHeaders, body: Buffer) => Unverified | null {
  if (signingSecret.trim() === "") throw new TypeError("The signing secret is empty");
  const secret = createSecretKey(signingSecret, "utf8");

  return (headers, body) => {
    const timestamp = header(headers, "x-slack-request-timestamp", /^\d{1,12}$/);
    const signature = header(headers, "x-slack-signature", /^v0=[0-9a-f]{64}$/);
    if (timestamp === null || signature === null) return "unsigned";
    const aheadBy = Number(timestamp) - clock.now() / 1_000;
    if (aheadBy < -window) return "stale";
    if (aheadBy > window) return "ahead";
    const right = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest();
    return timingSafeEqual(right, Buffer.from(signature.slice(3), "hex")) ? null : "forged";
  };
}

function header(headers: IncomingHttpHeaders, name: string, shape: RegExp): string | null {
  const value = headers[name];
  return typeof value === "string" && shape.test(value) ? value : null;
}
