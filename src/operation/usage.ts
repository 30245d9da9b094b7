import { type Field, fieldsOf, isTypable, withoutSecrets } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { reasonField } from "./reason.ts";
import { isScheduleInput } from "./schedule-input.ts";
import { quoted } from "./tokenize.ts";

/** Inputs of nearly every command: the guide explains them once, and the usage line leaves them out. */
function isCommonInput({ name, label }: Field, { risk, api }: Operation): boolean {
  return (
    // Nobody types the number of a page: a button leads there. `before` and `after` stay, since members may type them.
    name === "page" ||
    (isScheduleInput(name) && api !== "app") ||
    (name === reasonField && label === "Why" && risk !== "read")
  );
}

/** The usage line of a command: "/vps snapshot <VPS> name=… [description=…]". A form asks for secrets. */
export function usageOf(operation: Operation): string {
  const fields = fieldsOf(operation.input).filter(
    (field) =>
      isTypable(field) &&
      !isCommonInput(field, operation) &&
      // All that is typed is its text, so that no value can be typed.
      !(field.byButton && operation.verbatim === true),
  );
  const values = fields
    .filter((field) => field.name !== operation.positional)
    .map((field) => {
      const shown = `${field.name}=${field.options.length > 0 && field.options.length <= 6 ? field.options.join("|") : "…"}`;
      return field.required ? shown : `[${shown}]`;
    });
  const many = operation.api !== "app" && operation.bulk !== undefined;
  const target = operation.target ? [`<${operation.target.label}${many ? " …" : ""}>`] : [];
  const words = operation.positional ? [`[${operation.positional}]`] : [];
  const force = operation.asksFirst ? ["[force=yes]"] : [];
  return [`/${operation.command}`, ...target, ...words, ...values, ...force].join(" ");
}

/** A command with its values but for secrets, as a member can type it again: "/vps list web status=running". */
export function commandLine(
  { command, positional, verbatim, input: schema }: Operation,
  { targets, input }: { targets: readonly string[]; input: Record<string, unknown> },
): string {
  const words = Object.entries(withoutSecrets(schema, input)).map(([name, value]) =>
    verbatim === true && name === positional ? typed(value) : `${name}=${quoted(typed(value))}`,
  );
  return [`/${command}`, ...targets.map(quoted), ...words].join(" ");
}

function typed(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join(",") : String(value);
}
