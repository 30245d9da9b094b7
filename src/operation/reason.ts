import * as z from "#zod";
import { keyCharacter } from "../process/secret-parts.ts";
import type { Risk } from "./risk.ts";

/**
 * The input for the requester's reason, stored with the request and shown to the approvers. Every act takes it, unless it has a
 * platform reason of its own.
 */
export const reasonField = "reason";

const most = 500;

// A reason is posted in a channel, so refuse text that looks like a key or a token.
const secretLike = new RegExp(String.raw`\b(?:fbk|rsk|rba)_${keyCharacter}{6}|\bxox[a-z]-|\bxapp-`, "i");

const Reason = z
  .string()
  .trim()
  .max(most)
  .refine((text) => !looksSecret(text), {
    error: "that looks like a key, and everybody would read it here. Revoke it.",
  })
  .optional()
  .meta({ title: "Why", description: "Shown with the request to its approvers, and kept" });

/** The input of an operation, with the optional reason. */
export function withReason(input: z.ZodObject, risk: Risk): z.ZodObject {
  return risk === "read" || reasonField in input.shape ? input : input.safeExtend({ [reasonField]: Reason });
}

/** True if a text contains something that looks like a key or a token. */
export function looksSecret(text: string): boolean {
  return secretLike.test(text);
}

/** The requester's reason, trimmed; empty if they gave none. */
export function reasonIn(input: Record<string, unknown>): string {
  const reason = input[reasonField];
  return typeof reason === "string" ? reason.trim() : "";
}
