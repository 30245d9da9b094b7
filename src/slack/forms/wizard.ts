import type { Logger } from "pino";
import { type Chat, SlackRefused } from "../../chat/chat.ts";
import type { Clock } from "../../clock.ts";
import { type Access, requireScope, type Session } from "../../engine/access.ts";
import { lateForm } from "../../engine/answers/answers.ts";
import { errorText } from "../../engine/answers/error-text.ts";
import type { Origin } from "../../engine/answers/origin.ts";
import type { Reply } from "../../engine/answers/reply.ts";
import type { Directory } from "../../engine/directory.ts";
import type { Engine } from "../../engine/invoke.ts";
import type { Drafts, Owner } from "../../engine/records/drafts.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Choice, Invocation, Json, Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import type { FormValues, Pressed, Wizard, WizardCall } from "../../operation/wizard.ts";
import type { View } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { code } from "../../views/text.ts";
import { noticeView } from "./form-view.ts";
import {
  type Attached,
  filesIn,
  formValuesOf,
  readWizardMetadata,
  resumeVerb,
  type WizardMetadata,
  waitingView,
  wizardView,
} from "./wizard-view.ts";

interface Deps {
  registry: Registry;
  access: Access;
  directory: Directory;
  drafts: Drafts;
  engine: Engine;
  chat: Chat;
  reply: Reply;
  clock: Clock;
  log: Logger;
}

interface Shown {
  id: string;
  private_metadata: string;
  state: unknown;
}

type Submitted = { errors: Record<string, string> } | { next: View | null; run: () => Promise<void> };

/** Forms in wizard: each page is acknowledged with a waiting one, which is replaced once its answer is there. */
export interface WizardForms {
  /** Opens at once; what must be read first fills in. Null when Slack did not let it open. */
  open(
    operation: Operation,
    invocation: Invocation,
    origin: Origin,
    trigger: string,
  ): Promise<{ fill: () => Promise<void> } | null>;
  submit(view: Shown): Submitted;
  /** A button within a page. */
  press(view: Shown, verb: string, value: string): Promise<void>;
  suggest(view: Shown, member: string, field: string, query: string): Promise<Choice[]>;
}

/** A file of more than this is no user data (spec section 2.8: 65,536 characters of up to four bytes). */
const mostBytes = 4 * 65_536;

const notTaken: Record<string, string> = {
  file_too_large: "it is larger than what may be sent with an order (65,536 characters).",
  not_text: "it is not plain text.",
};

const gone =
  "What was filled in here is no longer kept: an hour has passed, or it was another member's. Nothing was done. Type the command again.";
const outdated = "This form is from an older version of Rackbell. Nothing was done. Type the command again.";

