import * as z from "zod";
import type { Step } from "../operation/answer.ts";
import { fieldsOf, isSecret } from "../operation/fields.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import type { Proposal } from "./create.ts";

/** Offers to schedule the same act for the next opening of a maintenance window. Secrets must be typed again. */
export function waitForWindow(
  { bound, act, originator }: Pick<Proposal, "bound" | "act" | "originator">,
  opens: number,
): Step[] {
  const { operation } = bound;
  const secret = fieldsOf(operation.input).filter(isSecret);
  const open = Object.entries(act.input).filter(([name]) => !secret.some((field) => field.name === name));
  const input = z.record(z.string(), z.json()).safeParse(withResolvedTime(Object.fromEntries(open), opens));
  if (!act.target || !input.success) return [];
  const { command } = operation;
  const plan = { label: "Schedule it for then", command, target: act.target.id, input: input.data };
  return [{ ...plan, originator, style: "primary" }];
}
