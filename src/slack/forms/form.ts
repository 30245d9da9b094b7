import type { Logger } from "pino";
import { type Chat, SlackRefused } from "../../chat/chat.ts";
import { type Clock, sleep } from "../../clock.ts";
import { type Access, requireScope, type Session } from "../../engine/access.ts";
import { lateForm } from "../../engine/answers/answers.ts";
import { errorText } from "../../engine/answers/error-text.ts";
import type { Origin } from "../../engine/answers/origin.ts";
import type { Reply } from "../../engine/answers/reply.ts";
import type { Directory } from "../../engine/directory.ts";
import type { Engine } from "../../engine/invoke.ts";
import { resolveTarget, searchEntries } from "../../engine/resolve.ts";
import { InputError } from "../../operation/errors.ts";
import { fieldsOf, labelOf } from "../../operation/fields.ts";
import type { Choice, ChoiceCall, Entry, Invocation, Listed, Operation } from "../../operation/operation.ts";
import { fillPasswords } from "../../operation/passwords.ts";
import type { Registry } from "../../operation/registry.ts";
import { limits } from "../../views/limits.ts";
import { clip, listing, oneLine, prose } from "../../views/text.ts";
import { formView, noticeView, openingView, type PrivateMetadata, readForm, readPrivateMetadata } from "./form-view.ts";

interface Deps {
  registry: Registry;
  access: Access;
  directory: Directory;
  engine: Engine;
  chat: Chat;
  reply: Reply;
  clock: Clock;
  log: Logger;
}

export interface Forms {
  /** Opens the form of an operation at once; what it must read first fills in when it is there. Resolves when it is open. */
  open(
    operation: Operation,
    invocation: Invocation,
    origin: Origin,
    trigger: string,
  ): Promise<{ fill: () => Promise<void> } | null>;
  /** The target was chosen in an open form: the fields that depend on it appear. */
  retarget(view: { id: string; private_metadata: string; state: unknown }, target: string): Promise<void>;
  /** Options for a search field. */
  suggest(
    view: { private_metadata: string; state: unknown },
    origin: Pick<Origin, "member">,
    field: string | null,
    query: string,
  ): Promise<Choice[]>;
  /** What Slack shows under the fields, or the run to start once it is acknowledged. */
  submit(view: {
    id: string;
    private_metadata: string;
    state: unknown;
  }): { errors: Record<string, string> } | { run: () => Promise<void> };
}

/** Milliseconds; leaves time for the way back within Slack's three seconds. */
const suggestLimit = 2_300;

