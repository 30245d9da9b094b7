import type { Access } from "../../access/access.ts";
import type { Binder } from "../../access/bound.ts";
import type { Chat } from "../../chat/chat.ts";
import type { Json } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { Refusal } from "../../operation/errors.ts";
import type { BoundWizard, ButtonPress, FormValues } from "../../operation/wizard.ts";
import type { Drafts, Owner } from "../../records/drafts.ts";
import type { Templates } from "../../records/templates.ts";
import { readTexts } from "./files.ts";
import type { WizardModal } from "./wizard-modal.ts";
import { beginFrom } from "./wizard-template.ts";
import { type AttachedFile, type OpenWizard, wizardView } from "./wizard-view.ts";

/** The pages and the draft of a wizard, processed after the acknowledgement. Errors are shown in the modal. */
export interface WizardPages {
  /** Shows the first page, filled from the command. */
  begin(open: OpenWizard, input: Record<string, unknown>): Promise<void>;
  /** Continues an earlier draft at its last page, or at the page with errors, which are shown below their fields. */
  resume(open: OpenWizard, draft: string, faults?: Record<string, string>): Promise<void>;
  /** Saves a page's values and shows the next page. */
  turn(open: OpenWizard, values: FormValues, pressed: ButtonPress | null, files: AttachedFile[]): Promise<void>;
  /** The input of the whole draft with the last page's values, and the name of the template that was saved, or null. */
  finish(open: OpenWizard, values: FormValues): Promise<{ input: Record<string, unknown>; savedAs: string | null }>;
  suggest(open: OpenWizard, field: string, query: string): Promise<Choice[]>;
}

const gone =
  "What was filled in here is no longer kept: an hour has passed, or it was another member's. Nothing was done. Type the command again.";

export function createWizardPages(deps: {
  access: Access;
  binder: Binder;
  drafts: Drafts;
  templates: Pick<Templates, "find" | "list" | "save">;
  chat: Chat;
  modal: WizardModal;
}): WizardPages {
  const { access, binder, drafts, templates, chat, modal } = deps;

  /** Binds the wizard to the member's key, with live rights. */
  async function bind({ operation, metadata }: OpenWizard): Promise<BoundWizard> {
    await access.admit(metadata.origin.slackUser);
    const { wizard } = await binder.bind(operation, metadata.origin.member);
    if (!wizard) throw new Error(`${operation.command} has no wizard`);
    return wizard;
  }

  async function draftOf(open: OpenWizard, id: string) {
    const stored = await drafts.read(id, ownerOf(open));
    if (stored === null) throw new Refusal(gone);
    return stored;
  }

  async function render(
    open: OpenWizard,
    bound: BoundWizard,
    draft: Json,
    notice: string | null,
    earlier: { id: string; at: number } | null = null,
    faults: Record<string, string> = {},
  ): Promise<void> {
    const page = await bound.view(open.metadata.page, draft);
    await modal.show(open, wizardView(open.operation, open.metadata, page, { notice, earlier, faults }));
  }

  async function turn(
    open: OpenWizard,
    values: FormValues,
    pressed: ButtonPress | null,
    files: AttachedFile[],
  ): Promise<void> {
    const { wizard, metadata } = open;
    const { page } = metadata;
    const owner = ownerOf(open);
    const bound = await bind(open);
    let draft = wizard.keep(page, (await draftOf(open, metadata.draft)).draft, values);
    await drafts.save(metadata.draft, owner, { page, draft });
    try {
      if (files.length > 0) {
        draft = wizard.keep(page, draft, { ...values, ...(await readTexts(chat, files)) });
        await drafts.save(metadata.draft, owner, { page, draft });
      }
      const next = await bound.next(page, draft, pressed);
      await drafts.save(metadata.draft, owner, next);
      const after = { ...open, metadata: { ...metadata, page: next.page } };
      await render(after, bound, next.draft, next.notice ?? null);
    } catch (error) {
      // Keep the values: show the same page again, with the error above.
      await render(open, bound, draft, `:warning: ${modal.sentence(open, error)}`);
    }
  }

  return {
    begin: (open, input) =>
      modal.inModal(open, async () => {
        const bound = await bind(open);
        const earlier = await drafts.latest(ownerOf(open));
        const first = await beginFrom(templates, bound, ownerOf(open), input);
        const draft = await drafts.open(ownerOf(open), first);
        const begun = { ...open, metadata: { ...open.metadata, draft, page: first.page } };
        await render(begun, bound, first.draft, first.notice ?? null, earlier);
      }),
    resume: (open, draft, faults = {}) =>
      modal.inModal(open, async () => {
        const bound = await bind(open);
        const stored = await draftOf(open, draft);
        const at = open.wizard.correct(stored, faults);
        if (at.draft !== stored.draft) await drafts.save(draft, ownerOf(open), at);
        const resumed = { ...open, metadata: { ...open.metadata, draft, page: at.page } };
        await render(resumed, bound, at.draft, at.notice ?? null, null, at.faults);
      }),
    turn: (open, values, pressed, files) => modal.inModal(open, () => turn(open, values, pressed, files)),
    async finish(open, values) {
      const { wizard, metadata } = open;
      const { draft } = await draftOf(open, metadata.draft);
      const whole = wizard.keep(metadata.page, draft, values);
      // Keep the draft for its hour: after a refusal the member can correct it without filling it in again.
      await drafts.save(metadata.draft, ownerOf(open), { page: metadata.page, draft: whole });
      const template = await (await bind(open)).template(whole);
      const { slackUser } = metadata.origin;
      if (template) await templates.save(metadata.command, { ...template, ...ownerOf(open), slackUser });
      await drafts.setAside(ownerOf(open));
      return { input: wizard.input(whole), savedAs: template?.name ?? null };
    },
    async suggest(open, field, query) {
      const stored = await drafts.read(open.metadata.draft, ownerOf(open));
      return stored === null ? [] : (await bind(open)).suggest(open.metadata.page, stored.draft, field, query);
    },
  };
}

function ownerOf({ operation, metadata }: OpenWizard): Owner {
  return { member: metadata.origin.member, command: operation.command };
}
