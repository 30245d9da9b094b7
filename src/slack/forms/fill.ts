import { hash } from "node:crypto";
import { type DefaultedInvocation, resolveWithin } from "../../commands/channel-default.ts";
import type { BoundOperation } from "../../members/access/bound.ts";
import { nothingFound } from "../../members/access/resolve.ts";
import { type ScheduleApp, scheduledTime } from "../../members/access/when.ts";
import { chosenPeople } from "../../members/people/typed-people.ts";
import { servicePage } from "../../messages/answers/buttons.ts";
import { isGiven } from "../../operation/act-input.ts";
import type { Choice } from "../../operation/call-context.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { fieldsOf, labelOf, peopleFields } from "../../operation/fields.ts";
import { ambiguityMessage, coerce, matchingChoices } from "../../operation/input.ts";
import type { CartRow, Led } from "../../operation/leading.ts";
import type {
  AppOperation,
  InitialValues,
  Invocation,
  Operation,
  PlatformOperation,
} from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { takesSchedule, withoutSchedule, withResolvedTime } from "../../operation/schedule-input.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { fitsOption, type View } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { clip, listing, oneLine, prose } from "../../views/text.ts";
import type { SlackApp } from "../slack-app.ts";
import { formView, shownText } from "./form-view.ts";
import { readMeaning } from "./meaning.ts";
import type { PrivateMetadata } from "./submission.ts";

/** The form with typed values resolved and filled in; unresolved ones are explained above the fields. */
export async function filledForm(
  meant: DefaultedInvocation,
  { registry, zoneOf, clock, panel }: Pick<AppContext, "registry" | "zoneOf" | "clock" | "panel">,
  metadata: PrivateMetadata,
  { rows, typed: byMember }: { rows: readonly CartRow[]; typed: Record<string, unknown> | null },
): Promise<View> {
  const { bound, invocation } = meant;
  const { operation } = bound;
  const notices: string[] = [];
  const typed = await withTime(invocation.input, operation, metadata.origin.slackUser, { zoneOf, clock, notices });
  const input = coerce(operation.input, typed);
  const target = await findTarget(meant, registry, notices);
  const targetId = target?.id ?? null;
  // Check first that the target allows the operation: nobody should think of a password that cannot be set.
  if (targetId !== null) await bound.usable(targetId);
  const unasked = targetId === null ? {} : await bound.unasked(targetId);
  notices.push(...Object.values(unasked));
  const present = await readPresent(bound, targetId, input);
  const filled = { ...input, ...present.values };
  const [matched, names] = await Promise.all([
    targetId !== null || !operation.target
      ? matchChosen(bound, { input: filled, present, faulted: byMember ?? filled }, targetId, notices)
      : nothingChosen,
    rows.length > 0 ? bound.rowNames(rows) : [],
  ]);
  return formView({
    operation,
    metadata: { ...metadata, target: targetId, untouched: present.digests, filled: present.filled },
    target: target && { label: target.name, detail: prose(target.detail, 200) },
    input: filled,
    typed: byMember ?? typed,
    kept: typed,
    ...matched,
    rows: names,
    unasked,
    page: targetId === null || !panel.serviceUrl ? null : servicePage(panel.serviceUrl, targetId),
    faults: { ...matched.faults, ...invocation.faults },
    notice: notices.length > 0 ? notices.join(" ") : null,
  });
}

/** Current values of the fields that were not typed, as texts or as the chosen values, and digests of those that are omitted unless changed. */
async function readPresent(bound: BoundOperation, targetId: string | null, given: Record<string, unknown>) {
  const present = targetId === null ? { values: {}, untouched: "sent" as const } : await bound.present(targetId);
  return asTexts(bound.operation, present, given);
}

/** The same for an operation of the app itself. */
export async function filledOwnForm(
  operation: AppOperation<AppContext>,
  { input: typed, faults = {} }: Pick<Invocation, "input" | "faults">,
  { metadata, notice, app }: { metadata: PrivateMetadata; notice: string; app: SlackApp },
): Promise<View> {
  const input = coerce(operation.input, typed);
  const present: InitialValues = {
    values: (await operation.present?.(app.context, input)) ?? {},
    untouched: "left out",
  };
  const { values, digests, filled } = asTexts(operation, present, input);
  const carried = { ...metadata, untouched: digests, filled: [...(metadata.filled ?? []), ...filled] };
  const shown = { ...input, ...values };
  const meaning = await readMeaning(app, operation, { values: shown, files: [] }, metadata.origin);
  const chosen = await chosenInPeople(app.context, operation, shown);
  return formView({
    operation,
    metadata: carried,
    target: null,
    input: shown,
    typed,
    chosen,
    notice,
    faults,
    meaning,
  });
}

