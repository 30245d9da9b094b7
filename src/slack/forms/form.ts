// slack/forms/: modals made from an operation's input, forms in pages, and the options of search fields.
// May import: slack/, engine/, engine/*, operation/, views/, chat/, identities/, platform/, platform/*, storage/, the clock.

import type { Logger } from "pino";
import type { Chat } from "../../chat/chat.ts";
import { SlackRefused } from "../../chat/errors.ts";
import { type Clock, sleep } from "../../clock.ts";
import { lateForm } from "../../engine/answers/answers.ts";
import { errorText } from "../../engine/answers/error-text.ts";
import type { Origin } from "../../engine/answers/origin.ts";
import type { Reply } from "../../engine/answers/reply.ts";
import type { AppContext } from "../../engine/app-context.ts";
import type { Binder, BoundOperation } from "../../engine/bound.ts";
import type { Invoke } from "../../engine/invoke.ts";
import { createNarrowing } from "../../engine/narrowing.ts";
import { searchEntries, toldApart } from "../../engine/resolve.ts";
import type { Choice } from "../../operation/asking.ts";
import type { Invocation, Operation, PlatformOperation } from "../../operation/operation.ts";
import { fillPasswords } from "../../operation/passwords.ts";
import type { Entry } from "../../operation/target.ts";
import { section } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { clip, oneLine } from "../../views/text.ts";
import { acceptNow, errorsOf, faultsInTime } from "./faults.ts";
import { readFiles } from "./files.ts";
import { filledForm } from "./fill.ts";
import { formView, noticeView, openingView, type PrivateMetadata, readForm, readPrivateMetadata } from "./form-view.ts";
import { type Attached, filesIn } from "./wizard-view.ts";

interface Deps {
  context: AppContext;
  binder: Binder;
  invoke: Invoke;
  chat: Chat;
  reply: Reply;
  clock: Clock;
  log: Logger;
}

/** A kind of form that can be opened with a trigger. */
export interface FormOpener {
  /** Opens the form of an operation at once; what it must read first fills in when it is there. Null when Slack did not let it open; the member is then told. */
  open(
    operation: Operation,
    invocation: Invocation,
    origin: Origin,
    trigger: string,
  ): Promise<{ fill: () => Promise<void> } | null>;
}

/** A view as Slack sends it back. */
export interface ShownView {
  id: string;
  hash?: string | undefined;
  private_metadata: string;
  state: unknown;
}

export interface Forms extends FormOpener {
  /** The target was chosen in an open form: the fields that depend on it appear. */
  retarget(view: ShownView, target: string): Promise<void>;
  /** Options for a search field; `field` is null for the target. */
  suggest(
    view: Omit<ShownView, "id">,
    origin: Pick<Origin, "member">,
    field: string | null,
    query: string,
  ): Promise<Choice[]>;
  /** What a command can be said of, for a search in a message; none where it has no targets. */
  suggestTargets(command: string, origin: Pick<Origin, "member">, query: string): Promise<Choice[]>;
  /** What Slack shows under the fields, or the run to start once it is acknowledged. */
  submit(view: ShownView):
    | { errors: Record<string, string> }
    | {
        origin: Origin;
        /** What is wrong with which field, as far as that can be told while the form is open. */
        check: () => Promise<Record<string, string> | null>;
        run: () => Promise<void>;
      };
}

/** Milliseconds; leaves time for the way back within Slack's three seconds. */
const suggestLimit = 2_300;

