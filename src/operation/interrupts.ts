import type * as z from "zod";

/** What is said before a service is interrupted: always the same, or as the input decides; null where nothing is interrupted by it. */
export type Interrupts<I> = string | ((input: I) => string | null);

/** The same of an input that is still to be parsed. What cannot be parsed interrupts nothing: it is refused before. */
export function interruptsOf<I extends z.ZodObject>(
  input: I,
  interrupts: Interrupts<z.output<I>> | undefined,
): ((raw: Record<string, unknown>) => string | null) | null {
  if (interrupts === undefined) return null;
  if (typeof interrupts === "string") return () => interrupts;
  return (raw) => {
    const parsed = input.safeParse(raw);
    return parsed.success ? interrupts(parsed.data) : null;
  };
}