/** The people and groups that each field of people shows as chosen. */
export async function chosenInPeople(
  context: AppContext,
  { input }: Pick<Operation, "input">,
  values: Record<string, unknown>,
): Promise<Record<string, Choice[]>> {
  const fields = peopleFields(input).filter(({ name }) => isGiven(values[name]));
  const chosen = fields.map(async ({ name }) => [name, await chosenPeople(context, String(values[name]))] as const);
  return Object.fromEntries(await Promise.all(chosen));
}

function asTexts(
  operation: Pick<Operation, "input" | "chosen">,
  { values, untouched }: InitialValues,
  given: Record<string, unknown>,
) {
  const known = fieldsOf(operation.input).flatMap(({ name, required, clearable }) => {
    const value = values[name];
    if (isGiven(given[name]) || value === undefined || value === null) return [];
    const text = shownText(value);
    const isChosen = operation.chosen.includes(name);
    // Slack's field would cut a longer value, and send the cut one back.
    const isCut = text.length > limits.input.plainText && !isChosen;
    return text === "" || isCut ? [] : [{ name, required, clearable, text, value: isChosen ? value : text }];
  });
  const left = known.filter(({ required }) => untouched === "left out" && !required);
  return {
    values: Object.fromEntries(known.map(({ name, value }) => [name, value])),
    digests: Object.fromEntries(left.map(({ name, text }) => [name, digestOf(text)])),
    filled: known.filter(({ clearable }) => clearable).map(({ name }) => name),
  };
}

/** A field that showed the stored value and was emptied says what the word `none` says. */
export function withEmptied(
  input: Record<string, unknown>,
  filled: readonly string[] | undefined,
): Record<string, unknown> {
  const emptied = (filled ?? []).filter((name) => !isGiven(input[name]));
  return { ...input, ...Object.fromEntries(emptied.map((name) => [name, "none"])) };
}

/** A form's input without unchanged fields: sending them would undo a colleague's change made meanwhile. */
export function withoutUntouched(
  input: Record<string, unknown>,
  digests: Record<string, string> | undefined,
): Record<string, unknown> {
  const changed = ([name, value]: [string, unknown]) => digests?.[name] !== digestOf(shownText(value));
  return Object.fromEntries(Object.entries(input).filter(changed));
}

function digestOf(text: string): string {
  return hash("sha256", text.trim(), "base64url").slice(0, 12);
}

/** Replaces a typed time with its resolved form, if the operation takes one. For one that is not understood, adds a notice and leaves the picker empty. */
async function withTime(
  input: Record<string, unknown>,
  operation: Operation,
  slackUser: string,
  { notices, ...app }: ScheduleApp & { notices: string[] },
): Promise<Record<string, unknown>> {
  if (!takesSchedule(operation.input)) return input;
  try {
    const when = await scheduledTime(app, input, slackUser);
    if (when === null) return input;
    if (when.said) notices.push(when.said);
    return withResolvedTime(input, when.at);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notices.push(prose(error.message));
    return withoutSchedule(input);
  }
}

async function findTarget(meant: DefaultedInvocation, registry: Registry, notices: string[]) {
  const { bound } = meant;
  const { target: typed } = meant.invocation;
  const kind = bound.operation.target;
  if (!kind || typed === undefined) return null;
  try {
    const found = await resolveWithin(meant, typed, registry);
    if (found.is === "id") return await describeTarget(bound, found.id);
    if (found.is === "several") {
      notices.push(
        `A form is for one ${kind.label}. For several at once, type all that is asked here with the command.`,
      );
      return null;
    }
    const words = prose(typed, 100);
    notices.push(
      found.near
        ? `${nothingFound(found.unread ?? 0)} ${kind.label} called “${words}”: choose one.`
        : `“${words}” means more than one ${kind.label}: choose which one.`,
    );
  } catch (error) {
    if (error instanceof Refusal) notices.push(error.message);
    else if (error instanceof InputError) notices.push(prose(error.message));
    else throw error;
  }
  return null;
}

async function describeTarget(bound: BoundOperation, id: string) {
  const { entries } = await bound.listing();
  const entry = entries.find((one) => one.id === id);
  return { id, name: entry?.name ?? id, detail: entry?.detail ?? "" };
}

interface Matched {
  chosen: Record<string, Choice[]>;
  faults: Record<string, string>;
  counts: Record<string, number>;
  unlisted: Set<string>;
  led: Led | null;
}

