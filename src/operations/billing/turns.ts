import type { Json, Step } from "../../operation/answer.ts";

/** Buttons to the pages before and after. */
export function turns(command: string, kept: Record<string, Json | undefined>, page: number, pages: number): Step[] {
  const input: Record<string, Json> = {};
  for (const [name, value] of Object.entries(kept)) if (value !== undefined) input[name] = value;
  const to = (label: string, at: number): Step => ({ label, command, input: { ...input, page: at }, replace: true });
  return [...(page > 1 ? [to("◀ Back", page - 1)] : []), ...(page < pages ? [to("More ▶", page + 1)] : [])];
}
