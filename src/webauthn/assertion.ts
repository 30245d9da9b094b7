import { createHash } from "node:crypto";
import * as z from "zod";
import { canonicalJson } from "../canonical-json.ts";

/**
 * The facts that a passkey signs. Each is in the challenge, so that the signature counts for exactly this decision by this member, with
 * what they read. The digests keep the input, and what it was decided on, out of the audit log.
 */
export const SignedFacts = z.object({
  /** 32 fresh random bytes in base64url, kept with the one-time link and spent with it. */
  random: z.string(),
  workspace: z.string(),
  /** The request's id, or the command where there is no request. */
  subject: z.string(),
  /** Counts the steps of the request; 0 for a command. */
  version: z.number(),
  decision: z.string(),
  member: z.string(),
  /** SHA-256 of the salted input, of the preconditions, of the rule and of the text that the page showed. */
  input: z.string(),
  preconditions: z.string(),
  rule: z.string(),
  text: z.string(),
});
export type SignedFacts = z.infer<typeof SignedFacts>;

/** The signed facts with what the passkey made of them. Everything is in base64url, as the browser sent it. */
export const Assertion = SignedFacts.extend({
  /** The id of the passkey. */
  credential: z.string(),
  authenticatorData: z.string(),
  clientData: z.string(),
  signature: z.string(),
});
export type Assertion = z.infer<typeof Assertion>;

/** The challenge of the facts: SHA-256 in base64url. The order of the fields is fixed, or older entries could not be verified. */
export function challengeOf(facts: SignedFacts): string {
  const { random, workspace, subject, version, decision, member, input, preconditions, rule, text } = facts;
  return digestOf([
    "rackbell",
    1,
    random,
    workspace,
    subject,
    version,
    decision,
    member,
    input,
    preconditions,
    rule,
    text,
  ]);
}

/** SHA-256 of a JSON value in base64url. The keys of objects are sorted: two stores may return them in different orders. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}
