import type { AppContext } from "../../engine/app-context.ts";
import type { BoundOperation } from "../../engine/bound.ts";
import { type Narrowed, resolveWithin } from "../../engine/narrowing.ts";
import type { ReadPutOff } from "../../engine/when.ts";
import type { Choice } from "../../operation/asking.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { fieldsOf, labelOf } from "../../operation/fields.ts";
import { choicesMeant, severalMeant } from "../../operation/input.ts";
import type { Invocation, PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { withoutWhen, withSettled } from "../../operation/when.ts";
import type { View } from "../../views/blocks.ts";
import { listing, prose } from "../../views/text.ts";
import { formView, type PrivateMetadata } from "./form-view.ts";

/** The form with what was typed already found and matched; what was not understood stands above the fields. */
export async function filledForm(
  meant: Narrowed,
  { registry, putOff }: Pick<AppContext, "registry" | "putOff">,
  metadata: PrivateMetadata,
): Promise<View> {
  const { bound, invocation } = meant;
  const { operation } = bound;
  const notices: string[] = [];
  const input = await withTime(invocation.input, metadata.origin.slackUser, { putOff, notices });
  const target = await findTarget(meant, registry, notices);
  const targetId = target?.id ?? null;
  // Before anything more is asked for: a password that cannot be set is not to be thought of first.
  if (targetId !== null) await bound.usable(targetId);
  const unlisted = new Set<string>();
  const chosen =
    targetId !== null || !operation.target ? await matchChosen(bound, invocation, targetId, { notices, unlisted }) : {};
  const { faults = {} } = invocation;
  return formView({
    operation,
    metadata: { ...metadata, target: targetId },
    target: target && { label: target.name, detail: prose(target.detail, 200) },
    input,
    chosen,
    unlisted,
    faults,
    notice: notices.length > 0 ? notices.join(" ") : null,
  });
}

/** A typed time as the picker shows it; one that is not understood is told, and picked anew. */
async function withTime(
  input: Record<string, unknown>,
  slackUser: string,
  { putOff, notices }: { putOff: ReadPutOff; notices: string[] },
): Promise<Record<string, unknown>> {
  try {
    const when = await putOff(input, slackUser);
    if (when === null) return input;
    if (when.said) notices.push(when.said);
    return withSettled(input, when.at);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notices.push(prose(error.message));
    return withoutWhen(input);
  }
}

async function findTarget(meant: Narrowed, registry: Registry, notices: string[]) {
  const { bound } = meant;
  const { target: typed } = meant.invocation;
  const kind = bound.operation.target;
  if (!kind || typed === undefined) return null;
  try {
    const found = await resolveWithin(meant, typed, registry);
    if (found.is === "id") return await named(bound, found.id);
    if (found.is === "several") {
      notices.push(
        `A form is for one ${kind.label}. For several at once, type all that is asked here with the command.`,
      );
      return null;
    }
    const words = prose(typed, 100);
    notices.push(
      found.near
        ? `You have no ${kind.label} called “${words}”: choose one.`
        : `“${words}” means more than one ${kind.label}: choose which one.`,
    );
  } catch (error) {
    if (error instanceof Refusal) notices.push(error.message);
    else if (error instanceof InputError) notices.push(prose(error.message));
    else throw error;
  }
  return null;
}

async function named(bound: BoundOperation, id: string) {
  const { entries } = await bound.listing();
  const entry = entries.find((one) => one.id === id);
  return { id, name: entry?.name ?? id, detail: entry?.detail ?? "" };
}

/** Choices that were typed or carried by a button, so that the form shows them as chosen. */
async function matchChosen(
  bound: BoundOperation,
  { input }: Invocation,
  targetId: string | null,
  { notices, unlisted }: { notices: string[]; unlisted: Set<string> },
): Promise<Record<string, Choice>> {
  const { operation } = bound;
  const chosen: Record<string, Choice> = {};
  for (const field of operation.chosen) {
    const typed = input[field];
    const choices = await bound.choices(field, targetId);
    const label = labelOf(operation.input, field);
    if (choices.length === 0 && operation.typed.includes(field)) {
      unlisted.add(field);
      notices.push(`The platform's list for “${label}” could not be read: type what it is called there.`);
      continue;
    }
    if (choices.length === 0 && isNeeded(operation, field)) {
      notices.push(`There is nothing to choose for “${label}” here, so this cannot be sent.`);
    }
    if (typeof typed !== "string") continue;
    const found = choicesMeant(typed, choices);
    const [only] = found;
    if (only && found.length === 1) chosen[field] = only;
    else notices.push(found.length > 1 ? prose(severalMeant(typed, found)) : notAmong(typed, choices));
  }
  return chosen;
}

function notAmong(typed: string, choices: Choice[]): string {
  const some = choices.slice(0, 5).map(({ label }) => prose(label, 60));
  return `There is no “${prose(typed, 100)}” to choose; there is ${listing(some)}.`;
}

function isNeeded(operation: PlatformOperation, field: string): boolean {
  return fieldsOf(operation.input).some(({ name, required }) => name === field && required);
}
