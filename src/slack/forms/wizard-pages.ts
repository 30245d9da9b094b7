import { admit } from "../../access/access.ts";
import { bind } from "../../access/bound.ts";
import type { Json } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { Refusal } from "../../operation/errors.ts";
import { unknownWords } from "../../operation/input.ts";
import type { BoundWizard, ButtonPress, FormValues, WizardState } from "../../operation/wizard.ts";
import { latestDraft, type Owner, openDraft, readDraft, saveDraft, setDraftAside } from "../../records/drafts.ts";
import { findTemplate, listTemplates, saveTemplate } from "../../records/templates.ts";
import type { View } from "../../views/blocks.ts";
import { code, listing } from "../../views/text.ts";
import type { SlackApp } from "../slack-app.ts";
import { readFileTexts } from "./files.ts";
import { inWizard, pageError, showPage } from "./wizard-modal.ts";
import { type AttachedFile, type OpenWizard, type PageNotes, type WizardMetadata, wizardView } from "./wizard-view.ts";

const gone = "This form is older than an hour, or another member's. Nothing was done. Type the command again.";

/** A form that is read and stored, and not shown yet. */
export interface BegunWizard {
  metadata: WizardMetadata;
  state: WizardState;
  /** The draft that the member has left before, and when. */
  earlier: { id: string; at: number } | null;
}

/** The first page, filled from the command. */
export async function beginWizard(
  app: SlackApp,
  open: Pick<OpenWizard, "operation" | "metadata">,
  input: Record<string, unknown>,
): Promise<BegunWizard> {
  const { operation, metadata } = open;
  const bound = await bindWizard(app, open);
  const earlier = await latestDraft(app, ownerOf(open));
  const first = await beginFrom(app, bound, ownerOf(open), input);
  const unknown = unknownWords(operation.input, input);
  const state = unknown === null ? first : withNotice(first, unknown);
  const draft = await openDraft(app, ownerOf(open), state);
  return { metadata: { ...metadata, draft, page: state.page }, state, earlier };
}

/** The first page of a form, from the named template, else from the command. */
async function beginFrom(
  app: SlackApp,
  bound: BoundWizard,
  { member, command }: Owner,
  input: Record<string, unknown>,
): Promise<WizardState> {
  const { template: typed } = input;
  if (typeof typed !== "string") return bound.begin(input);
  const found = await findTemplate(app, command, member, typed);
  const filled = found && bound.fromTemplate(found.saved, input);
  if (filled) return filled;
  const names = (await listTemplates(app, command, member)).map(({ name }) => code(name, 60));
  const there = names.length > 0 ? ` There is ${listing(names.slice(0, 10))}.` : " There is none yet.";
  const first = await bound.begin(input);
  return { ...first, notice: `:warning: There is no template ${code(typed, 60)} that you can see.${there}` };
}

function withNotice({ complete: _, notice = "", ...state }: WizardState, sentence: string): WizardState {
  return { ...state, notice: `:warning: ${sentence}\n${notice}`.trim() };
}

/** Shows the first page in the open modal. As on all pages, an error is shown there. */
export async function showFirstPage(app: SlackApp, open: OpenWizard, input: Record<string, unknown>): Promise<void> {
  await inWizard(app, open, async () => {
    const begun = await beginWizard(app, open, input);
    await showPage(app, open, await firstPage(app, open, begun));
  });
}

/** The view of the first page. */
export async function firstPage(
  app: SlackApp,
  { operation }: Pick<OpenWizard, "operation">,
  { metadata, state, earlier }: BegunWizard,
): Promise<View> {
  const bound = await bindWizard(app, { operation, metadata });
  const page = await bound.view(state.page, state.draft);
  return wizardView(operation, metadata, page, { ...aboutOf(state), earlier });
}

/** Continues an earlier draft at its last page, or at the page with errors, which are shown below their fields. */
export async function resumeWizard(
  app: SlackApp,
  open: OpenWizard,
  draft: string,
  faults: Record<string, string> = {},
): Promise<void> {
  await inWizard(app, open, async () => {
    const bound = await bindWizard(app, open);
    const stored = await draftOf(app, open, draft);
    const at = open.wizard.correct(stored.page, stored.draft, faults);
    if (at.draft !== stored.draft) await saveDraft(app, draft, ownerOf(open), at);
    const resumed = { ...open, metadata: { ...open.metadata, draft, page: at.page } };
    await render(app, resumed, bound, at.draft, aboutOf(at));
  });
}

