import type { Answer, Json, Step } from "../../operation/answer.ts";
import { count } from "../../views/text.ts";

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
