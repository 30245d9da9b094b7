import type { Answer } from "../../operation/answer.ts";
import { code } from "../../views/text.ts";
import type { BoundOperation } from "../bound.ts";
import { isBeforeAct, type Request } from "./request.ts";
import type { Along } from "./store.ts";
import { untouched } from "./untouched.ts";

/** What came of it, by the platform's ids: where its steps lead. Alerts of these know by it who asked. */
export function madeBy({ next = [] }: Pick<Answer, "next">): string[] {
  return next.flatMap(({ target }) => target ?? []);
}

/** The copy was accepted: what was asked comes after it, and its input stays sealed until then. */
export function copyAccepted({ operation }: BoundOperation, answer: Answer, now: number): [Partial<Request>, Along] {
  const { handle = null, text } = answer;
  const job = { handle, since: now, text, misses: 0, endedAt: null, plan: null };
  return [
    { state: "working", instance: null, attemptedAt: now, outcome: "", job },
    { note: { what: "copying", outcome: text, made: madeBy(answer) }, pollAt: now + (operation.follow?.every ?? 0) },
  ];
}

/** What is said of a refusal: of the copy's, that nothing else was done; after the copy, that it is there. It can be chosen anew. */
export function refusedWords(request: Request, text: string): Pick<Request, "outcome" | "copy"> {
  const { copy } = request;
  if (!copy || copy.step === "offered" || copy.step === "chosen") return { outcome: text, copy };
  const again = { ...copy, step: "offered" as const, handle: null };
  if (isBeforeAct(request)) return { outcome: `The copy was not taken: ${text} ${untouched(request)}`, copy: again };
  const newest = `${code(copy.name)}, taken for this`;
  return {
    outcome: `${text} The copy ${code(copy.name)} is there, and stays until it is deleted.`,
    copy: { ...again, newest },
  };
}