/** Saves a page's values and shows the next page. */
export async function turnPage(
  app: SlackApp,
  open: OpenWizard,
  values: FormValues,
  pressed: ButtonPress | null,
  files: AttachedFile[],
): Promise<void> {
  const { wizard, metadata } = open;
  const { page } = metadata;
  const owner = ownerOf(open);
  await inWizard(app, open, async () => {
    const bound = await bindWizard(app, open);
    let draft = wizard.keep(page, (await draftOf(app, open, metadata.draft)).draft, values);
    await saveDraft(app, metadata.draft, owner, { page, draft });
    try {
      if (files.length > 0) {
        draft = wizard.keep(page, draft, { ...values, ...(await readFileTexts(app.chat, files)) });
        await saveDraft(app, metadata.draft, owner, { page, draft });
      }
      const next = await bound.next(page, draft, pressed);
      await saveDraft(app, metadata.draft, owner, next);
      const after = { ...open, metadata: { ...metadata, page: next.page } };
      await render(app, after, bound, next.draft, aboutOf(next));
    } catch (error) {
      // Keep the values: show the same page again, with the error above.
      await render(app, open, bound, draft, aboutOf({ notice: `:warning: ${pageError(app, open, error)}` }));
    }
  });
}

/** The input of the whole draft with the last page's values, and the name of the template that was saved, or null. */
export async function finishWizard(
  app: SlackApp,
  open: OpenWizard,
  values: FormValues,
): Promise<{ input: Record<string, unknown>; generated: string[]; savedAs: string | null }> {
  const { wizard, metadata } = open;
  const { draft } = await draftOf(app, open, metadata.draft);
  const whole = wizard.keep(metadata.page, draft, values);
  // Keep the draft for its hour: after a refusal the member can correct it without filling it in again.
  await saveDraft(app, metadata.draft, ownerOf(open), { page: metadata.page, draft: whole });
  const template = await (await bindWizard(app, open)).template(whole);
  const { slackUser } = metadata.origin;
  if (template) await saveTemplate(app, metadata.command, { ...template, ...ownerOf(open), slackUser });
  await setDraftAside(app, ownerOf(open));
  return { input: wizard.input(whole), generated: wizard.generated(whole), savedAs: template?.name ?? null };
}

/** Options for a search field of a page. */
export async function suggestOnPage(app: SlackApp, open: OpenWizard, field: string, query: string): Promise<Choice[]> {
  const stored = await readDraft(app, open.metadata.draft, ownerOf(open));
  return stored === null ? [] : (await bindWizard(app, open)).suggest(open.metadata.page, stored.draft, field, query);
}

/** Binds the wizard to the member's key, with live rights. */
async function bindWizard(
  app: SlackApp,
  { operation, metadata }: Pick<OpenWizard, "operation" | "metadata">,
): Promise<BoundWizard> {
  await admit(app, metadata.origin.slackUser);
  const { wizard } = await bind(app, operation, metadata.origin.member);
  if (!wizard) throw new Error(`${operation.command} has no wizard`);
  return wizard;
}

async function draftOf(app: SlackApp, open: OpenWizard, id: string) {
  const stored = await readDraft(app, id, ownerOf(open));
  if (stored === null) throw new Refusal(gone);
  return stored;
}

async function render(
  app: SlackApp,
  open: OpenWizard,
  bound: BoundWizard,
  draft: Json,
  about: Omit<PageNotes, "earlier">,
): Promise<void> {
  const page = await bound.view(open.metadata.page, draft);
  await showPage(app, open, wizardView(open.operation, open.metadata, page, { ...about, earlier: null }));
}

function aboutOf({ notice = null, faults = {} }: { notice?: string | null; faults?: Record<string, string> }) {
  return { notice, faults };
}

function ownerOf({ operation, metadata }: Pick<OpenWizard, "operation" | "metadata">): Owner {
  return { member: metadata.origin.member, command: operation.command };
}
