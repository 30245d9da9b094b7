import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The form of a signing secret: 64 hex characters. The key of the signature is this text, not the bytes that it encodes. Spec section
 * 5.1, rules 1 and 6.
 */
export const signingSecretForm = /^[0-9a-fA-F]{64}$/;

/** The form of a signature, of a request and of a delivery. Spec sections 5.1 and 6. */
export const signatureForm = /^hmac-sha256=[0-9a-f]{64}$/;

/** `hmac-sha256=` and 64 lowercase hex characters over `content`. */
export function signatureOf(secret: string, content: string | Buffer): string {
  return `hmac-sha256=${createHmac("sha256", secret).update(content).digest("hex")}`;
}

/** The text to sign for a request: the timestamp as sent, a dot, and the exact body, or nothing without a body. Spec section 5.1, rules 2 to 4. */
export function signedContent(timestamp: string, body: string | undefined): string {
  return `${timestamp}.${body ?? ""}`;
}

/** The two headers of a signed request. `at` is in milliseconds; the header has seconds. Spec section 5.1. */
export function signatureHeaders(secret: string, body: string | undefined, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  return {
    "x-reseller-timestamp": timestamp,
    "x-reseller-signature": signatureOf(secret, signedContent(timestamp, body)),
  };
}

/**
 * True where a received signature fits `content`. Compares in constant time, so that timing reveals nothing of the expected signature.
 * Spec section 6.
 */
export function verifySignature(secret: string, content: Buffer, signature: string): boolean {
  const expected = Buffer.from(signatureOf(secret, content));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
