import { type Json, textAt } from "../wire/json.ts";
import type { Block, ViewState } from "./block.ts";
import { valueFields } from "./control-state.ts";
import { type Control, controlsOf } from "./controls.ts";

/** The faults that Slack's own client refuses before it sends a form: a sentence for each block. */
export function formErrors(view: { blocks: Block[]; state: ViewState }): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const control of controlsOf(view.blocks)) {
    if (control.block.type !== "input") continue;
    const problem = problemWith(control, view.state.values[control.block_id]?.[control.action_id] ?? {});
    if (problem) errors[control.block_id] = problem;
  }
  return errors;
}

function problemWith(control: Control, entry: Json): string | undefined {
  const entered = entry[valueFields[control.type]?.field ?? "value"];
  const empty =
    entered === null || entered === undefined || entered === "" || (Array.isArray(entered) && entered.length === 0);
  if (empty) return control.block.optional === true ? undefined : "Please complete this required field.";
  return typeof entered === "string" ? wrongText(control, entered) : undefined;
}

function wrongText({ type, element }: Control, entered: string): string | undefined {
  if (type === "email_text_input" && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(entered)) return "Enter a valid email address.";
  if (type === "url_text_input" && !URL.canParse(entered)) return "Enter a valid URL.";
  if (type === "number_input") return wrongNumber(element, entered);
  const { min_length: min, max_length: max = 3_000 } = element;
  if (typeof min === "number" && entered.length < min) return `Enter at least ${min} characters.`;
  if (typeof max === "number" && entered.length > max) return `Enter at most ${max} characters.`;
  return undefined;
}

function wrongNumber(element: Json, entered: string): string | undefined {
  const form = element.is_decimal_allowed === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  if (!form.test(entered)) return "Enter a valid number.";
  const [min, max] = [textAt(element, "min_value"), textAt(element, "max_value")];
  if (min !== undefined && Number(entered) < Number(min)) return `Enter a number of at least ${min}.`;
  if (max !== undefined && Number(entered) > Number(max)) return `Enter a number of at most ${max}.`;
  return undefined;
}
