import { backupField } from "./backup.ts";
import type { Leading } from "./leading.ts";
import type { Operation } from "./operation.ts";
import { reasonField } from "./reason.ts";
import { isScheduleInput } from "./schedule-input.ts";

/** They lead on in a list. Its buttons carry them, and no form asks for them: nobody starts at a later page. */
const pagingInputs = ["page", "before"];

export function isPagingInput(name: string): boolean {
  return pagingInputs.includes(name);
}

/** True if an input is part of the act: not its reason, not its time, not a backup before it, and not the page of a list. */
export function isActInput({ api }: Pick<Operation, "api">, name: string): boolean {
  return (
    !isPagingInput(name) && (api === "app" || !(name === reasonField || name === backupField || isScheduleInput(name)))
  );
}

/** The values of the inputs that are part of the act. */
export function actInputs(operation: Pick<Operation, "api">, input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => isActInput(operation, name)));
}

/** True if a value has content: blanks and commas alone have none. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && !(typeof value === "string" && !/[^\s,]/.test(value));
}

/** True if the values leave nothing to ask in most cases. */
export function isEnough({ enough }: Leading, input: Record<string, unknown>): boolean {
  return enough.some((names) => names.every((name) => isGiven(input[name])));
}