export function createWizardForms(deps: Deps): WizardForms {
  const { registry, access, directory, drafts, engine, chat, reply, clock, log } = deps;

  interface Open {
    operation: Operation;
    wizard: Wizard;
    metadata: WizardMetadata;
    viewId: string;
  }

  function known(view: Shown): Open | null {
    const metadata = readWizardMetadata(view.private_metadata);
    const operation = metadata && registry.find(metadata.command);
    return metadata && operation?.wizard ? { operation, wizard: operation.wizard, metadata, viewId: view.id } : null;
  }

  async function sessionOf({ operation, metadata }: Pick<Open, "operation" | "metadata">): Promise<Session> {
    await access.admit(metadata.origin.slackUser);
    const session = await access.session(metadata.origin.member);
    requireScope(operation, session.actor);
    return session;
  }

  function pageCall({ client, actor }: Session): WizardCall {
    return { client, actor, listing: (kind) => directory.listing(actor.member, client, kind) };
  }

  function ownerOf({ operation, metadata }: Pick<Open, "operation" | "metadata">): Owner {
    return { member: metadata.origin.member, command: operation.command };
  }

  async function show(open: Open, view: View): Promise<void> {
    try {
      await chat.updateView(open.viewId, view);
    } catch (error) {
      // The member may have closed the form meanwhile; then there is nobody to tell.
      if (!(error instanceof SlackRefused && error.reason === "not_found")) throw error;
    }
  }

  async function render(
    open: Open,
    call: WizardCall,
    draft: Json,
    notice: string | null,
    earlier: { id: string; at: number } | null = null,
  ): Promise<void> {
    const page = await open.wizard.view(call, open.metadata.page, draft);
    await show(open, wizardView(open.operation, open.metadata, page, { notice, earlier }));
  }

  /** Goes on with what was filled in before, at the page where it was left. */
  async function resume(open: Open, id: string): Promise<void> {
    const call = pageCall(await sessionOf(open));
    const kept = await drafts.read(id, ownerOf(open));
    if (kept === null) throw new Refusal(gone);
    await render({ ...open, metadata: { ...open.metadata, draft: id, page: kept.page } }, call, kept.draft, null);
  }

  /** Runs what a page needs; whatever goes wrong is told in the modal, where the member looks. */
  async function inModal(open: Open, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, command: open.operation.command }, "A page was answered with a sentence");
      const { text } = errorText(error, clock.now());
      await show(open, noticeView(open.operation.verb, text));
    }
  }

  async function turn(open: Open, values: FormValues, pressed: Pressed | null, files: Attached[]): Promise<void> {
    const { operation, wizard, metadata } = open;
    const owner = ownerOf(open);
    const call = pageCall(await sessionOf(open));
    const before = await drafts.read(metadata.draft, owner);
    if (before === null) throw new Refusal(gone);
    const { page } = metadata;
    let draft = wizard.keep(page, before.draft, values);
    await drafts.save(metadata.draft, owner, { page, draft });
    try {
      if (files.length > 0) {
        draft = wizard.keep(page, draft, { ...values, ...(await contents(files)) });
        await drafts.save(metadata.draft, owner, { page, draft });
      }
      const next = await wizard.next(call, page, draft, pressed);
      await drafts.save(metadata.draft, owner, next);
      const after = { ...open, metadata: { ...metadata, page: next.page } };
      await render(after, call, next.draft, next.notice ?? null);
    } catch (error) {
      // What was filled in stays: the same page again, with what is wrong above it.
      log.warn({ err: error, command: operation.command }, "A page was answered with a sentence");
      await render(open, call, draft, `:warning: ${errorText(error, clock.now()).text}`);
    }
  }

  async function end(open: Open, values: FormValues): Promise<void> {
    const { operation, wizard, metadata } = open;
    await engine.guard(metadata.origin, async () => {
      const before = await drafts.read(metadata.draft, ownerOf(open));
      if (before === null) throw new Refusal(gone);
      const whole = wizard.keep(metadata.page, before.draft, values);
      // It stays for its hour: what is refused can be put right without filling it in again.
      await drafts.save(metadata.draft, ownerOf(open), { page: metadata.page, draft: whole });
      await engine.invoke({ command: operation.command, input: wizard.input(whole) }, metadata.origin);
    });
  }

  async function contents(files: Attached[]): Promise<FormValues> {
    const found: FormValues = {};
    for (const { field, id, name } of files) {
      try {
        found[field] = { name, content: await chat.download(id, mostBytes) };
      } catch (error) {
        if (!(error instanceof SlackRefused)) throw error;
        const why = notTaken[error.reason] ?? "Slack did not hand it over.";
        throw new Refusal(`The file ${code(name)} was not taken: ${why} Take it out or choose another.`);
      }
    }
    return found;
  }

  return {
    async open(operation, invocation, origin, trigger) {
      const metadata: WizardMetadata = { command: operation.command, origin, draft: "", page: "" };
      try {
        const view = await chat.openView(trigger, waitingView(operation, metadata, operation.summary));
        return { fill: () => fill(operation, metadata, view.id, invocation.input) };
      } catch (error) {
        if (!(error instanceof SlackRefused)) throw error;
        await reply.ephemeral(origin, lateForm(operation, invocation));
        return null;
      }
    },
    submit(view) {
      const open = known(view);
      const values = formValuesOf(view.state);
      if (!open) return { next: noticeView("Out of date", outdated), run: async () => {} };
      const { operation, wizard, metadata } = open;
      const errors = wizard.check(metadata.page, values);
      if (Object.keys(errors).length > 0) return { errors };
      if (wizard.ends(metadata.page)) return { next: null, run: () => end(open, values) };
      return {
        next: waitingView(operation, metadata, "One moment…"),
        run: () => inModal(open, () => turn(open, values, null, filesIn(view.state))),
      };
    },
    async press(view, verb, value) {
      const open = known(view);
      if (!open) return;
      if (verb === resumeVerb) return inModal(open, () => resume(open, value));
      await inModal(open, () => turn(open, formValuesOf(view.state), { verb, value }, filesIn(view.state)));
    },
    async suggest(view, member, field, query) {
      const open = known(view);
      if (!open || open.metadata.origin.member !== member) return [];
      const kept = await drafts.read(open.metadata.draft, ownerOf(open));
      if (kept === null) return [];
      const call = pageCall(await access.session(member));
      const choices = await open.wizard.suggest(call, open.metadata.page, kept.draft, field, query);
      return choices.slice(0, limits.select.options);
    },
  };

  async function fill(
    operation: Operation,
    metadata: WizardMetadata,
    viewId: string,
    input: Record<string, unknown>,
  ): Promise<void> {
    const { wizard } = operation;
    if (!wizard) return;
    const open: Open = { operation, wizard, metadata, viewId };
    await inModal(open, async () => {
      const call = pageCall(await sessionOf(open));
      const owner = ownerOf(open);
      const earlier = await drafts.latest(owner);
      const first = await wizard.begin(call, input);
      const draft = await drafts.open(owner, first);
      const begun = { ...open, metadata: { ...metadata, draft, page: first.page } };
      await render(begun, call, first.draft, first.notice ?? null, earlier);
    });
  }
}
