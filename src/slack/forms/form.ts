// slack/forms/: modals made from an operation's input, and the options of search fields.

import { applyChannelDefault } from "../../commands/channel-default.ts";
import { invoke } from "../../commands/invoke.ts";
import { admit } from "../../members/access/access.ts";
import { type BoundOperation, bind } from "../../members/access/bound.ts";
import { disambiguated, searchEntries } from "../../members/access/resolve.ts";
import { peopleChoices } from "../../members/people/typed-people.ts";
import { lateForm } from "../../messages/answers/answers.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import { SlackRefused } from "../../messages/chat/errors.ts";
import type { Origin } from "../../messages/origin.ts";
import { isGiven } from "../../operation/act-input.ts";
import type { Choice } from "../../operation/call-context.ts";
import { Refusal, type WrongInput } from "../../operation/errors.ts";
import { fieldsOf, fillPasswords, generatedAt, generatePassword, peopleFields } from "../../operation/fields.ts";
import { coerce, searchChoices } from "../../operation/input.ts";
import type { AppOperation, Invocation, Operation, PlatformOperation } from "../../operation/operation.ts";
import type { Entry } from "../../operation/target.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { type Clock, sleep } from "../../process/clock.ts";
import { bindOffered } from "../../requests/delegate.ts";
import { rowsBefore } from "../../requests/replacing.ts";
import { fitsOption, type View } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { noFilesTaken } from "../../views/plain.ts";
import { clip, code, oneLine } from "../../views/text.ts";
import { actedBy, type ShownView } from "../payloads.ts";
import type { SlackApp } from "../slack-app.ts";
import { acceptNow, faultsInTime, unreadable } from "./faults.ts";
import { chosenInPeople, filledForm, filledOwnForm, withEmptied, withoutUntouched } from "./fill.ts";
import { formView, noticeView, openingView } from "./form-view.ts";
import { readMeaning, showNewest } from "./meaning.ts";
import {
  type AttachedFile,
  filesIn,
  type PrivateMetadata,
  readFiles,
  readForm,
  readPrivateMetadata,
} from "./submission.ts";

/**
 * Opens a form at once by a trigger; `fill` then reads the missing data and completes it. If Slack refuses the form, notifies the member
 * and resolves with null.
 */
export type OpenForm = (
  app: SlackApp,
  operation: Operation,
  invocation: Invocation,
  origin: Origin,
  trigger: string,
) => Promise<{ fill: () => Promise<void> } | null>;

type SubmittedForm =
  | { faults: readonly WrongInput[] }
  | {
      origin: Origin;
      /** The faults that can be found while the form is open; else null. */
      check: () => Promise<readonly WrongInput[] | null>;
      run: () => Promise<void>;
    };

/** Milliseconds. Leaves time for the answer within Slack's three seconds. */
const suggestLimit = 2_300;

const most = limits.select.options;

/** Opens a form of one page, generated from an operation's input. */
export const openForm: OpenForm = async (app, operation, invocation, origin, trigger) => {
  const { originator, delegation, confirmed, replaces } = invocation;
  const kept = taken({ originator, delegation, confirmed: confirmed ? true : undefined, replaces });
  const pages = operation.api === "app" ? operation.pages?.(invocation.input) : undefined;
  const shown = pages ? { pages: { ...pages, first: [...pages.first], more: [...pages.more] } } : {};
  const filled = { filled: filledByButton(operation, invocation) };
  const metadata: PrivateMetadata = { ...kept, ...shown, ...filled, command: operation.command, origin, target: null };
  if (!app.chat.takesFiles && fieldsOf(operation.input).some(({ kind, required }) => kind === "file" && required))
    throw new Refusal(`${code(operation.command)} needs a file. ${noFilesTaken}`);
  try {
    const first = firstView(operation, invocation, metadata, app.context);
    const view = await app.chat.openView(trigger, first, origin.view);
    const fillIn = () =>
      operation.api === "app"
        ? fillOwn(app, operation, invocation, metadata, view.id)
        : update(app, operation, view.id, () => filledFor(app, operation, invocation, metadata, null));
    return { fill: fillIn };
  } catch (error) {
    if (!(error instanceof SlackRefused)) throw error;
    await app.reply.ephemeral(origin, lateForm(operation, invocation));
    return null;
  }
};

