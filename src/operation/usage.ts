import { type Field, fieldsOf, isSecret } from "./fields.ts";
import type { Operation } from "./operation.ts";
import { reasonField } from "./reason.ts";
import { isWhen } from "./when.ts";

/** What so many commands take that it is told once, and not with each. */
function isEverywhere({ name, label }: Field, { risk, api }: Operation): boolean {
  return (
    name === "page" || (isWhen(name) && api !== "app") || (name === reasonField && label === "Why" && risk !== "read")
  );
}

/** How a command is typed: "/vps snapshot <VPS> name=… [description=…]". Secrets are asked for in a form. */
export function usageOf(operation: Operation): string {
  const fields = fieldsOf(operation.input).filter((field) => !isSecret(field) && !isEverywhere(field, operation));
  const values = fields
    .filter((field) => field.name !== operation.positional)
    .map((field) => {
      const shown = `${field.name}=${field.options.length > 0 && field.options.length <= 6 ? field.options.join("|") : "…"}`;
      return field.required ? shown : `[${shown}]`;
    });
  const many = operation.api !== "app" && operation.bulk !== null;
  const target = operation.target ? [`<${operation.target.label}${many ? " …" : ""}>`] : [];
  const words = operation.positional ? [`[${operation.positional}]`] : [];
  const force = operation.interrupts ? ["[force=yes]"] : [];
  return [`/${operation.command}`, ...target, ...words, ...values, ...force].join(" ");
}
