import type * as z from "#zod";
import { type ListInput, type ListOptions, listAnswer } from "../../messages/answers/list.ts";
import type { Answer, Json, Step } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CommandOf, Declared, ScopeOf } from "../../operation/operation.ts";
import { noTarget } from "../../operation/target.ts";
import type { Endpoint } from "../../platform/http/endpoint.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { count } from "../../views/text.ts";

interface ListDeclaration<A extends ApiName, T, I extends z.ZodObject>
  extends Pick<ListOptions<A, T>, "kind" | "many" | "mark" | "press" | "pressable"> {
  command: CommandOf[A];
  summary: string;
  example: Declared<A>["example"];
  /** "List" and `many` by default. */
  phrase?: string;
  /** "ls" by default. */
  synonyms?: readonly string[];
  act: Endpoint<A, ScopeOf[A], `GET ${string}`>;
  reads?: Declared<A>["reads"];
  /** Those of `listFields` that fit, with words of their own where needed. */
  input: I;
  /** The command of a row's button; the card of the kind by default. */
  open?: string;
  /** The options that only a call decides. */
  options?: (call: CallContext<A> & { input: z.output<I> }) => Promise<Partial<ListOptions<A, T>>>;
  /** One more button below the list. */
  more?: Step;
  /** For the member alone: it cannot be shown to a channel. */
  personal?: boolean;
}

/** Declares the list of a kind: words after the command filter it by text, and each row opens its card. */
export function listOperation<A extends ApiName, T, I extends z.ZodObject & z.ZodType<ListInput>>(
  declared: ListDeclaration<A, T, I>,
) {
  const { command, many, open = `${command.replace(/ list$/, "")} show`, more } = declared;
  return defineOperation({
    command,
    summary: declared.summary,
    example: declared.example,
    synonyms: declared.synonyms ?? ["ls"],
    act: declared.act,
    reads: declared.reads ?? [],
    risk: "read",
    personal: declared.personal ?? false,
    target: noTarget,
    phrase: declared.phrase ?? `List ${many}`,
    input: declared.input,
    ...("text" in declared.input.shape ? { positional: "text" } : {}),
    async run(call) {
      const answer = await listAnswer(call, { ...declared, open, ...(await declared.options?.(call)) });
      return more ? { ...answer, next: [...(answer.next ?? []), more] } : answer;
    },
  });
}

/** Buttons to the previous and the next page. */
export function turns(command: string, kept: Record<string, Json | undefined>, page: number, pages: number): Step[] {
  return [
    ...(page > 1 ? [{ ...turn("Back", command, kept, page - 1), turn: "back" as const }] : []),
    ...(page < pages ? [{ ...turn("Next", command, kept, page + 1), turn: "more" as const }] : []),
  ];
}

/** " · page 2 of 3", for the end of a headline; empty where one page has everything. */
export function pageWords(page: number, pages: number): string {
  return pages > 1 ? ` · page ${page} of ${pages}` : "";
}

/** The answer for a page that does not exist: the number of pages, and a button to the last one. */
export function beyondLast(
  command: string,
  kept: Record<string, Json | undefined>,
  { page, pages, many }: { page: number; pages: number; many: string },
): Answer {
  return {
    text: `There is no page ${page}: the ${many} fill ${count(pages, "page")}.`,
    next: [turn("The last page", command, kept, pages)],
  };
}

function turn(label: string, command: string, kept: Record<string, Json | undefined>, page: number): Step {
  const input: Record<string, Json> = { page };
  for (const [name, value] of Object.entries(kept)) if (value !== undefined) input[name] = value;
  return { label, command, input, replace: true };
}
