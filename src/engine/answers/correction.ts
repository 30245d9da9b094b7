import { InputError } from "../../operation/errors.ts";
import { fieldsOf, isSecret } from "../../operation/fields.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { oneLine } from "../../views/text.ts";

/**
 * The same invocation for a form that is to be put right: what was said, without secrets, and what is wrong with each
 * field. Null where no field is named that the form has.
 */
export function correctionOf(operation: Operation, invocation: Invocation, error: unknown): Invocation | null {
  const fields = fieldsOf(operation.input);
  const faults: Record<string, string> = {};
  for (const { field, message } of fieldFaults(error)) {
    const known = fields.find(({ name }) => sameName(name, field));
    if (known) faults[known.name] = oneLine(message);
  }
  if (Object.keys(faults).length === 0) return null;
  const said = Object.entries(invocation.input).filter(
    ([name]) => !fields.some((field) => field.name === name && isSecret(field)),
  );
  const { command, target } = invocation;
  return { command, input: Object.fromEntries(said), faults, ...(target === undefined ? {} : { target }) };
}

function fieldFaults(error: unknown): readonly { field: string; message: string }[] {
  if (error instanceof InputError) return error.fields;
  return error instanceof PlatformRefused ? error.details : [];
}

// The platform's words for a field differ from ours in their writing at most: sourceUrl, source_url, url.
function sameName(ours: string, theirs: string): boolean {
  const bare = (name: string) => name.replaceAll(/[_.-]/g, "").toLowerCase();
  const [mine, its] = [bare(ours), bare(theirs)];
  return mine !== "" && its !== "" && (mine === its || its === `${mine}id` || its.endsWith(mine));
}
