import { createPublicKey } from "node:crypto";
import * as z from "#zod";
import { type Assertion, challengeOf, type Statement } from "./assertion.ts";
import type { PasskeySite } from "./site.ts";

/** Loaded only if a passkey is used: the library and its parsers of certificates cost a tenth of the start. */
const library = () => import("@simplewebauthn/server");
const decoding = () => import("@simplewebauthn/server/helpers");

/** A passkey as it is checked: its public key (COSE) in base64url, and the counter of its last use. */
export interface CheckedKey {
  id: string;
  publicKey: string;
  counter: number;
}

const Signed = z.object({
  id: z.string().max(1_400),
  response: z.object({
    authenticatorData: z.string().max(4_000),
    clientDataJSON: z.string().max(4_000),
    signature: z.string().max(4_000),
  }),
});

const Made = z.object({
  id: z.string().max(1_400),
  response: z.object({
    attestationObject: z.string().max(40_000),
    clientDataJSON: z.string().max(4_000),
    transports: z
      .array(z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]))
      .max(10)
      .default([]),
  }),
});

/** A checked assertion, and the counter that its passkey signed with it. */
export interface SignedAssertion {
  assertion: Assertion;
  counter: number;
}

/** The id of the passkey in a browser's answer; null if it is no such answer. */
export function credentialOf(answer: unknown): string | null {
  return Signed.safeParse(answer).data?.id ?? null;
}

/**
 * Checks a browser's answer to the challenge of a statement: origin, host name, presence and verification of the user, signature and
 * counter (WebAuthn Level 3, section 7.2). Resolves to the assertion and the passkey's new counter; null if anything is wrong.
 */
export async function checkSigned(
  answer: unknown,
  { statement, key }: { statement: Statement; key: CheckedKey },
): Promise<SignedAssertion | null> {
  const signed = Signed.safeParse(answer).data;
  if (!signed || signed.id !== key.id) return null;
  const { authenticatorData, clientDataJSON, signature: sent } = signed.response;
  const signature = await normalizedBy(key, sent);
  if (signature === null) return null;
  const assertion = { statement, credential: key.id, authenticatorData, clientData: clientDataJSON, signature };
  const counter = await readCounter(assertion, key);
  return counter === null ? null : { assertion, counter };
}

/**
 * Checks a stored assertion again; the counter counts only while it is made. True if the passkey signed exactly this statement, and if
 * the assertion is in the one form in which it is stored.
 */
export async function isSignedBy(assertion: Assertion, key: Omit<CheckedKey, "counter">): Promise<boolean> {
  const { credential, authenticatorData, clientData, signature } = assertion;
  return (
    credential === key.id &&
    [credential, authenticatorData, clientData].every(isCanonical) &&
    (await normalizedBy(key, signature)) === signature &&
    (await readCounter(assertion, { ...key, counter: 0 })) !== null
  );
}

async function normalizedBy({ publicKey }: Pick<CheckedKey, "publicKey">, signature: string): Promise<string | null> {
  const { decodeCredentialPublicKey } = await decoding();
  try {
    return normalSignature(signature, decodeCredentialPublicKey(bytesOf(publicKey)));
  } catch {
    return null;
  }
}

async function readCounter({ statement, ...made }: Assertion, key: CheckedKey): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const { credential: id, authenticatorData, clientData: clientDataJSON, signature } = made;
  if (isFramed(clientDataJSON)) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: { authenticatorData, clientDataJSON, signature },
      },
      expectedChallenge: challengeOf(statement),
      expectedOrigin: statement.origin,
      expectedRPID: statement.rpId,
      credential: { id, publicKey: bytesOf(key.publicKey), counter: key.counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for each thing that does not fit. Its sentences would repeat what a stranger sent.
    return null;
  }
}

/** Checks a browser's answer that makes a passkey (WebAuthn Level 3, section 7.1). Null if anything is wrong. */
export async function checkMade(
  answer: unknown,
  { challenge, site }: { challenge: string; site: PasskeySite },
): Promise<(CheckedKey & { transports: string[] }) | null> {
  const made = Made.safeParse(answer).data;
  if (!made || isFramed(made.response.clientDataJSON)) return null;
  const [{ verifyRegistrationResponse }, { decodeCredentialPublicKey }] = await Promise.all([library(), decoding()]);
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: made.id,
        rawId: made.id,
        type: "public-key",
        clientExtensionResults: {},
        response: made.response,
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: true,
    });
    if (!registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    // The browser names the id beside the one that the device made.
    if (id !== made.id || !isSoundKey(decodeCredentialPublicKey(publicKey))) return null;
    return {
      id,
      counter,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      transports: made.response.transports,
    };
  } catch {
    return null;
  }
}

const ClientData = z.looseObject({ crossOrigin: z.unknown().optional(), topOrigin: z.unknown().optional() });

/** True if another site's page framed ours, or if the client data cannot be read: our pages are framed nowhere. */
function isFramed(clientData: string): boolean {
  try {
    const { crossOrigin, topOrigin } = ClientData.parse(JSON.parse(bytesOf(clientData).toString("utf8")));
    return (crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined;
  } catch {
    return true;
  }
}

function bytesOf(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, "base64url");
}

/** The same bytes can be written in several texts; one counts. */
function isCanonical(text: string): boolean {
  return bytesOf(text).toString("base64url") === text;
}

/** A public key in COSE (RFC 9053), decoded: the labels of its fields are numbers. */
interface CoseKey {
  get(label: number): unknown;
}

/** The signature algorithms that passkeys are made for: ES256 and RS256. */
const algorithms = [-7, -257];
const [es256, rs256] = algorithms;
const leastRsaBits = 2_048;
/** The order of the curve P-256 (SP 800-186, section 3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** True if signatures can be verified with the key, and if no signature fits without its private half. */
function isSoundKey(key: CoseKey): boolean {
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
function normalSignature(signature: string, key: CoseKey): string | null {
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
