import { SlackRefused } from "../../chat/errors.ts";
import { guard } from "../../engine/guard.ts";
import { invoke } from "../../engine/invoke.ts";
import { formFor, lateForm } from "../../notifications/answers/answers.ts";
import type { Origin } from "../../notifications/origin.ts";
import type { Choice } from "../../operation/call-context.ts";
import type { Invocation, PlatformOperation } from "../../operation/operation.ts";
import { chosenVerb } from "../../operation/wizard.ts";
import { noteLastCommand } from "../../records/last-commands.ts";
import type { View } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { code } from "../../views/text.ts";
import { actedBy, type ShownView } from "../payloads.ts";
import type { SlackApp } from "../slack-app.ts";
import type { OpenForm } from "./form.ts";
import { noticeView } from "./form-view.ts";
import {
  beginWizard,
  finishWizard,
  firstPage,
  resumeWizard,
  showFirstPage,
  suggestOnPage,
  turnPage,
} from "./wizard-pages.ts";
import {
  filesIn,
  formValuesOf,
  type OpenWizard,
  readWizardMetadata,
  resumeVerb,
  type WizardMetadata,
  waitingView,
} from "./wizard-view.ts";

type SubmittedWizard =
  | { errors: Record<string, string> }
  /** `origin` is null if this version does not know the form. */
  | { next: View | null; origin: Origin | null; run: () => Promise<void> };

const outdated = "This form is from an older version of Rackbell. Nothing was done. Type the command again.";

/** Opens a form in pages by a trigger. */
export const openWizard: OpenForm = async (app, operation, invocation, origin, trigger) => {
  const { originator } = invocation;
  const metadata: WizardMetadata = { command: operation.command, origin, draft: "", page: "", originator };
  try {
    const view = await app.chat.openView(trigger, waitingView(operation, metadata, operation.summary), origin.view);
    const open = openOf(app, metadata, view.id);
    const { input, draft, faults } = invocation;
    const fill = (form: OpenWizard) =>
      draft ? resumeWizard(app, form, draft, faults) : showFirstPage(app, form, input);
    return { fill: async () => (open ? fill(open) : undefined) };
  } catch (error) {
    if (!(error instanceof SlackRefused)) throw error;
    await app.reply.ephemeral(origin, lateForm(operation, invocation));
    return null;
  }
};

/**
 * Sends a form that the typed values fill in. If a page still asks for something, it opens by the trigger, or is offered by a button without
 * one.
 */
export async function sendOrOpen(
  app: SlackApp,
  operation: PlatformOperation,
  invocation: Invocation,
  origin: Origin,
  trigger: string | null,
): Promise<void> {
  const { originator, input } = invocation;
  const metadata: WizardMetadata = { command: operation.command, origin, draft: "", page: "", originator };
  const begun = await beginWizard(app, { operation, metadata }, input);
  const open = openOf(app, begun.metadata, "");
  if (open && begun.state.complete) {
    await end(app, open, {});
    // The pages hold what was sent; the member typed the command.
    noteLastCommand(app, origin.member, operation, invocation);
    return;
  }
  if (trigger === null) return app.reply.ephemeral(origin, formFor(operation, invocation));
  try {
    await app.chat.openView(trigger, await firstPage(app, { operation }, begun), origin.view);
  } catch (error) {
    if (!(error instanceof SlackRefused)) throw error;
    await app.reply.ephemeral(origin, lateForm(operation, invocation));
  }
}

/** Each submit shows a placeholder at once, which the next page replaces. */
export function submitWizard(app: SlackApp, view: ShownView): SubmittedWizard {
  const open = known(app, view);
  const values = formValuesOf(view.state);
  if (!open) return { next: noticeView("Out of date", outdated), origin: null, run: async () => {} };
  const { operation, wizard, metadata } = open;
  const errors = wizard.check(metadata.page, values);
  if (Object.keys(errors).length > 0) return { errors };
  if (wizard.ends(metadata.page)) return { next: null, origin: metadata.origin, run: () => end(app, open, values) };
  return {
    next: waitingView(operation, metadata, "One moment…"),
    origin: null,
    run: () => turnPage(app, open, values, null, filesIn(view.state)),
  };
}

/** A button within a page. */
export async function pressInWizard(app: SlackApp, view: ShownView, verb: string, value: string): Promise<void> {
  const open = known(app, view);
  if (!open) return;
  if (verb === resumeVerb) return resumeWizard(app, open, value);
  // A choice must not replace a view that was shown after it.
  const seen = verb === chosenVerb ? { ...open, hash: view.hash } : open;
  await turnPage(app, seen, formValuesOf(view.state), { verb, value }, filesIn(view.state));
}

/** Options for a search field. */
export async function suggestInWizard(app: SlackApp, view: ShownView, field: string, query: string): Promise<Choice[]> {
  const open = known(app, view);
  if (!open) return [];
  return (await suggestOnPage(app, open, field, query)).slice(0, limits.select.options);
}

function known(app: SlackApp, view: ShownView): OpenWizard | null {
  const metadata = readWizardMetadata(view);
  return metadata && openOf(app, actedBy(metadata, view.by), view.id);
}

function openOf({ registry }: SlackApp, metadata: WizardMetadata, viewId: string): OpenWizard | null {
  const operation = registry.find(metadata.command);
  if (!operation || operation.api === "app" || !operation.wizard) return null;
  return { operation, wizard: operation.wizard, metadata, viewId };
}

async function end(app: SlackApp, open: OpenWizard, values: ReturnType<typeof formValuesOf>): Promise<void> {
  const { operation, metadata } = open;
  await guard(app, metadata.origin, async () => {
    const { input, generated, savedAs } = await finishWizard(app, open, values);
    if (savedAs !== null) {
      const text = `Saved as the template ${code(savedAs)}, without host name, keys and user data. \`/order new template=…\` fills the form in with it, \`/order template share\` lets others use it.`;
      await app.reply.say(metadata.origin, text);
    }
    const { draft, originator } = metadata;
    const taken = originator === undefined ? {} : { originator };
    await invoke(app, { ...taken, command: operation.command, input, draft }, metadata.origin, generated);
  });
}
