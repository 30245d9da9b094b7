import { createHmac, timingSafeEqual } from "node:crypto";

/** A signing secret is 64 hex characters; it is used as text, not as the bytes that it spells. Spec section 5.1, rules 1 and 6. */
export const signingSecretForm = /^[0-9a-f]{64}$/;

/** How a signature is written, whoever made it. Spec sections 5.1 and 6. */
export const signatureForm = /^hmac-sha256=[0-9a-f]{64}$/;

/** `hmac-sha256=` and 64 lowercase hex characters over `content`. */
export function signatureOf(secret: string, content: string | Buffer): string {
  return `hmac-sha256=${createHmac("sha256", secret).update(content).digest("hex")}`;
}

/** What is signed of a request: the timestamp as sent, a dot, and the exact body; a body-less one is signed over nothing. Spec section 5.1, rules 2 to 4. */
export function signedContent(timestamp: string, body: string | undefined): string {
  return `${timestamp}.${body ?? ""}`;
}

/** The two headers of a signed request. `at` is in milliseconds; the timestamp is sent in seconds. Spec section 5.1. */
export function signatureHeaders(secret: string, body: string | undefined, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  return {
    "x-reseller-timestamp": timestamp,
    "x-reseller-signature": signatureOf(secret, signedContent(timestamp, body)),
  };
}

/** Whether a signature that was received is the one for `content`; in constant time, whatever was sent. Spec section 6. */
export function verifySignature(secret: string, content: Buffer, signature: string): boolean {
  const expected = Buffer.from(signatureOf(secret, content));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
