import * as z from "zod";
import { Origin } from "../../notifications/origin.ts";
import type { Operation, PlatformOperation } from "../../operation/operation.ts";
import type { FormValues, Wizard, WizardPage } from "../../operation/wizard.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { button, plain, section, type View } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { prose } from "../../views/text.ts";
import { parseMetadata, type ShownView, ViewState } from "../payloads.ts";
import { faultBlocks } from "./form-view.ts";

export const wizardCallback = "page";
/** Prefix of the action ids of buttons in a page. */
export const wizardPrefix = "page:";

/** A page's metadata: the draft's id, never its content. */
const WizardMetadata = z.object({
  command: z.string(),
  origin: Origin,
  draft: z.string(),
  page: z.string(),
  /** The first requester, if a colleague has taken the request over. */
  originator: z.string().optional(),
});
export type WizardMetadata = z.infer<typeof WizardMetadata>;

/** An open wizard: its member, operation and page. */
export interface OpenWizard {
  operation: PlatformOperation;
  wizard: Pick<Wizard<ApiName>, "check" | "keep" | "ends" | "input" | "generated" | "correct">;
  metadata: WizardMetadata;
  viewId: string;
  /** The view's hash at the time of a choice: a newer view must not be replaced. */
  hash?: string | undefined;
}

export function readWizardMetadata(view: Pick<ShownView, "private_metadata">): WizardMetadata | null {
  return WizardMetadata.safeParse(parseMetadata(view)).data ?? null;
}

/** Verb of the button that continues an earlier draft. */
export const resumeVerb = "resume";

/** The words above and below the fields of a page. */
export interface PageNotes {
  notice: string | null;
  /** The draft that the member has left before, and when. */
  earlier: { id: string; at: number } | null;
  /** Errors by block id. */
  faults: Record<string, string>;
}

export function wizardView(
  operation: Operation,
  metadata: WizardMetadata,
  page: WizardPage,
  { notice, earlier, faults }: PageNotes,
): View {
  const fields = new Set(page.blocks.map(({ block_id: id }) => id));
  const others = Object.entries(faults).flatMap(([field, message]) => (fields.has(field) ? [] : [prose(message)]));
  return {
    ...frame(metadata, page.title || operation.phrase),
    submit: plain(page.submit, limits.view.submit),
    blocks: [
      ...(earlier
        ? [
            section(
              `This form still has your values of ${moment(earlier.at)}.`,
              button("Go on with it", `${wizardPrefix}${resumeVerb}`, earlier.id),
            ),
          ]
        : []),
      ...(others.length > 0 ? [section(`:warning: ${others.join(" ")}`)] : []),
      ...(notice ? [section(notice)] : []),
      ...page.blocks.flatMap((block) => [block, ...faultBlocks(faults[block.block_id ?? ""])]),
    ],
  };
}

/** A placeholder while the next page is prepared. */
export function waitingView(operation: Operation, metadata: WizardMetadata, text: string): View {
  return { ...frame(metadata, operation.phrase), blocks: [section(`:hourglass_flowing_sand: ${text}`)] };
}

function frame(metadata: WizardMetadata, title: string) {
  return {
    type: "modal" as const,
    callback_id: wizardCallback,
    title: plain(title, limits.view.title),
    close: plain("Close", limits.view.close),
    private_metadata: JSON.stringify(metadata),
  };
}

/** The values by block id. A file has only its name here; see `filesIn`. */
export function formValuesOf(state: unknown): FormValues {
  const values: FormValues = {};
  for (const [field, elements] of Object.entries(ViewState.parse(state))) {
    const [entry] = Object.values(elements);
    if (!entry) continue;
    if (entry.files) values[field] = entry.files[0] ? { name: entry.files[0].name ?? "", content: "" } : null;
    else if (entry.selected_options) values[field] = entry.selected_options.map(({ value }) => value);
    else values[field] = entry.selected_option?.value ?? entry.value ?? null;
  }
  return values;
}

/** A file in a field; its content is still at Slack. */
export interface AttachedFile {
  field: string;
  id: string;
  name: string;
}

export function filesIn(state: unknown): AttachedFile[] {
  return Object.entries(ViewState.parse(state)).flatMap(([field, elements]) =>
    Object.values(elements).flatMap(({ files }) =>
      (files ?? []).map(({ id, name }) => ({ field, id, name: name ?? "file" })),
    ),
  );
}
