import * as z from "zod";
import type { Step } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import { moment } from "../../views/format.ts";
import { code, oneLine } from "../../views/text.ts";

/** The inputs of every cancellation. Spec section 2.8. */
export const cancelInput = z.object({
  immediate: z.boolean().default(false).meta({
    title: "At once",
    description: "If off, the service ends with the paid period, and you can keep it until then",
  }),
  reason: z
    .string()
    .max(500)
    .regex(/\S\s+\S/, "at least two words are needed.")
    .default("Cancelled from Slack")
    .meta({ title: "Reason" }),
});

/** A button that revokes a scheduled cancellation, until it takes effect. */
export function keepStep(command: "vps keep" | "service keep", target: string, ends: string): Step {
  const until = Date.parse(ends);
  return { label: "Keep it", command, target, ...(Number.isNaN(until) ? {} : { until }) };
}

/** Refuses a second cancellation at the end of the period. Ending at once is a different request. */
export function refuseScheduled(name: string, ends: string | null | undefined, now: boolean, keepStep: Step): void {
  if (now || !ends) return;
  throw new Refusal(`${code(name)} ends ${moment(ends)} already. Nothing changed. \`immediate=yes\` ends it at once.`, [
    keepStep,
  ]);
}

/** The label of the confirm button: the act and the resource. The message has the date, in each reader's zone. */
export function endWords(name: string, { now }: { now: boolean }): string {
  return `Cancel ${oneLine(name)} ${now ? "now" : "with the paid period"}`;
}
