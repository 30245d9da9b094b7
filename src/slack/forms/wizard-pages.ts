import type { Json } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { Refusal } from "../../operation/errors.ts";
import type { BoundWizard, ButtonPress, FormValues } from "../../operation/wizard.ts";
import type { Owner } from "../../records/drafts.ts";
import type { SlackApp } from "../slack-app.ts";
import { readTexts } from "./files.ts";
import { inWizard, pageError, showPage } from "./wizard-modal.ts";
import { beginFrom } from "./wizard-template.ts";
import { type AttachedFile, type OpenWizard, wizardView } from "./wizard-view.ts";

const gone = "This form is older than an hour, or another member's. Nothing was done. Type the command again.";

/** Shows the first page, filled from the command. As on all pages, an error is shown in the modal. */
export async function beginWizard(app: SlackApp, open: OpenWizard, input: Record<string, unknown>): Promise<void> {
  const { drafts, context } = app;
  await inWizard(app, open, async () => {
    const bound = await bind(app, open);
    const earlier = await drafts.latest(ownerOf(open));
    const first = await beginFrom(context.templates, bound, ownerOf(open), input);
    const draft = await drafts.open(ownerOf(open), first);
    const begun = { ...open, metadata: { ...open.metadata, draft, page: first.page } };
    await render(app, begun, bound, first.draft, { notice: first.notice ?? null, earlier });
  });
}

/** Continues an earlier draft at its last page, or at the page with errors, which are shown below their fields. */
export async function resumeWizard(
  app: SlackApp,
  open: OpenWizard,
  draft: string,
  faults: Record<string, string> = {},
): Promise<void> {
  await inWizard(app, open, async () => {
    const bound = await bind(app, open);
    const stored = await draftOf(app, open, draft);
    const at = open.wizard.correct(stored, faults);
    if (at.draft !== stored.draft) await app.drafts.save(draft, ownerOf(open), at);
    const resumed = { ...open, metadata: { ...open.metadata, draft, page: at.page } };
    await render(app, resumed, bound, at.draft, { notice: at.notice ?? null, faults: at.faults });
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
  await inWizard(app, open, () => turn(app, open, values, pressed, files));
}

async function turn(
  app: SlackApp,
  open: OpenWizard,
  values: FormValues,
  pressed: ButtonPress | null,
  files: AttachedFile[],
): Promise<void> {
  const { chat, drafts } = app;
  const { wizard, metadata } = open;
  const { page } = metadata;
  const owner = ownerOf(open);
  const bound = await bind(app, open);
  let draft = wizard.keep(page, (await draftOf(app, open, metadata.draft)).draft, values);
  await drafts.save(metadata.draft, owner, { page, draft });
  try {
    if (files.length > 0) {
      draft = wizard.keep(page, draft, { ...values, ...(await readTexts(chat, files)) });
      await drafts.save(metadata.draft, owner, { page, draft });
    }
    const next = await bound.next(page, draft, pressed);
    await drafts.save(metadata.draft, owner, next);
    const after = { ...open, metadata: { ...metadata, page: next.page } };
    await render(app, after, bound, next.draft, { notice: next.notice ?? null });
  } catch (error) {
    // Keep the values: show the same page again, with the error above.
    await render(app, open, bound, draft, { notice: `:warning: ${pageError(app, open, error)}` });
  }
}

/** The input of the whole draft with the last page's values, and the name of the template that was saved, or null. */
export async function finishWizard(
  app: SlackApp,
  open: OpenWizard,
  values: FormValues,
): Promise<{ input: Record<string, unknown>; generated: string[]; savedAs: string | null }> {
  const { drafts, context } = app;
  const { wizard, metadata } = open;
  const { draft } = await draftOf(app, open, metadata.draft);
  const whole = wizard.keep(metadata.page, draft, values);
  // Keep the draft for its hour: after a refusal the member can correct it without filling it in again.
  await drafts.save(metadata.draft, ownerOf(open), { page: metadata.page, draft: whole });
  const template = await (await bind(app, open)).template(whole);
  const { slackUser } = metadata.origin;
  if (template) await context.templates.save(metadata.command, { ...template, ...ownerOf(open), slackUser });
  await drafts.setAside(ownerOf(open));
  return { input: wizard.input(whole), generated: wizard.generated(whole), savedAs: template?.name ?? null };
}

/** Options for a search field of a page. */
export async function suggestOnPage(app: SlackApp, open: OpenWizard, field: string, query: string): Promise<Choice[]> {
  const stored = await app.drafts.read(open.metadata.draft, ownerOf(open));
  return stored === null ? [] : (await bind(app, open)).suggest(open.metadata.page, stored.draft, field, query);
}

/** Binds the wizard to the member's key, with live rights. */
async function bind({ access, binder }: SlackApp, { operation, metadata }: OpenWizard): Promise<BoundWizard> {
  await access.admit(metadata.origin.slackUser);
  const { wizard } = await binder.bind(operation, metadata.origin.member);
  if (!wizard) throw new Error(`${operation.command} has no wizard`);
  return wizard;
}

async function draftOf({ drafts }: SlackApp, open: OpenWizard, id: string) {
  const stored = await drafts.read(id, ownerOf(open));
  if (stored === null) throw new Refusal(gone);
  return stored;
}

async function render(
  app: SlackApp,
  open: OpenWizard,
  bound: BoundWizard,
  draft: Json,
  about: {
    notice: string | null;
    earlier?: { id: string; at: number } | null;
    faults?: Record<string, string>;
  },
): Promise<void> {
  const page = await bound.view(open.metadata.page, draft);
  await showPage(app, open, wizardView(open.operation, open.metadata, page, { earlier: null, faults: {}, ...about }));
}

function ownerOf({ operation, metadata }: OpenWizard): Owner {
  return { member: metadata.origin.member, command: operation.command };
}
