import { valueFields } from "../blocks/control-state.ts";
import type { Control } from "../blocks/controls.ts";
import type { Container } from "../delivery/payloads.ts";
import type { Json } from "../wire/json.ts";
import { findChannel } from "../workspace/channels.ts";
import { addFile, fileInfo } from "../workspace/files.ts";
import type { User } from "../workspace/users.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Choice, choicesIn, suggest } from "./actions.ts";
import type { SlackContext } from "./composer.ts";
import { ShownError } from "./shown-error.ts";

/** The input of a person: words, the texts of options, names, a date or time, or a file. `null` empties the field. */
export type FieldValue = string | string[] | boolean | number | null | { name: string; content: string | Buffer };

/** The state of an element after this input, under the field that Slack's payloads have for it. */
export async function entryOf(
  context: SlackContext,
  user: User,
  container: Container,
  control: Control,
  value: FieldValue,
): Promise<Json> {
  const { type } = control;
  const field = type === "overflow" ? "selected_option" : valueFields[type]?.field;
  if (field === undefined) throw new ShownError("not_a_field", `"${control.label}" takes no entry.`);
  if (value === null) return { [field]: valueFields[type]?.empty ?? null };
  if (typeof value === "object" && !Array.isArray(value))
    return { [field]: [uploaded(context.workspace, user, value)] };
  if (field === "value" || /date|time/.test(field))
    return { [field]: type === "datetimepicker" ? Number(value) : String(value) };
  const chosen: Json[] | string[] = /option/.test(field)
    ? await optionsNamed(context, user, container, control, namesIn(control, value))
    : namesIn(control, value).map((name) => idNamed(context.workspace, field, name));
  return { [field]: field.endsWith("s") ? chosen : chosen[0] };
}

/** A checkbox by itself is set with true and emptied with false. */
function namesIn(control: Control, value: string | string[] | boolean | number): string[] {
  if (value === true)
    return choicesIn(control.element)
      .slice(0, 1)
      .map((choice) => choice.text);
  if (value === false) return [];
  return Array.isArray(value) ? value : [String(value)];
}

function uploaded(workspace: Workspace, user: User, file: { name: string; content: string | Buffer }): Json {
  return fileInfo(workspace, addFile(workspace, file.name, Buffer.from(file.content), user.id));
}

async function optionsNamed(
  context: SlackContext,
  user: User,
  container: Container,
  control: Control,
  names: string[],
): Promise<Json[]> {
  const found: Json[] = [];
  for (const name of names) {
    const isExternal = control.type.includes("external");
    const typed = isExternal ? await suggest(context, user, container, control, name) : choicesIn(control.element);
    // A person who types nothing chooses from the list: a text that was cut finds nothing.
    const offered = isExternal && typed.length === 0 ? await suggest(context, user, container, control, "") : typed;
    found.push(chosenFrom(offered, name, control).option);
  }
  return found;
}

/** The option with this text or value; of a typeahead also the only one that it offers. */
function chosenFrom(offered: Choice[], name: string, control: Control): Choice {
  const exact = offered.find((choice) => choice.text === name) ?? offered.find((choice) => choice.value === name);
  const only = control.type.includes("external") && offered.length === 1 ? offered[0] : undefined;
  const chosen = exact ?? only;
  if (chosen) return chosen;
  const texts = offered.map((choice) => choice.text).join(", ");
  throw new ShownError("no_such_option", `"${control.label}" does not offer "${name}" but: ${texts || "nothing"}.`);
}

function idNamed(workspace: Workspace, field: string, name: string): string {
  const bare = name.replace(/^[@#]/, "");
  const user = field.includes("user") ? [...workspace.users.values()].find((one) => one.name === bare) : undefined;
  const found = field.includes("user") ? user?.id : findChannel(workspace, bare)?.id;
  if (found === undefined) throw new ShownError("no_such_option", `There is no ${name} here.`);
  return found;
}