const nothingChosen: Matched = { chosen: {}, faults: {}, counts: {}, unlisted: new Set(), led: null };

/**
 * Resolves typed choices, or those of a button, so that the form shows them as chosen. `faulted`: a value of these that is not among the
 * choices is a fault; others came from another choice of the member, and are left out.
 */
async function matchChosen(
  bound: BoundOperation,
  {
    input,
    present,
    faulted,
  }: {
    input: Record<string, unknown>;
    present: { values: Record<string, unknown> };
    faulted: Record<string, unknown>;
  },
  targetId: string | null,
  notices: string[],
): Promise<Matched> {
  const { operation } = bound;
  const matched: Matched = { chosen: {}, faults: {}, counts: {}, unlisted: new Set(), led: null };
  const { leading } = operation;
  let given: Record<string, unknown> = { ...input };

  async function match(field: string): Promise<void> {
    const choices = await bound.choices(field, targetId, given);
    matched.counts[field] = choices.filter(({ closed }) => !closed).length;
    const label = labelOf(operation.input, field);
    if (choices.length === 0 && operation.typed?.includes(field)) {
      matched.unlisted.add(field);
      notices.push(`The platform's list for “${label}” could not be read: type what it is called there.`);
      return;
    }
    if (choices.length === 0 && isNeeded(operation, field)) {
      notices.push(`There is nothing to choose for “${label}” here, so this cannot be sent.`);
    }
    for (const typed of [given[field]].flat()) if (typeof typed === "string") matchTyped(field, typed, choices);
    const [first] = matched.chosen[field] ?? [];
    if (first && !Array.isArray(given[field])) given[field] = first.value;
  }

  /** The choices that a typed text means. A text that fits none may name something new. */
  function meantBy(field: string, typed: string, choices: Choice[]): Choice[] {
    const found = matchingChoices(typed, choices);
    const isNew = found.length === 0 && operation.open?.includes(field) === true;
    return isNew ? [{ value: typed, label: plainly`${typed} (new)` }] : found;
  }

  function matchTyped(field: string, typed: string, choices: Choice[]): void {
    const found = meantBy(field, typed, choices);
    const [only] = found;
    if (only && found.length === 1) {
      const fault = unchoosable(only);
      if (fault !== null) matched.faults[field] = fault;
      else matched.chosen[field] = [...(matched.chosen[field] ?? []), only];
    } else if (field in faulted && !(field in present.values)) {
      const fault = found.length > 1 ? ambiguityMessage(typed, found) : notAmong(typed, choices);
      matched.faults[field] = characters(plainly`${matched.faults[field] ?? ""} ${fault}`).trim();
    }
  }

  if (leading) {
    await match(leading.input);
    const [first] = matched.chosen[leading.input] ?? [];
    matched.led = first ? await ledBy(bound, first.value, given, notices) : null;
    if (!matched.led) return matched;
    given = { ...matched.led.presets, ...given };
  }
  const unasked = matched.led?.unasked ?? [];
  const others = operation.chosen.filter((field) => field !== leading?.input && !unasked.includes(field));
  // One after the other where names are resolved, since a choice may depend on another; the lists of the rest all at once.
  for (const field of others) if (given[field] !== undefined) await match(field);
  await Promise.all(others.filter((field) => given[field] === undefined).map(match));
  return matched;
}

/** Reads the part that follows from the leading value; null, with a notice, if that cannot be had. */
async function ledBy(
  bound: BoundOperation,
  chosen: string,
  given: Record<string, unknown>,
  notices: string[],
): Promise<Led | null> {
  try {
    return await bound.led(chosen, given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notices.push(error.message);
    return null;
  }
}

function notAmong(typed: string, choices: Choice[]): string {
  const some = choices.slice(0, 5).map(({ label }) => clip(oneLine(label), 60));
  const there = some.length > 0 ? plainly`; there is ${listing(some)}` : "";
  return characters(plainly`There is no “${clip(oneLine(typed), 100)}” to choose${there}.`);
}

/** Why a form cannot show a choice as chosen; null if it can. */
function unchoosable(choice: Choice): string | null {
  const { label, closed } = choice;
  if (closed) return characters(plainly`“${label}” is ${closed}: choose another.`);
  if (fitsOption(choice)) return null;
  const most = limits.option.value;
  return characters(
    plainly`“${clip(oneLine(label), 60)}” is too long for a list, which takes ${most} characters. Type the whole command with it.`,
  );
}

function isNeeded(operation: PlatformOperation, field: string): boolean {
  return fieldsOf(operation.input).some(({ name, required }) => name === field && required);
}
