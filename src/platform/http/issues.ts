import type * as z from "zod";

/** Passes on what is wrong with a part of an answer, each fault with the path to it, so that the sentence names the field. */
export function passIssues(
  context: z.core.$RefinementCtx,
  issues: readonly z.core.$ZodIssue[],
  at: PropertyKey[] = [],
): void {
  for (const { message, path } of issues) context.addIssue({ code: "custom", message, path: [...at, ...path] });
}
