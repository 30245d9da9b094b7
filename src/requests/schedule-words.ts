import type { Fact } from "../operation/answer.ts";
import { duration, moment } from "../views/format.ts";
import type { Request } from "./request.ts";

/** Milliseconds. A scheduled request that cannot begin within this time ends: nobody expects it later. */
export const latestStart = 15 * 60_000;

/** The scheduled time as a fact of the decision. */
export function scheduleFact({ planned }: Pick<Request, "planned">): Fact[] {
  if (!planned) return [];
  return [{ label: "When", value: `${moment(planned.at)} ${planned.said}`.trim() }];
}

/** Describes the state of a scheduled request. */
export function scheduleWords({ planned }: Pick<Request, "planned">): string {
  if (!planned) return "It is scheduled.";
  const when = `It is scheduled for ${moment(planned.at)}.`;
  return `${when} ${planned.said}`.trim();
}

/** The promise below every scheduled request. */
export const schedulePromise = `Who asked, who approved it, their keys, the rules and the facts are checked again then. If anything changed, or it cannot begin within ${duration(latestStart)}, nothing is done and that is told here.`;

/** The text of the audit entry. */
export function scheduleNote(at: number): string {
  return `Scheduled for ${moment(at)}.`;
}
