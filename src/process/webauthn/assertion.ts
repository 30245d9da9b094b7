import { createHash } from "node:crypto";
import * as z from "#zod";
import { canonicalJson } from "../json.ts";
import { PlainText } from "../plain-text.ts";

/** A passkey that becomes a member's, or no longer is. */
export const PasskeyChange = z.discriminatedUnion("is", [
  z.strictObject({
    is: z.literal("registered"),
    member: z.string(),
    credential: z.string(),
    /** COSE, in base64url. */
    publicKey: z.string(),
    origin: z.string(),
    rpId: z.string(),
    proof: z.enum(["key", "passkey", "recovery"]),
  }),
  z.strictObject({ is: z.literal("removed"), member: z.string(), credential: z.string() }),
]);
export type PasskeyChange = z.infer<typeof PasskeyChange>;
export type RegisteredPasskey = Extract<PasskeyChange, { is: "registered" }>;

/**
 * All that a passkey signs. The audit entry repeats what is readable here, and verification compares both field by field. The salted
 * digests keep the input, and what it was decided on, out of the audit log; the salt never leaves Rackbell.
 */
export const Statement = z.strictObject({
  /** 32 fresh random bytes in base64url, kept with the one-time link and spent with it: each statement is another one. */
  random: z.string(),
  workspace: z.string(),
  /** The site of the page. */
  origin: z.string(),
  rpId: z.string(),
  /** When its link was made, in milliseconds since the epoch. */
  at: z.number(),
  member: z.string(),
  decision: z.string(),
  /** The kinds of audit entries that it can be in. */
  entries: z.array(z.string()),
  /** Null for a command of Rackbell's own. `version` counts the steps of the request. */
  request: z.string().nullable(),
  version: z.number(),
  /** The member who asks, with the label of their key. */
  requester: z.string(),
  keyLabel: PlainText,
  command: z.string(),
  target: z.strictObject({ id: z.string(), name: PlainText }).nullable(),
  /** The requester's agent that proposes it. Its reason is null if it is its member's alone. */
  agent: z
    .strictObject({
      id: z.string(),
      name: PlainText,
      client: z.string().nullable(),
      why: z.string().nullable(),
      digest: z.string(),
    })
    .nullable(),
  /** The requester's reason, empty if there is none; null if it is theirs alone. */
  reason: PlainText.nullable(),
  /** The time that it is scheduled for; null: now. */
  scheduledFor: z.number().nullable(),
  /** The outcome in the audit entry; null where it is not known before. */
  outcome: z.string().nullable(),
  passkeys: z.array(PasskeyChange),
  digests: z.strictObject({
    input: z.string(),
    loss: z.string(),
    price: z.string(),
    preconditions: z.string(),
    rule: z.string(),
    /** The whole page. */
    page: z.string(),
  }),
});
export type Statement = z.infer<typeof Statement>;

/** A statement with what the passkey made of it. Everything beside it is in base64url, as the browser sent it. */
export const Assertion = z.strictObject({
  statement: Statement,
  /** The id of the passkey. */
  credential: z.string(),
  authenticatorData: z.string(),
  clientData: z.string(),
  signature: z.string(),
});
export type Assertion = z.infer<typeof Assertion>;

/** The challenge of a statement: SHA-256 in base64url. */
export function challengeOf(statement: Statement): string {
  return digestJson(["rackbell statement", 1, Statement.parse(statement)]);
}

/** SHA-256 of a JSON value in base64url. The keys of objects are sorted: two stores may return them in different orders. */
export function digestJson(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}

/** The longest time from the link to the entry, in milliseconds: the lives of links, and the waits of a press. */
const longestDecision = 15 * 60_000;
/** Another instance made the link, and its clock may be ahead. */
const mostAhead = 5 * 60_000;

/** False if an entry of that time cannot be what the passkey signed for: the process stood still, or its clock was changed. */
export function isTimely({ at }: Pick<Statement, "at">, entryAt: number): boolean {
  return entryAt >= at - mostAhead && entryAt <= at + longestDecision;
}
