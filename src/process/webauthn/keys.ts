import { createPublicKey } from "node:crypto";

/** A public key in COSE (RFC 9053), decoded: the labels of its fields are numbers. */
export interface CoseKey {
  get(label: number): unknown;
}

/** The signature algorithms that passkeys are made for: ES256 and RS256. */
export const algorithms = [-7, -257];
const [es256, rs256] = algorithms;
const leastRsaBits = 2_048;
/** The order of the curve P-256 (SP 800-186, section 3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** True if signatures can be verified with the key, and if no signature fits without its private half. */
export function isSoundKey(key: CoseKey): boolean {
  const jwk = jwkOf(key);
  if (!jwk) return false;
  try {
    // Node refuses a point that is not on the curve.
    const { asymmetricKeyDetails } = createPublicKey({ key: jwk, format: "jwk" });
    return jwk.kty !== "RSA" || isSoundRsa(asymmetricKeyDetails);
  } catch {
    return false;
  }
}

/** With the exponent 1, a signature is the text itself: anybody could sign. */
function isSoundRsa({
  modulusLength = 0,
  publicExponent = 0n,
}: {
  modulusLength?: number;
  publicExponent?: bigint;
} = {}): boolean {
  return modulusLength >= leastRsaBits && publicExponent >= 3n && publicExponent % 2n === 1n;
}

function jwkOf(key: CoseKey) {
  const [kty, alg, first, second, third] = [1, 3, -1, -2, -3].map((label) => key.get(label));
  if (isEc(key)) {
    const [x, y] = [textOf(second, 32), textOf(third, 32)];
    return first === 1 && x && y ? { kty: "EC" as const, crv: "P-256", x, y } : null;
  }
  if (kty !== 3 || alg !== rs256) return null;
  const [n, e] = [textOf(first), textOf(second)];
  return n && e ? { kty: "RSA" as const, n, e } : null;
}

function isEc(key: CoseKey): boolean {
  return key.get(1) === 2 && key.get(3) === es256;
}

function textOf(bytes: unknown, length?: number): string | null {
  if (!(bytes instanceof Uint8Array) || (length !== undefined && bytes.length !== length)) return null;
  return Buffer.from(bytes).toString("base64url");
}

/**
 * The one form of a signature, in base64url. Of an ES256 signature anybody can make a second one that is valid too (n − s in place of s);
 * the lower s counts. Null if it is no signature.
 */
export function normalSignature(signature: string, key: CoseKey): string | null {
  const bytes = Buffer.from(signature, "base64url");
  if (!isEc(key)) return bytes.toString("base64url");
  const parts = readDer(bytes);
  if (!parts) return null;
  const { r, s } = parts;
  return derOf(r, s > order / 2n ? order - s : s).toString("base64url");
}

/** The two numbers of an ECDSA signature; null if it is not in DER (X.690), which has one form for each pair. */
function readDer(bytes: Buffer): { r: bigint; s: bigint } | null {
  const rLength = bytes[3] ?? 0;
  const sLength = bytes[5 + rLength] ?? 0;
  const r = numberOf(bytes.subarray(4, 4 + rLength));
  const s = numberOf(bytes.subarray(6 + rLength, 6 + rLength + sLength));
  return derOf(r, s).equals(bytes) ? { r, s } : null;
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x0${bytes.toString("hex")}`);
}

function derOf(...numbers: bigint[]): Buffer {
  const parts = numbers.map((number) => {
    const hex = number.toString(16);
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
    // A leading zero: without it the number would be negative.
    const whole = (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
    return Buffer.concat([Buffer.from([0x02, whole.length]), whole]);
  });
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
}
