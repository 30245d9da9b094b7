import * as z from "zod";
import type { Risk } from "./operation.ts";

/** Why something is asked, kept with it and shown to who decides: every act takes one, unless it has a reason of its own for the platform. */
export const reasonField = "reason";

const most = 500;

// A reason stands in a channel: what looks like a key or a token is not let in.
const secretLike = /\b(?:fbk|rsk)_[0-9a-f]{6}|\bxox[a-z]-|\bxapp-/i;

const Reason = z
  .string()
  .trim()
  .max(most)
  .refine((text) => !looksSecret(text), {
    error: "that looks like a key, and everybody would read it here. Revoke it.",
  })
  .optional()
  .meta({ title: "Why", description: "Shown with the request to who decides it, and kept" });

/** The input of an operation with the reason that may be given for it. */
export function withReason(input: z.ZodObject, risk: Risk): z.ZodObject {
  return risk === "read" || reasonField in input.shape ? input : input.safeExtend({ [reasonField]: Reason });
}

/** Whether a text holds what looks like a key or a token. */
export function looksSecret(text: string): boolean {
  return secretLike.test(text);
}

/** Why it is asked, as said; empty where nobody said. */
export function reasonIn(input: Record<string, unknown>): string {
  const reason = input[reasonField];
  return typeof reason === "string" ? reason.trim() : "";
}