/** Shows, in place of a form that this version cannot read, that it is from an older one; null for a form that it can read. */
export function refuseOld(app: SlackApp, view: ShownView): (() => Promise<void>) | null {
  if (knownForm(app, view)) return null;
  return () => showNewest(app, view, async () => noticeView("An older form", unreadable.message));
}

/** Shows the fields that depend on the target, once it is chosen. */
export async function retarget(app: SlackApp, view: ShownView, target: string): Promise<void> {
  const opened = knownForm(app, view);
  if (!opened || opened.operation.api === "app") return;
  const { operation, metadata } = opened;
  const { typed, ...shown } = metadata;
  const entered = Object.entries(readForm(operation, view.state).input).filter(([, value]) => value !== undefined);
  const input = { ...typed, ...Object.fromEntries(entered) };
  const refused = (error: unknown) => errorView(app, operation, error);
  const invocation = { command: operation.command, target, input };
  await showNewest(app, view, () => filledFor(app, operation, invocation, shown, null).catch(refused), refused);
}

/** Shows the fields and choices that follow from the leading value, once it is chosen. */
export async function follow(app: SlackApp, view: ShownView, field: string, chosen: string): Promise<void> {
  const opened = knownForm(app, view);
  if (!opened || opened.operation.api === "app") return;
  const { operation, metadata } = opened;
  const { leading } = operation;
  if (leading?.input !== field) return;
  const { typed, ...shown } = metadata;
  const { input: entered, stay } = readForm(operation, view.state);
  const given = Object.entries(entered).filter(([, value]) => value !== undefined);
  const input = { ...typed, ...Object.fromEntries(given), [leading.input]: chosen };
  const replaces = shown.replaces && { ...shown.replaces, ...(stay === null ? {} : { stay }) };
  const kept = { ...shown, ...(replaces ? { replaces } : {}) };
  const invocation = { command: operation.command, input };
  // A value that the member chose for another one may not fit this one, and is no fault of theirs.
  const refused = (error: unknown) => errorView(app, operation, error);
  await showNewest(app, view, () => filledFor(app, operation, invocation, kept, typed ?? {}).catch(refused), refused);
}

/** Shows the sentence that the values of an open form mean by now. Slack keeps what is entered, also what was not sent yet. */
export async function refreshMeaning(app: SlackApp, view: ShownView): Promise<void> {
  const opened = knownForm(app, view);
  if (opened?.operation.api !== "app" || !opened.operation.preview) return;
  const { operation, metadata } = opened;
  const { input } = readForm(operation, view.state);
  await showNewest(app, view, async () => {
    const values = withEmptied(input, metadata.filled);
    const meaning = await readMeaning(app, operation, { values, files: filesIn(view.state) }, metadata.origin);
    const notice = noticeOf(operation, app.context);
    const chosen = await chosenInPeople(app.context, operation, input);
    return formView({ operation, metadata, target: null, input, typed: {}, chosen, notice, meaning });
  });
}

/** Shows the fields behind *More conditions*. Slack keeps what is entered. */
export async function showMore(app: SlackApp, view: ShownView): Promise<void> {
  const { pages, ...metadata } = readPrivateMetadata(view) ?? {};
  if (!pages) return;
  const all = { ...metadata, pages: { ...pages, first: [...pages.first, ...pages.more], more: [] } };
  await refreshMeaning(app, { ...view, private_metadata: JSON.stringify(all) });
}

/** Options of a search field; `field` is null for the target. */
export async function suggest(
  app: SlackApp,
  view: Omit<ShownView, "id">,
  field: string | null,
  query: string,
): Promise<Choice[]> {
  const { member } = view.by;
  const opened = knownForm(app, view);
  if (!opened) return [];
  const { operation, metadata } = opened;
  if (operation.api === "app")
    return searchChoices(field === null ? [] : await peopleIn(app, operation, field), query).slice(0, most);
  if (field === null) return suggestTargets(app, operation.command, { member }, query);
  const bound = await bindOffered(app.requests, operation, member, metadata.delegation);
  const { target, input } = readForm(operation, view.state);
  const choices = await bound.choices(field, metadata.target ?? target, { ...metadata.typed, ...input });
  return searchChoices(choices.filter(fitsOption), query).slice(0, most);
}

