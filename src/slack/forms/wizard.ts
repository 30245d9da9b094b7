import type { Chat } from "../../chat/chat.ts";
import { SlackRefused } from "../../chat/errors.ts";
import type { AppWith } from "../../engine/app.ts";
import { guard } from "../../engine/guard.ts";
import { invoke } from "../../engine/invoke.ts";
import { lateForm } from "../../notifications/answers/answers.ts";
import type { Origin } from "../../notifications/origin.ts";
import type { Choice } from "../../operation/call-context.ts";
import { chosenVerb } from "../../operation/wizard.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { section, type View } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { code } from "../../views/text.ts";
import { actedBy, type ShownView } from "../payloads.ts";
import type { FormOpener } from "./form.ts";
import { noticeView } from "./form-view.ts";
import type { WizardPages } from "./wizard-pages.ts";
import type { OpenWizard } from "./wizard-view.ts";
import {
  filesIn,
  formValuesOf,
  readWizardMetadata,
  resumeVerb,
  type WizardMetadata,
  waitingView,
} from "./wizard-view.ts";

type Submitted =
  | { errors: Record<string, string> }
  /** `origin` is null if this version does not know the form. */
  | { next: View | null; origin: Origin | null; run: () => Promise<void> };

/** Forms in pages. Each submit shows a placeholder at once, which the next page replaces. */
export interface WizardForms extends FormOpener {
  submit(view: ShownView): Submitted;
  /** A button within a page. */
  press(view: ShownView, verb: string, value: string): Promise<void>;
  suggest(view: ShownView, field: string, query: string): Promise<Choice[]>;
}

const outdated = "This form is from an older version of Rackbell. Nothing was done. Type the command again.";

export function createWizardForms(deps: { app: AppWith<AppContext>; pages: WizardPages; chat: Chat }): WizardForms {
  const { app, pages, chat } = deps;
  const { registry, reply } = app;

  function known(view: ShownView): OpenWizard | null {
    const metadata = readWizardMetadata(view.private_metadata);
    return metadata && openOf(actedBy(metadata, view.by), view.id);
  }

  function openOf(metadata: WizardMetadata, viewId: string): OpenWizard | null {
    const operation = registry.find(metadata.command);
    if (!operation || operation.api === "app" || !operation.wizard) return null;
    return { operation, wizard: operation.wizard, metadata, viewId };
  }

  async function end(open: OpenWizard, values: ReturnType<typeof formValuesOf>): Promise<void> {
    const { operation, metadata } = open;
    await guard(app, metadata.origin, async () => {
      const { input, savedAs } = await pages.finish(open, values);
      if (savedAs !== null) {
        const text = `Saved as the template ${code(savedAs)}, without host name, keys and user data. \`/order new template=…\` fills the form in with it, \`/order template share\` lets others use it.`;
        await reply.ephemeral(metadata.origin, { text, blocks: [section(text)] });
      }
      const { draft, originator } = metadata;
      const taken = originator === undefined ? {} : { originator };
      await invoke(app, { ...taken, command: operation.command, input, draft }, metadata.origin);
    });
  }

  return {
    async open(operation, invocation, origin, trigger) {
      const { originator } = invocation;
      const metadata: WizardMetadata = { command: operation.command, origin, draft: "", page: "", originator };
      try {
        const view = await chat.openView(trigger, waitingView(operation, metadata, operation.summary), origin.view);
        const open = openOf(metadata, view.id);
        const { input, draft, faults } = invocation;
        const fill = (form: OpenWizard) => (draft ? pages.resume(form, draft, faults) : pages.begin(form, input));
        return { fill: async () => (open ? fill(open) : undefined) };
      } catch (error) {
        if (!(error instanceof SlackRefused)) throw error;
        await reply.ephemeral(origin, lateForm(operation, invocation));
        return null;
      }
    },
    submit(view) {
      const open = known(view);
      const values = formValuesOf(view.state);
      if (!open) return { next: noticeView("Out of date", outdated), origin: null, run: async () => {} };
      const { operation, wizard, metadata } = open;
      const errors = wizard.check(metadata.page, values);
      if (Object.keys(errors).length > 0) return { errors };
      if (wizard.ends(metadata.page)) return { next: null, origin: metadata.origin, run: () => end(open, values) };
      return {
        next: waitingView(operation, metadata, "One moment…"),
        origin: null,
        run: () => pages.turn(open, values, null, filesIn(view.state)),
      };
    },
    async press(view, verb, value) {
      const open = known(view);
      if (!open) return;
      if (verb === resumeVerb) return pages.resume(open, value);
      // A choice must not replace a view that was shown after it.
      const seen = verb === chosenVerb ? { ...open, hash: view.hash } : open;
      await pages.turn(seen, formValuesOf(view.state), { verb, value }, filesIn(view.state));
    },
    async suggest(view, field, query) {
      const open = known(view);
      if (!open) return [];
      return (await pages.suggest(open, field, query)).slice(0, limits.select.options);
    },
  };
}
