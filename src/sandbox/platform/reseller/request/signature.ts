import { createHmac, timingSafeEqual } from "node:crypto";
import type { ApiRequest } from "../../http/api.ts";
import { badRequest } from "../../http/refusal.ts";
import type { Partner } from "../../programme/partner.ts";
import { unauthorized } from "./call.ts";

const allowedSkew = 300_000;

/** Checks a write against spec 5.1, and throws the refusal of the first failure. `now` is the platform's time. */
export function refuseUnlessSigned(request: ApiRequest, partner: Partner, now: number): void {
  if (request.method === "GET") return;
  const signature = request.header("x-reseller-signature");
  if (signature === undefined) {
    throw unauthorized("Request signature required for this operation. Include X-Reseller-Signature header.");
  }
  if (partner.signingSecret === null) throw badRequest("Webhook secret not configured");
  const given = /^hmac-sha256=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (given === undefined) throw badRequest("Invalid signature format");
  const timestamp = request.header("x-reseller-timestamp");
  if (timestamp !== undefined) refuseOutsideWindow(timestamp, now);
  const prefix = timestamp === undefined ? "" : `${timestamp}.`;
  const { signingSecret } = partner;
  const matches = signedBodies(request).some((body) => {
    const expected = createHmac("sha256", signingSecret).update(prefix).update(body).digest();
    return timingSafeEqual(expected, Buffer.from(given, "hex"));
  });
  if (!matches) throw unauthorized("Invalid signature");
}

/** A value above 10^11 is in milliseconds. */
function refuseOutsideWindow(timestamp: string, now: number): void {
  if (!/^\d+$/.test(timestamp)) throw badRequest("Invalid X-Reseller-Timestamp");
  const sent = Number(timestamp) > 1e11 ? Number(timestamp) : Number(timestamp) * 1000;
  if (Math.abs(now - sent) > allowedSkew) throw unauthorized("Request timestamp outside the allowed window");
}

/** The texts that a signature may cover: the bytes, and still their re-serialised form; of no body nothing, or an empty object. */
function signedBodies({ body, header }: ApiRequest): (Buffer | string)[] {
  if (body.length === 0) return ["", "{}"];
  // A body without its content type is not parsed, so the platform cannot check what was signed.
  if (!isJson(header("content-type"))) return [];
  try {
    return [body, JSON.stringify(JSON.parse(body.toString("utf8")))];
  } catch {
    return [body];
  }
}

export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\b/i.test(contentType ?? "");
}
