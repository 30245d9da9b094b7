import type * as z from "zod";

/**
 * The question before a service is interrupted: a fixed text, or a function of the input that returns null if nothing is
 * interrupted.
 */
export type Interrupts<I> = string | ((input: I) => string | null);

/** The same for unparsed input. Input that cannot be parsed interrupts nothing: it is refused earlier. */
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