/** Forms of one page, made from an operation's input alone. */
export function createForms(deps: Deps): Forms {
  const { context, binder, chat, reply, clock, log } = deps;
  const { registry, access } = context;
  const narrow = createNarrowing(context.channelDefaults);

  async function open(operation: Operation, invocation: Invocation, origin: Origin, trigger: string) {
    const metadata = { ...taken(invocation), command: operation.command, origin, target: null };
    try {
      const view = await chat.openView(trigger, firstView(operation, invocation, metadata, context), origin.view);
      const fillIn = () => (operation.api === "app" ? nothing() : fill(operation, invocation, metadata, view.id));
      return { fill: fillIn };
    } catch (error) {
      if (!(error instanceof SlackRefused)) throw error;
      await reply.ephemeral(origin, lateForm(operation, invocation));
      return null;
    }
  }

  async function fill(
    operation: PlatformOperation,
    invocation: Invocation,
    metadata: PrivateMetadata,
    viewId: string,
  ): Promise<void> {
    try {
      await access.admit(metadata.origin.slackUser);
      const bound = await binder.bind(operation, metadata.origin.member);
      const meant = await narrow(bound, invocation, metadata.origin);
      await chat.updateView(viewId, await filledForm(meant, context, metadata));
    } catch (error) {
      const { text } = errorText(error, clock.now());
      await chat.updateView(viewId, noticeView(operation.verb, text)).catch((second: unknown) => closed(second));
    }
  }

  // The member may have closed the form meanwhile; then there is nobody to tell.
  function closed(error: unknown): void {
    if (error instanceof SlackRefused && error.reason === "not_found") return;
    log.warn({ err: error }, "A form could not be updated");
  }

  /** Slack waits three seconds for options: what has come of a large directory by then must do. */
  async function entriesInTime(bound: BoundOperation): Promise<Entry[]> {
    const all = bound.listing().then(({ entries }) => entries);
    const soon = sleep(clock, suggestLimit).then(() => bound.known().entries);
    return Promise.race([all, soon]);
  }

  async function suggestTargets(command: string, { member }: Pick<Origin, "member">, query: string) {
    const operation = registry.find(command);
    if (!operation || operation.api === "app" || !operation.target) return [];
    const bound = await binder.bind(operation, member);
    return toldApart(searchEntries(await entriesInTime(bound), query).slice(0, most)).map(choiceOf);
  }

  return {
    open,
    suggestTargets,
    async retarget(view, target) {
      const known = knownForm(registry, view);
      if (!known || known.operation.api === "app") return;
      const { operation, metadata } = known;
      const { input } = readForm(operation, view.state);
      await fill(operation, { command: operation.command, target, input }, metadata, view.id);
    },
    async suggest(view, { member }, field, query) {
      const known = knownForm(registry, view);
      if (!known || known.operation.api === "app") return [];
      const { operation, metadata } = known;
      if (field === null) return suggestTargets(operation.command, { member }, query);
      const bound = await binder.bind(operation, member);
      const targetId = metadata.target ?? readForm(operation, view.state).target;
      const wanted = query.trim().toLowerCase();
      const choices = await bound.choices(field, targetId);
      return choices
        .filter(({ label, description }) => `${label} ${description ?? ""}`.toLowerCase().includes(wanted))
        .slice(0, most);
    },
    submit(view) {
      const known = knownForm(registry, view);
      if (!known)
        return { errors: { target: "This form is from an older version of Rackbell. Close it and ask again." } };
      const { operation, metadata } = known;
      const submitted = readForm(operation, view.state);
      const { values, generated } = fillPasswords(operation.input, submitted.input);
      const target = submitted.target ?? metadata.target;
      const accepted = acceptNow(operation, values, clock.now());
      if ("error" in accepted) return { errors: errorsOf(operation, accepted.error) };
      const about = target ? { target } : {};
      const invocation = { ...taken(metadata), ...about, command: operation.command, input: values };
      return {
        origin: metadata.origin,
        check: () => faultsInTime({ context, clock }, operation, { origin: metadata.origin, input: accepted.input }),
        run: () =>
          invokeWithFiles(deps, invocation, generated, { origin: metadata.origin, files: filesIn(view.state) }),
      };
    },
  };
}

const most = limits.select.options;

/** Invokes what a form says, with the files that Slack still has. */
async function invokeWithFiles(
  { chat, reply, clock, invoke }: Deps,
  invocation: Invocation,
  generated: string[],
  { origin, files }: { origin: Origin; files: Attached[] },
): Promise<void> {
  try {
    const input = { ...invocation.input, ...(await readFiles(chat, files)) };
    await invoke({ ...invocation, input }, origin, generated);
  } catch (error) {
    const { text } = errorText(error, clock.now());
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  }
}

/** The operation and the memory of an open form; null where this version no longer knows it. */
function knownForm(
  registry: AppContext["registry"],
  view: { private_metadata: string },
): { operation: Operation; metadata: PrivateMetadata } | null {
  const metadata = readPrivateMetadata(view.private_metadata);
  const operation = metadata && registry.find(metadata.command);
  return metadata && operation ? { operation, metadata } : null;
}

/** From whom it is taken over, if it is. */
function taken({ originator }: { originator?: string | undefined }): { originator?: string } {
  return originator === undefined ? {} : { originator };
}

async function nothing(): Promise<void> {}

/** Where there is nothing to read, the form is whole from the start. */
function firstView(
  operation: Operation<AppContext>,
  invocation: Invocation,
  metadata: PrivateMetadata,
  context: AppContext,
) {
  if (operation.api !== "app") return openingView(operation, metadata);
  const { input, faults = {} } = invocation;
  const notice = [operation.summary, operation.about(context)].filter((line) => line !== null).join("\n");
  return formView({ operation, metadata, target: null, input, chosen: {}, notice, faults });
}

function choiceOf({ id, name, detail }: Entry): Choice {
  return { value: id, label: clip(oneLine(name), limits.option.text), description: detail };
}