export function createForms(deps: Deps): Forms {
  const { registry, access, directory, engine, chat, reply, clock, log } = deps;

  function choiceCall(session: Session, targetId: string | null): ChoiceCall {
    const { client, actor } = session;
    return { client, actor, targetId, listing: (kind) => directory.listing(actor.member, client, kind) };
  }

  async function open(operation: Operation, invocation: Invocation, origin: Origin, trigger: string) {
    const metadata: PrivateMetadata = { command: operation.command, origin, target: null };
    // Nothing to read: the form is whole from the start.
    const simple = operation.api === "app";
    const first = simple
      ? formView({
          operation,
          metadata,
          target: null,
          input: invocation.input,
          chosen: {},
          notice: operation.summary,
          faults: invocation.faults ?? {},
        })
      : openingView(operation, metadata);
    try {
      const view = await chat.openView(trigger, first);
      return { fill: simple ? async () => {} : () => fill(operation, invocation, metadata, view.id) };
    } catch (error) {
      if (!(error instanceof SlackRefused)) throw error;
      await reply.ephemeral(origin, lateForm(operation, invocation));
      return null;
    }
  }

  async function fill(
    operation: Operation,
    invocation: Invocation,
    metadata: PrivateMetadata,
    viewId: string,
  ): Promise<void> {
    try {
      await access.admit(metadata.origin.slackUser);
      const session = await access.session(metadata.origin.member);
      requireScope(operation, session.actor);
      await chat.updateView(viewId, await filled(operation, invocation, metadata, session));
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

  async function filled(operation: Operation, invocation: Invocation, metadata: PrivateMetadata, session: Session) {
    const notices: string[] = [];
    let target: { label: string; detail: string } | null = null;
    let targetId: string | null = null;
    if (operation.target && invocation.target !== undefined) {
      const found = await resolveOrAsk(operation, invocation.target, session, notices);
      targetId = found?.id ?? null;
      target = found && { label: found.name, detail: prose(found.detail, 200) };
    }
    const chosen =
      targetId !== null || !operation.target
        ? await matchedChoices(operation, invocation, session, targetId, notices)
        : {};
    const { input, faults = {} } = invocation;
    const state = { operation, metadata: { ...metadata, target: targetId }, target, input, chosen, faults };
    return formView({ ...state, notice: notices.length > 0 ? notices.join(" ") : null });
  }

  async function resolveOrAsk(operation: Operation, typed: string, session: Session, notices: string[]) {
    if (!operation.target) return null;
    try {
      const found = await resolveTarget(directory, session, operation.target, typed);
      if (found.is === "id") return await named(operation, found.id, session);
      notices.push(`“${prose(typed, 100)}” means more than one ${operation.target.label}: choose which one.`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      notices.push(prose(error.message));
    }
    return null;
  }

  async function named(operation: Operation, id: string, session: Session) {
    if (!operation.target) return null;
    const { entries } = await directory.listing(session.actor.member, session.client, operation.target);
    const entry = entries.find((one) => one.id === id);
    return { id, name: entry?.name ?? id, detail: entry?.detail ?? "" };
  }

  /** Choices that were typed or carried by a button, so that the form shows them as chosen. */
  async function matchedChoices(
    operation: Operation,
    invocation: Invocation,
    session: Session,
    targetId: string | null,
    notices: string[],
  ) {
    const chosen: Record<string, Choice> = {};
    for (const field of operation.chosen) {
      const typed = invocation.input[field];
      const choices = await operation.choices(field, choiceCall(session, targetId));
      if (choices.length === 0 && isNeeded(operation, field)) {
        notices.push(
          `There is nothing to choose for “${labelOf(operation.input, field)}” here, so this cannot be sent.`,
        );
      }
      if (typeof typed !== "string") continue;
      const found = choices.filter(
        ({ value, label }) => value === typed || label.toLowerCase() === typed.toLowerCase(),
      );
      const [only] = found;
      if (only && found.length === 1) chosen[field] = only;
      else
        notices.push(
          `There is no “${prose(typed, 100)}” to choose; there is ${listing(choices.slice(0, 5).map(({ label }) => prose(label, 60)))}.`,
        );
    }
    return chosen;
  }

  /** Slack waits three seconds for options: what has come of a large directory by then must do. */
  async function entriesInTime(member: string, session: Session, kind: Listed): Promise<Entry[]> {
    const all = directory.listing(member, session.client, kind).then(({ entries }) => entries);
    const soon = sleep(clock, suggestLimit).then(() => directory.known(member, kind));
    return Promise.race([all, soon]);
  }

  function knownForm(view: { private_metadata: string }): { operation: Operation; metadata: PrivateMetadata } | null {
    const metadata = readPrivateMetadata(view.private_metadata);
    const operation = metadata && registry.find(metadata.command);
    return metadata && operation ? { operation, metadata } : null;
  }

  return {
    open,
    async retarget(view, target) {
      const known = knownForm(view);
      if (!known) return;
      const { operation, metadata } = known;
      const { input } = readForm(operation, view.state);
      await fill(operation, { command: operation.command, target, input }, metadata, view.id);
    },
    async suggest(view, { member }, field, query) {
      const known = knownForm(view);
      if (!known) return [];
      const { operation, metadata } = known;
      const session = await access.session(member);
      if (field === null) {
        if (!operation.target) return [];
        const entries = await entriesInTime(member, session, operation.target);
        return searchEntries(entries, query)
          .slice(0, limits.select.options)
          .map(({ id, name, detail }) => ({
            value: id,
            label: clip(oneLine(name), limits.option.text),
            description: detail,
          }));
      }
      const targetId = metadata.target ?? readForm(operation, view.state).target;
      const wanted = query.trim().toLowerCase();
      const choices = await operation.choices(field, choiceCall(session, targetId));
      return choices
        .filter(({ label, description }) => `${label} ${description ?? ""}`.toLowerCase().includes(wanted))
        .slice(0, limits.select.options);
    },
    submit(view) {
      const known = knownForm(view);
      if (!known)
        return { errors: { target: "This form is from an older version of Rackbell. Close it and ask again." } };
      const { operation, metadata } = known;
      const said = readForm(operation, view.state);
      const { values, generated } = fillPasswords(operation.input, said.input);
      const target = said.target ?? metadata.target;
      const fault = operation.check(values);
      if (fault) return { errors: errorsOf(operation, fault) };
      const invocation: Invocation = { command: operation.command, input: values, ...(target ? { target } : {}) };
      return { run: () => engine.invoke(invocation, metadata.origin, generated) };
    },
  };
}

function isNeeded(operation: Operation, field: string): boolean {
  return fieldsOf(operation.input).some(({ name, required }) => name === field && required);
}

function errorsOf(operation: Operation, fault: InputError): Record<string, string> {
  const known = Object.keys(operation.input.shape);
  const first = known[0] ?? "target";
  return Object.fromEntries(
    fault.fields.map(({ field, message }) => {
      const words = message.replace(/^[^:]{1,60}: /, "");
      return [known.includes(field) ? field : first, `${words.charAt(0).toUpperCase()}${words.slice(1)}`];
    }),
  );
}
