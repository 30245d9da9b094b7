import { hash, randomBytes } from "node:crypto";
import * as z from "#zod";
import { Origin } from "../messages/origin.ts";
import { PlainText } from "../process/plain-text.ts";
import { digestJson } from "../process/webauthn/assertion.ts";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, type Stored } from "../storage/record.ts";
import { update } from "../storage/update.ts";

const minute = 60_000;
/** Milliseconds. A decision is made while its facts are fresh; somebody who registers may have to fetch their key first. */
const lives = { decision: 5 * minute, command: 5 * minute, registration: 10 * minute };
/** Wrong keys that a registration takes before its link is worth nothing. */
export const mostTries = 5;

/** How the member decided, beside the decision itself. */
export const Manner = z.object({
  /** An admin's reason for the emergency override. */
  override: PlainText.optional(),
  /** The backup is taken first. */
  withBackup: z.boolean().optional(),
  /** They saw that the same was ordered minutes ago, and want a second one. */
  second: z.boolean().optional(),
  /** The number of targets that they typed for a bulk request. */
  counted: z.number().optional(),
  /** The name that they typed of a protected resource. */
  named: z.string().optional(),
});
export type Manner = z.infer<typeof Manner>;

const Purpose = z.discriminatedUnion("is", [
  z.object({ is: z.literal("decision"), request: z.string(), manner: Manner }),
  /** `sealed`: the invocation, since a form may hold a key, and the salt of its digest. */
  z.object({ is: z.literal("command"), sealed: z.string() }),
  z.object({
    is: z.literal("registration"),
    /** The member lost their passkeys. */
    lost: z.boolean(),
    tries: z.number(),
    /** The member typed the key that they linked. */
    proven: z.boolean(),
  }),
]);
export type Purpose = z.infer<typeof Purpose>;

/** A one-time link to a page of ours: for one member and one purpose, for some minutes. */
const PasskeyLink = z.object({
  /** 32 fresh random bytes in base64url, for the challenges. */
  random: z.string(),
  member: z.string(),
  slackUser: z.string(),
  origin: Origin,
  madeAt: z.number(),
  expiresAt: z.number(),
  purpose: Purpose,
});
export type PasskeyLink = z.infer<typeof PasskeyLink>;
type StoredLink = Stored<PasskeyLink> & { value: PasskeyLink };
type Registration = Extract<Purpose, { is: "registration" }>;
export type LinkFor<P extends Purpose["is"]> = PasskeyLink & { purpose: Extract<Purpose, { is: P }> };

/** Stored by the hash of the address's last part, so that nobody who reads the store can open a page. */
const linkKind = defineKind({
  name: "passkey link",
  namespace: "passkey-links",
  schema: PasskeyLink,
  ttlMs: lives.registration,
});

/** Makes a link; resolves with the last part of its address. */
export async function makePasskeyLink({ store, clock }: TimedApp, origin: Origin, purpose: Purpose): Promise<string> {
  const nonce = randomBytes(32).toString("base64url");
  const { member, slackUser } = origin;
  const now = Math.trunc(clock.now());
  const link: PasskeyLink = {
    random: randomBytes(32).toString("base64url"),
    member,
    slackUser,
    origin,
    purpose,
    madeAt: now,
    expiresAt: now + lives[purpose.is],
  };
  await store.transact({ records: [creating(linkKind, keyOf(nonce), link, lives[purpose.is])] });
  return nonce;
}

/** The link as it is stored, for the transaction that spends it; null if it is unknown, spent or expired. */
export async function readPasskeyLink({ store, clock }: TimedApp, nonce: string): Promise<StoredLink | null> {
  if (!/^[\w-]{43}$/.test(nonce)) return null;
  const stored = await store.read(linkKind, keyOf(nonce));
  const { value } = stored;
  return value && clock.now() < value.expiresAt ? { ...stored, value } : null;
}

/** Counts a try of a registration; resolves with the number of tries. Null once they are used up, or if the link is spent. */
export async function countTry(app: TimedApp, nonce: string): Promise<number | null> {
  const purpose = await changeRegistration(app, nonce, (now) => ({ ...now, tries: now.tries + 1 }));
  return purpose && purpose.tries <= mostTries ? purpose.tries : null;
}

/** Notes that the member typed their key. False if the link is spent. */
export async function noteProof(app: TimedApp, nonce: string): Promise<boolean> {
  return (await changeRegistration(app, nonce, (now) => ({ ...now, proven: true }))) !== null;
}

/** The challenge of the passkey to make: one for each link, so that a page that is open twice has it twice. */
export function makingChallenge({ random }: Pick<PasskeyLink, "random">): string {
  return digestJson(["rackbell passkey", random]);
}

/** Changes a registration that still lives, however many change it at once. */
async function changeRegistration(
  { store, clock }: TimedApp,
  nonce: string,
  change: (now: Registration) => Registration,
): Promise<Registration | null> {
  const link = await update(
    store,
    linkKind,
    keyOf(nonce),
    (now) => (now?.purpose.is === "registration" ? { ...now, purpose: change(now.purpose) } : undefined),
    ({ expiresAt }) => expiresAt - clock.now(),
  );
  return link?.purpose.is === "registration" ? link.purpose : null;
}

function keyOf(nonce: string): string {
  return hash("sha256", nonce);
}
