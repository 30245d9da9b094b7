import * as z from "zod";
import type { Step } from "../../operation/answer.ts";
import { fieldsOf, isSecret } from "../../operation/fields.ts";
import { withSettled } from "../../operation/when.ts";
import { utc } from "../../views/format.ts";
import type { Wanted } from "./create.ts";

/** The way on for what is allowed only within a maintenance window: the same, planned for when the next one opens. What is secret in it is asked for anew. */
export function waitForWindow(
  { bound, act, originator }: Pick<Wanted, "bound" | "act" | "originator">,
  opens: number,
): Step[] {
  const { operation } = bound;
  const secret = fieldsOf(operation.input).filter(isSecret);
  const open = Object.entries(act.input).filter(([name]) => !secret.some((field) => field.name === name));
  const input = z.record(z.string(), z.json()).safeParse(withSettled(Object.fromEntries(open), opens));
  if (!act.target || !input.success) return [];
  const { command } = operation;
  const plan = { label: `Plan it for ${utc(opens)}`, command, target: act.target.id, input: input.data };
  return [{ ...plan, originator, style: "primary" }];
}
