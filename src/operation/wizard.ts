import type * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { Block } from "../views/blocks.ts";
import type { Json } from "./answer.ts";
import type { CallContext, Choice } from "./call-context.ts";

/** The pages of a form, whose draft is a D. */
interface WizardPages<A extends ApiName, D> {
  /** The first draft, from the typed input, and the first page. */
  begin: (call: CallContext<A>, input: Record<string, unknown>) => Promise<WizardState>;
  view: (call: CallContext<A>, page: string, draft: D) => Promise<WizardPage>;
  /** Errors of a submitted page, by field. Must not read anything: Slack expects the answer within seconds. */
  check: (page: string, values: FormValues) => Record<string, string>;
  /** The draft with the values of a page. */
  keep: (page: string, draft: D, values: FormValues) => D;
  /** The next page after a submission or a button press. A thrown error is shown on the same page. */
  next: (call: CallContext<A>, page: string, draft: D, pressed: ButtonPress | null) => Promise<WizardState>;
  /** Options for a search field. */
  suggest: (call: CallContext<A>, page: string, draft: D, field: string, query: string) => Promise<Choice[]>;
  /** Finds the page of the first platform error, and the errors by block id. `faults` has the platform's field names. */
  correct: (page: string, draft: D, faults: Record<string, string>) => WizardState;
  /** Each set of inputs that may fill in every page: with one of them typed, no page opens if nothing else is needed. */
  enough: readonly (readonly string[])[];
  input: (draft: D) => Record<string, unknown>;
}

/** A form in several pages. Its draft is stored encrypted, because Slack's own modal metadata is too small. */
export interface Wizard<A extends ApiName> extends WizardPages<A, Json> {
  /** True for the pages whose submission ends the form. */
  ends: (page: string) => boolean;
  /** The names of the generated values in the input. */
  generated: (draft: Json) => string[];
  /** Saves a draft as a template; null if this form has no templates. */
  template: DraftTemplate<A, Json> | null;
}

/** Saves and loads drafts as templates, without secrets. */
interface DraftTemplate<A extends ApiName, D> {
  /** The template name that the draft asks for; null if it is not to be saved. */
  name(draft: D): string | null;
  save: (call: CallContext<A>, draft: D) => Promise<Json>;
  /** The form filled in from a template, with everything that still exists, and from the typed input. */
  begin: (call: CallContext<A>, saved: Json, input: Record<string, unknown>) => Promise<WizardState>;
}

/** The functions of a form in pages that need the member's client. */
export interface BoundWizard {
  begin(input: Record<string, unknown>): Promise<WizardState>;
  /** The draft as a template, if the form asks to save one under a name; else null. */
  template(draft: Json): Promise<{ name: string; saved: Json } | null>;
  /** Null when the form has no templates. */
  fromTemplate(saved: Json, input: Record<string, unknown>): Promise<WizardState> | null;
  view(page: string, draft: Json): Promise<WizardPage>;
  next(page: string, draft: Json, pressed: ButtonPress | null): Promise<WizardState>;
  suggest(page: string, draft: Json, field: string, query: string): Promise<Choice[]>;
}

export function bindWizard<A extends ApiName>(wizard: Wizard<A>, call: CallContext<A>): BoundWizard {
  return {
    begin: (input) => wizard.begin(call, input),
    async template(draft) {
      const name = wizard.template?.name(draft) ?? null;
      return wizard.template && name !== null ? { name, saved: await wizard.template.save(call, draft) } : null;
    },
    fromTemplate: (saved, input) => wizard.template?.begin(call, saved, input) ?? null,
    view: (page, draft) => wizard.view(call, page, draft),
    next: (page, draft, pressed) => wizard.next(call, page, draft, pressed),
    suggest: (page, draft, field, query) => wizard.suggest(call, page, draft, field, query),
  };
}

export interface WizardPage {
  title: string;
  blocks: Block[];
  /** The label of the submit button. */
  submit: string;
}

/** The values of a page, by block id. */
export type FormValues = Record<string, string | string[] | FormFile | null>;

export interface FormFile {
  name: string;
  content: string;
}

/** The verb of a choice in a search field, which Slack sends at once. */
export const chosenVerb = "chosen";

export interface ButtonPress {
  verb: string;
  value: string;
}

export interface WizardState<D = Json> {
  page: string;
  draft: D;
  /** A sentence above the page: mrkdwn. */
  notice?: string;
  /** Errors by block id, as plain text. Each is shown below its field. */
  faults?: Record<string, string>;
  /** The draft is whole: no page has anything left to ask or to say. */
  complete?: true;
}

interface WizardDeclaration<A extends ApiName, S extends z.ZodType<Json>> extends WizardPages<A, z.output<S>> {
  draft: S;
  template?: DraftTemplate<A, z.output<S>>;
  last: string;
  generated?: (draft: z.output<S>) => string[];
}

/** Defines a wizard whose drafts have one schema. A draft of another shape (stored by an older version) throws. */
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
    correct: (page, draft, faults) => declaration.correct(page, shape.parse(draft), faults),
    enough: declaration.enough,
    ends: (page) => page === declaration.last,
    input: (draft) => declaration.input(shape.parse(draft)),
    generated: (draft) => declaration.generated?.(shape.parse(draft)) ?? [],
  };
}
