import * as z from "zod";
import { type Assertion, challengeOf, type Statement } from "./assertion.ts";
import { algorithms, isSoundKey, normalSignature } from "./keys.ts";
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
