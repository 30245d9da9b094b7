import type * as z from "zod";

/** Copies the faults of a part of an answer into its parent, each with its full path. The error then names the field. */
export function passIssues(
  context: z.core.$RefinementCtx,
  issues: readonly Pick<z.core.$ZodIssue, "message" | "path">[],
  at: PropertyKey[] = [],
): void {
  for (const { message, path } of issues) context.addIssue({ code: "custom", message, path: [...at, ...path] });
}
