import * as z from "#zod";
import { PlatformRefused } from "../../platform/http/errors.ts";
import type { PlainText } from "../../process/plain-text.ts";

/** The word that clears a stored value. A field that is left empty stays as it is. */
const clears = /^none$/i;

/** The end of the description of a clearable input. */
export const clearHint = "If left out, the value stays; none clears it, and so does emptying the field";

export function isCleared(typed: string): boolean {
  return clears.test(typed.trim());
}

/** An input that must read as `rule` says, or clears the stored value. */
export function clearable(rule: z.ZodType<string>, longest: number) {
  return z
    .string()
    .trim()
    .max(longest)
    .superRefine((typed, context) => {
      const faults = isCleared(typed) ? [] : (rule.safeParse(typed).error?.issues ?? []);
      for (const { message } of faults) context.addIssue({ code: "custom", message });
    });
}

/** True if the stored value is what was typed. */
export function isStored(typed: string, stored: PlainText | null | undefined): boolean {
  return isCleared(typed) ? !stored : stored === typed;
}

/**
 * Sends null for a value that is cleared. The specs do not say how a value is cleared: where the platform refuses null, which changed
 * nothing, an empty text is sent.
 */
export async function sendCleared<R>(
  typed: readonly (string | undefined)[],
  send: (sent: (text: string) => string | null) => Promise<R>,
): Promise<R> {
  const withEmpty = (empty: string | null) => send((text) => (isCleared(text) ? empty : text));
  try {
    return await withEmpty(null);
  } catch (error) {
    const isRefused = error instanceof PlatformRefused && error.status === 400;
    if (!isRefused || !typed.some((text) => text !== undefined && isCleared(text))) throw error;
    return withEmpty("");
  }
}
