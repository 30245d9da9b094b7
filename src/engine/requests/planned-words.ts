import type { Fact } from "../../operation/answer.ts";
import { whenWords } from "../../operation/when.ts";
import { duration } from "../../views/format.ts";
import type { Request } from "./request.ts";

/** How much later than planned it is begun at most: later than that, nobody expects it any more. */
export const latest = 15 * 60_000;

/** When it is done, among the facts that somebody decides about. */
export function whenFact({ planned }: Pick<Request, "planned">): Fact[] {
  if (!planned) return [];
  return [{ label: "When", value: `${whenWords(planned.at, planned.zone)} ${planned.said}`.trim() }];
}

/** What it means that it waits for its time. */
export function plannedWords({ planned }: Pick<Request, "planned">): string {
  if (!planned) return "It is planned.";
  const when = `It is planned for ${whenWords(planned.at, planned.zone)}.`;
  return `${when} ${planned.said}`.trim();
}

/** What is promised of one that waits. */
export const checkedThen = `Who asked, who approved it, their keys, the rules and the facts are checked again then. If anything changed, or it cannot begin within ${duration(latest)}, nothing is done and that is told here.`;

/** What the audit says of a time. */
export function plannedNote(at: number): string {
  return `Planned for ${new Date(at).toISOString()}.`;
}