/** The words that a field of people takes, and everybody who can be named. */
async function peopleIn({ context }: SlackApp, { input }: AppOperation, name: string): Promise<Choice[]> {
  const field = fieldsOf(input).find((one) => one.name === name);
  const words = field?.options.map((value) => ({ value, label: field.labels[value] ?? value })) ?? [];
  return [...words, ...(await peopleChoices(context, field?.kind === "group"))];
}

/** Targets of a command, for a search field in a message; none if it has no targets. */
export async function suggestTargets(
  app: SlackApp,
  command: string,
  { member }: Pick<Origin, "member">,
  query: string,
): Promise<Choice[]> {
  const operation = app.registry.find(command);
  if (!operation || operation.api === "app" || !operation.target) return [];
  const bound = await bind(app, operation, member);
  return disambiguated(searchEntries(await entriesInTime(bound, app.clock), query).slice(0, most)).map(choiceOf);
}

/** Slack waits three seconds for options: of a large name index it gets the part that is there in time. */
async function entriesInTime(bound: BoundOperation, clock: Clock): Promise<Entry[]> {
  const all = bound.listing().then(({ entries }) => entries);
  const soon = sleep(clock, suggestLimit).then(() => bound.known().entries);
  return Promise.race([all, soon]);
}

/** The faults of a form, or the checks and the run of a valid one. */
export function submitForm(app: SlackApp, view: ShownView): SubmittedForm {
  const opened = knownForm(app, view);
  if (!opened) return { faults: [unreadable] };
  const { operation, metadata } = opened;
  const submitted = readForm(operation, view.state);
  const given = withoutUntouched(withEmptied(submitted.input, metadata.filled), metadata.untouched);
  const { values, generated } = withGenerated(fillPasswords(operation.input, given), submitted.generate);
  const target = submitted.target ?? metadata.target;
  const accepted = acceptNow(operation, values, app.clock.now());
  if ("error" in accepted) return { faults: accepted.error.fields };
  const chosen = submitted.label === null ? {} : { chosenLabel: submitted.label };
  const about = target ? { target, ...chosen } : {};
  const { stay } = submitted;
  const replaces = metadata.replaces && { ...metadata.replaces, ...(stay === null ? {} : { stay }) };
  const invocation = {
    ...taken(metadata),
    ...about,
    ...(replaces ? { replaces } : {}),
    command: operation.command,
    input: values,
  };
  return {
    origin: metadata.origin,
    check: () => faultsInTime(app, operation, { ...metadata, input: accepted.input }),
    run: () => invokeWithFiles(app, invocation, generated, { origin: metadata.origin, files: filesIn(view.state) }),
  };
}

/** Fills in current values. Without any the first view was complete already. */
async function fillOwn(
  app: SlackApp,
  operation: AppOperation<AppContext>,
  invocation: Invocation,
  metadata: PrivateMetadata,
  viewId: string,
): Promise<void> {
  if (isComplete(operation)) return;
  await update(app, operation, viewId, () =>
    filledOwnForm(operation, invocation, { metadata, notice: noticeOf(operation, app.context), app }),
  );
}

/** `typed`: the values that the member typed, if the others were chosen for another leading value. */
async function filledFor(
  app: SlackApp,
  operation: PlatformOperation,
  invocation: Invocation,
  metadata: PrivateMetadata,
  typed: Record<string, unknown> | null,
): Promise<View> {
  const { origin, replaces, delegation } = metadata;
  await admit(app, origin.slackUser);
  const bound = await bindOffered(app.requests, operation, origin.member, delegation);
  const rows = replaces ? await rowsBefore(app.requests, operation, replaces, origin) : [];
  const meant = await applyChannelDefault(app, bound, invocation, origin);
  // Nobody typed the values with which the form of one more thing begins.
  return filledForm(meant, app.context, metadata, { rows, typed: replaces?.adds ? {} : typed });
}

