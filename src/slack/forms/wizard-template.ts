import type { BoundWizard, WizardState } from "../../operation/wizard.ts";
import type { Owner } from "../../records/drafts.ts";
import type { Templates } from "../../records/templates.ts";
import { code, listing } from "../../views/text.ts";

/** The first page of a form, from the named template, else from the command. */
export async function beginFrom(
  templates: Pick<Templates, "find" | "list">,
  bound: BoundWizard,
  { member, command }: Owner,
  input: Record<string, unknown>,
): Promise<WizardState> {
  const { template: typed } = input;
  if (typeof typed !== "string") return bound.begin(input);
  const found = await templates.find(command, member, typed);
  const filled = found && bound.fromTemplate(found.saved, input);
  if (filled) return filled;
  const names = (await templates.list(command, member)).map(({ name }) => code(name, 60));
  const there = names.length > 0 ? ` There is ${listing(names.slice(0, 10))}.` : " There is none yet.";
  const first = await bound.begin(input);
  return { ...first, notice: `:warning: There is no template ${code(typed, 60)} that you can see.${there}` };
}
