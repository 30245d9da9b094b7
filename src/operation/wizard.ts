import type * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { Block } from "../views/blocks.ts";
import { prose } from "../views/text.ts";
import type { Json } from "./answer.ts";
import type { Asking, Choice } from "./asking.ts";

/** A form in several pages over a draft that is kept sealed: what Slack's own memory of a modal is too small for (design section 1). */
export interface Wizard<A extends ApiName> {
  /** The first draft, from what was typed already, and the page to begin with. */
  begin(call: Asking<A>, input: Record<string, unknown>): Promise<Turn>;
  view(call: Asking<A>, page: string, draft: Json): Promise<WizardPage>;
  /** What is wrong with a page as filled in, by field: told from the page alone, since nothing may be read before Slack is answered. */
  check(page: string, values: FormValues): Record<string, string>;
  /** The draft with what a page says. */
  keep(page: string, draft: Json, values: FormValues): Json;
  /** Where a page leads once it is submitted, or a button on it pressed. What it throws is shown on the same page. */
  next(call: Asking<A>, page: string, draft: Json, pressed: Pressed | null): Promise<Turn>;
  /** Options for a search field. */
  suggest(call: Asking<A>, page: string, draft: Json, field: string, query: string): Promise<Choice[]>;
  /** Where a draft is put right: the page of the first fault, and the faults by the block ids of its fields. `faults` have the platform's names. */
  correct(
    kept: { page: string; draft: Json },
    faults: Record<string, string>,
  ): Turn & { faults: Record<string, string> };
  /** The pages whose submission ends the form, and the input that the draft then makes. */
  ends(page: string): boolean;
  input(draft: Json): Record<string, unknown>;
  /** How a draft is saved to be filled in again; null where it is not. */
  template: DraftTemplate<A, Json> | null;
}

/** A draft as a template, without secrets. */
interface DraftTemplate<A extends ApiName, D> {
  /** What the draft asks to be saved as; null where it does not. */
  name(draft: D): string | null;
  save(call: Asking<A>, draft: D): Promise<Json>;
  /** The form filled in with what was saved, as far as that is still there. */
  begin(call: Asking<A>, saved: Json): Promise<Turn>;
}

export interface WizardPage {
  title: string;
  blocks: Block[];
  /** The word on the button at the end. */
  submit: string;
}

/** What a page says, by the block ids of its fields. */
export type FormValues = Record<string, string | string[] | FormFile | null>;

export interface FormFile {
  name: string;
  content: string;
}

/** The verb of a choice in a search field, which a page hears of at once. */
export const chosenVerb = "chosen";

export interface Pressed {
  verb: string;
  value: string;
}

export interface Turn {
  page: string;
  draft: Json;
  /** A sentence above the page: mrkdwn. */
  notice?: string;
}

interface WizardDeclaration<A extends ApiName, S extends z.ZodType<Json>> {
  draft: S;
  begin: (call: Asking<A>, input: Record<string, unknown>) => Promise<Turn>;
  view: (call: Asking<A>, page: string, draft: z.output<S>) => Promise<WizardPage>;
  check: (page: string, values: FormValues) => Record<string, string>;
  keep: (page: string, draft: z.output<S>, values: FormValues) => z.output<S>;
  next: (call: Asking<A>, page: string, draft: z.output<S>, pressed: Pressed | null) => Promise<Turn>;
  suggest: (call: Asking<A>, page: string, draft: z.output<S>, field: string, query: string) => Promise<Choice[]>;
  correct?: (
    page: string,
    draft: z.output<S>,
    faults: Record<string, string>,
  ) => Turn & { faults: Record<string, string> };
  template?: DraftTemplate<A, z.output<S>>;
  last: string;
  input: (draft: z.output<S>) => Record<string, unknown>;
}

/** Pages over a draft of one shape; a draft that is not of it (kept by an older version) throws. */
export function defineWizard<A extends ApiName, S extends z.ZodType<Json>>(
  declaration: WizardDeclaration<A, S>,
): Wizard<A> {
  const { draft: shape, template } = declaration;
  return {
    template: template
      ? {
          name: (draft) => template.name(shape.parse(draft)),
          save: (call, draft) => template.save(call, shape.parse(draft)),
          begin: template.begin,
        }
      : null,
    begin: declaration.begin,
    view: (call, page, draft) => declaration.view(call, page, shape.parse(draft)),
    check: declaration.check,
    keep: (page, draft, values) => declaration.keep(page, shape.parse(draft), values),
    next: (call, page, draft, pressed) => declaration.next(call, page, shape.parse(draft), pressed),
    suggest: (call, page, draft, field, query) => declaration.suggest(call, page, shape.parse(draft), field, query),
    correct: ({ page, draft }, faults) => (declaration.correct ?? saidAbove)(page, shape.parse(draft), faults),
    ends: (page) => page === declaration.last,
    input: (draft) => declaration.input(shape.parse(draft)),
  };
}

/** What is wrong stands above the page that the draft was left at. */
function saidAbove(
  page: string,
  draft: Json,
  faults: Record<string, string>,
): Turn & { faults: Record<string, string> } {
  const said = Object.values(faults).map((message) => prose(message));
  return { page, draft, faults: {}, ...(said.length > 0 ? { notice: `:warning: ${said.join(" ")}` } : {}) };
}
