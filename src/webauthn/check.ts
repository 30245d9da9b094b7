import * as z from "zod";
import { type Assertion, challengeOf, type SignedFacts } from "./assertion.ts";
import type { PasskeySite } from "./site.ts";

/** Loaded only if a passkey is used: the library and its parsers of certificates cost a tenth of the start. */
const library = () => import("@simplewebauthn/server");

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
 * Checks a browser's answer to the challenge of the facts: origin, host name, presence and verification of the user, signature and
 * counter (WebAuthn Level 3, section 7.2). Resolves to the assertion and the passkey's new counter; null if anything is wrong.
 */
export async function checkSigned(
  answer: unknown,
  { facts, key, site }: { facts: SignedFacts; key: CheckedKey; site: Pick<PasskeySite, "origin" | "rpId"> },
): Promise<SignedAssertion | null> {
  const signed = Signed.safeParse(answer).data;
  if (!signed || signed.id !== key.id) return null;
  const { authenticatorData, clientDataJSON, signature } = signed.response;
  const assertion = { ...facts, credential: key.id, authenticatorData, clientData: clientDataJSON, signature };
  const counter = await counterOf(assertion, key, site);
  return counter === null ? null : { assertion, counter };
}

/** Checks a stored assertion again; the counter counts only while it is made. True if the passkey signed exactly these facts. */
export async function isSignedBy(
  assertion: Assertion,
  key: Omit<CheckedKey, "counter">,
  site: Pick<PasskeySite, "origin" | "rpId">,
): Promise<boolean> {
  return assertion.credential === key.id && (await counterOf(assertion, { ...key, counter: 0 }, site)) !== null;
}

async function counterOf(
  assertion: Assertion,
  key: CheckedKey,
  { origin, rpId }: Pick<PasskeySite, "origin" | "rpId">,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const { credential: id, authenticatorData, clientData: clientDataJSON, signature } = assertion;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: { authenticatorData, clientDataJSON, signature },
      },
      expectedChallenge: challengeOf(assertion),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id, publicKey: new Uint8Array(Buffer.from(key.publicKey, "base64url")), counter: key.counter },
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
  if (!made) return null;
  const { verifyRegistrationResponse } = await library();
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
      requireUserVerification: true,
    });
    if (!registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
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