/** Shows the view in the open form, or the error that kept it from being read. */
async function update(app: SlackApp, operation: Operation, viewId: string, read: () => Promise<View>): Promise<void> {
  const { chat, log } = app;
  try {
    await chat.updateView(viewId, await read());
  } catch (error) {
    await chat.updateView(viewId, errorView(app, operation, error)).catch((second: unknown) => {
      // If the member has closed the form, there is nobody to notify.
      if (second instanceof SlackRefused && second.reason === "not_found") return;
      log.warn({ err: second }, "A form could not be updated");
    });
  }
}

function errorView({ clock }: Pick<SlackApp, "clock">, { phrase }: Operation, error: unknown): View {
  return noticeView(phrase, errorText(error, clock.now()).text);
}

/** Runs the form's invocation after downloading its files from Slack. */
async function invokeWithFiles(
  app: SlackApp,
  invocation: Invocation,
  generated: string[],
  { origin, files }: { origin: Origin; files: AttachedFile[] },
): Promise<void> {
  try {
    const input = { ...invocation.input, ...(await readFiles(app.chat, files)) };
    await invoke(app, { ...invocation, input }, origin, generated);
  } catch (error) {
    const { text } = errorText(error, app.clock.now());
    await app.reply.say(origin, text);
  }
}

/** The operation and the metadata of an open form; null if this version does not know them. */
function knownForm(
  { registry }: SlackApp,
  view: Pick<ShownView, "private_metadata" | "by">,
): { operation: Operation; metadata: PrivateMetadata } | null {
  const metadata = readPrivateMetadata(view);
  const operation = metadata && registry.find(metadata.command);
  return metadata && operation ? { operation, metadata: actedBy(metadata, view.by) } : null;
}

/** The same with the passwords that are parts of an input. */
function withGenerated(
  { values, generated }: ReturnType<typeof fillPasswords>,
  more: ReturnType<typeof readForm>["generate"],
): ReturnType<typeof fillPasswords> {
  const filled = { ...values };
  for (const { input, name } of more) {
    const others = filled[input];
    filled[input] = { ...(typeof others === "object" ? others : {}), [name]: generatePassword() };
  }
  return { values: filled, generated: [...generated, ...more.map(({ input, name }) => generatedAt(input, name))] };
}

/** An open form carries the first requester, if a colleague took the request over; the member's `force=yes`; and the request before it. */
function taken({
  originator,
  delegation,
  confirmed,
  replaces,
}: Pick<PrivateMetadata, "originator" | "delegation" | "confirmed" | "replaces">) {
  return {
    ...(originator === undefined ? {} : { originator }),
    ...(delegation === undefined ? {} : { delegation }),
    ...(confirmed ? { confirmed: true as const } : {}),
    ...(replaces ? { replaces } : {}),
  };
}

/** The clearable fields in which a button of Rackbell's own settings shows the stored value. Nobody typed it, as for a correction. */
function filledByButton({ api, input }: Operation, { form, input: given }: Invocation): string[] {
  if (api !== "app" || !form) return [];
  return fieldsOf(input).flatMap(({ name, clearable }) => (clearable && isGiven(given[name]) ? [name] : []));
}

/** The first view, complete at once if there is no data to read. */
function firstView(
  operation: Operation<AppContext>,
  invocation: Invocation,
  metadata: PrivateMetadata,
  context: AppContext,
) {
  if (operation.api !== "app" || !isComplete(operation)) return openingView(operation, metadata, invocation.input);
  const { input: typed, faults = {} } = invocation;
  const input = coerce(operation.input, typed);
  return formView({
    operation,
    metadata,
    target: null,
    input,
    typed,
    chosen: {},
    notice: noticeOf(operation, context),
    faults,
  });
}

/** True if no data is read for its form. */
function isComplete({ present, preview, input }: AppOperation<AppContext>): boolean {
  return !present && !preview && peopleFields(input).length === 0;
}

function noticeOf(operation: AppOperation<AppContext>, context: AppContext): string {
  return [operation.summary, operation.about?.(context)].filter((line) => line).join("\n");
}

function choiceOf({ id, name, detail }: Entry): Choice {
  return { value: id, label: clip(oneLine(name), limits.option.text), description: detail };
}
