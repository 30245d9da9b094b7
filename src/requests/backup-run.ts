import type { BoundOperation } from "../access/bound.ts";
import type { Answer } from "../operation/answer.ts";
import { code } from "../views/text.ts";
import { type Amendment, isBeforeMainAct, type Request } from "./request.ts";
import type { StepExtras } from "./step.ts";
import { untouched } from "./untouched.ts";

/** The platform ids of what a call made: the targets of its next steps. Alerts about them find the requester by these ids. */
export function madeIds({ next = [] }: Pick<Answer, "next">): string[] {
  return next.flatMap(({ target }) => target ?? []);
}

/** The change after the platform accepted the backup. The input stays sealed, since the act comes after it. */
export function backupAccepted({ operation }: BoundOperation, answer: Answer, now: number): [Amendment, StepExtras] {
  const { handle = null, text } = answer;
  const job = { handle, since: now, text, misses: 0, endedAt: null, plan: null };
  return [
    { attemptedAt: now, outcome: "", job },
    { said: text, made: madeIds(answer), pollAt: now + (operation.follow?.every ?? 0) },
  ];
}

/** The outcome after a refusal of the backup or of the act after it, and the backup offered again. */
export function refusalOutcome(request: Request, text: string): Pick<Request, "outcome" | "copy"> {
  const { copy } = request;
  if (!copy || copy.step === "offered" || copy.step === "chosen") return { outcome: text, copy };
  const again = { ...copy, step: "offered" as const, handle: null };
  if (isBeforeMainAct(request))
    return { outcome: `The copy was not taken: ${text} ${untouched(request)}`, copy: again };
  const newest = `${code(copy.name)}, taken for this`;
  return {
    outcome: `${text} The copy ${code(copy.name)} is there, and stays until it is deleted.`,
    copy: { ...again, newest },
  };
}
