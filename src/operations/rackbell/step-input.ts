import * as z from "#zod";
import { type PeopleApp, readPeopleList } from "../../members/people/typed-people.ts";
import { wrongInput } from "../../operation/errors.ts";
import { lengthIn } from "../../operation/schedule-input.ts";
import type { RuleStep } from "../../policy/rule.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** The inputs of a request are erased after this time. */
export const longest = 30 * day;

/** A length of time as people type it. */
export const length = z
  .string()
  .max(20)
  .refine((text) => {
    const found = lengthIn(text);
    return found !== null && found >= minute && found <= longest;
  }, "a time of at least 1m and at most 30d, such as 20m, 2h or 1d12h.")
  .optional();

const stepFields = [
  { to: "then", time: "after" },
  { to: "then2", time: "after2" },
] as const;

/** The inputs of steps, as they were typed. */
type StepInput = Partial<Record<"then" | "after" | "then2" | "after2" | "expires", string | undefined>>;

/** The steps that notify others, each at a later time than the one before. */
export async function stepsOf(input: StepInput, context: PeopleApp): Promise<RuleStep[]> {
  if (input.then2 && !input.then) throw wrongInput("then", "Say first who is notified before that.");
  const steps: RuleStep[] = [];
  for (const { to: field, time } of stepFields) {
    const [to, typed] = [input[field], input[time]];
    if (!to && !typed) continue;
    if (!to) throw wrongInput(field, "Say who is notified then.");
    const after = lengthIn(typed ?? "");
    if (after === null) throw wrongInput(time, "Say after which time, such as 20m.");
    refuseWrongTime(after, { time, before: steps.at(-1)?.after ?? 0, end: lengthIn(input.expires ?? "") });
    steps.push({ to: await readPeopleList(context, to, { field }), after });
  }
  return steps;
}

function refuseWrongTime(after: number, { time, before, end }: { time: string; before: number; end: number | null }) {
  if (after <= before) throw wrongInput(time, "The second step comes after the first one: give a longer time.");
  if (end !== null && after >= end) throw wrongInput(time, "The request has expired by then.");
}
