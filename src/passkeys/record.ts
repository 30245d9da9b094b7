import * as z from "#zod";
import { Assertion } from "../process/webauthn/assertion.ts";

/** A member's passkey. Only its public half is here: the private one never leaves the member's device. */
export const Passkey = z.object({
  /** The credential id, in base64url. */
  id: z.string(),
  /** The member's own name for it. */
  name: z.string(),
  /** COSE, in base64url. */
  publicKey: z.string(),
  counter: z.number(),
  transports: z.array(z.string()),
  /** The site that it was made for: at another host no browser offers it. */
  origin: z.string(),
  rpId: z.string(),
  /** How its owner proved to be the member. */
  proof: z.enum(["key", "passkey", "recovery"]),
  addedAt: z.number(),
  usedAt: z.number().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** A passkey that replaces lost ones. It takes effect a day after an admin approved it, unless somebody stops it. */
export const Recovery = z.object({
  id: z.string(),
  passkey: Passkey,
  askedAt: z.number(),
  /** The admin who approved it, with their assertion; null until then. */
  approved: z.object({ member: z.string(), slackUser: z.string(), at: z.number(), assertion: Assertion }).nullable(),
});
export type Recovery = z.infer<typeof Recovery>;

/** All passkeys of a member in one record, so that each change of them is one atomic step. */
export const MemberPasskeys = z.object({
  member: z.string(),
  slackUser: z.string(),
  passkeys: z.array(Passkey),
  recovery: Recovery.nullable(),
});
export type MemberPasskeys = z.infer<typeof MemberPasskeys>;
