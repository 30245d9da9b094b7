import type * as z from "zod";

/** What reads an answer: any zod schema does. */
export interface Parser<T> {
  safeParse(sent: unknown): { success: true; data: T } | { success: false; error: z.ZodError };
}
