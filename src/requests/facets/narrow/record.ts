import * as z from "#zod";
import { fieldsOf } from "../../../operation/fields.ts";

/** An amount of a request that may be lowered: how many services are ordered. */
export const LowerableAmount = z.object({ name: z.string(), label: z.string(), value: z.number(), least: z.number() });
export type LowerableAmount = z.infer<typeof LowerableAmount>;

/** The amount in an input that could be lower; null without one. */
export function lowerableIn(schema: z.ZodObject, input: Readonly<Record<string, unknown>>): LowerableAmount | null {
  for (const { name, label, amount, minimum } of fieldsOf(schema)) {
    const value = input[name];
    const least = minimum ?? 1;
    if (amount && typeof value === "number" && value > least) return { name, label, value, least };
  }
  return null;
}

/** Slack lists at most 100 options in a menu, so of a request with more targets none can be taken out. */
const mostTargets = 100;

/** True if something can be taken out of the request, or lowered. */
export function canNarrow({
  bulk,
  form,
  unsettled,
}: {
  bulk: { outcomes: readonly unknown[] } | null;
  form: { amount: LowerableAmount | null; rows: number } | null;
  unsettled: object | null;
}): boolean {
  if (unsettled !== null) return false;
  const choices = bulk?.outcomes.length ?? form?.rows ?? 0;
  return (choices > 1 && choices <= mostTargets) || (form?.amount ?? null) !== null;
}
