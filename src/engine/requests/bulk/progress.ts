import { count, listing } from "../../../views/text.ts";
import type { Request } from "../request.ts";
import type { Along } from "../store.ts";
import type { Bulk, Outcome } from "./record.ts";

/** How often one that the platform puts off is tried before that counts as a failure. */
const mostTries = 5;

/** Work on many begins: nothing was sent yet, and its input stays until the last of them. */
export function bulkBegun(bulk: Bulk, now: number): [Partial<Request>, Along] {
  const job = { handle: null, since: now, text: progressWords(bulk), misses: 0, endedAt: null, plan: null };
  return [
    { state: "working", instance: null, attemptedAt: now, outcome: "", job },
    { note: { what: "begun", outcome: `Begun: ${bulk.nouns}.` }, stepAt: now },
  ];
}

export function tally({ outcomes }: Pick<Bulk, "outcomes">): Record<Outcome, number> {
  const sums = { waiting: 0, running: 0, unclear: 0, done: 0, failed: 0, "left out": 0 };
  for (const outcome of outcomes) sums[outcome] += 1;
  return sums;
}

/** The work with what came of one of its requests; undefined where that was never written. */
export function withOutcome(bulk: Bulk, at: number, request: Request | undefined): Bulk {
  const outcomes = bulk.outcomes.with(at, request ? outcomeOf(request) : "waiting");
  const until = request?.state === "refused" ? (request.part?.again ?? null) : null;
  const times = (bulk.putOff[at]?.times ?? 0) + 1;
  if (until === null || times >= mostTries) return { ...bulk, outcomes };
  return {
    ...bulk,
    outcomes: outcomes.with(at, "waiting"),
    putOff: { ...bulk.putOff, [at]: { times, until } },
  };
}

function outcomeOf({ state }: Request): Outcome {
  const outcomes: Partial<Record<Request["state"], Outcome>> = {
    done: "done",
    void: "left out",
    failed: "failed",
    refused: "failed",
    left: "unclear",
    undecided: "unclear",
  };
  return outcomes[state] ?? "running";
}

/** Why no more of them may be begun; null where they may. */
export function whyStopped(bulk: Bulk): string | null {
  if (bulk.stopped !== null) return bulk.stopped;
  const { failed, unclear, waiting } = tally(bulk);
  if (failed + unclear < bulk.stopAfter || waiting === 0) return null;
  return `It stopped after ${count(bulk.stopAfter, "failure")}.`;
}

/** "3 of 10 done, 1 failed, 6 to go." */
export function progressWords(bulk: Bulk): string {
  const sums = tally(bulk);
  const parts = [
    `${sums.done} of ${bulk.outcomes.length} done`,
    ...apart(sums),
    ...(sums.running > 0 ? [`${sums.running} under way`] : []),
    ...(sums.waiting > 0 ? [`${sums.waiting} ${bulk.stopped === null ? "to go" : "not begun"}`] : []),
  ];
  const stopped = bulk.stopped === null ? "" : ` ${bulk.stopped} What is under way is waited for.`;
  return `${parts.join(", ")}.${stopped}`;
}

/** What came of all of them. */
export function endWords(bulk: Bulk): string {
  const sums = tally(bulk);
  const all = bulk.outcomes.length;
  const stopped = bulk.stopped === null ? [] : [bulk.stopped];
  if (sums.done === all) return all === 1 ? "It is done." : `All ${all} are done.`;
  const parts = [
    `${sums.done} of ${all} ${sums.done === 1 ? "was" : "were"} done`,
    ...apart(sums),
    ...(sums.waiting > 0 ? [`${sums.waiting} ${sums.waiting === 1 ? "was" : "were"} not begun`] : []),
  ];
  return [...stopped, `${listing(parts)}.`].join(" ");
}

function apart(sums: Record<Outcome, number>): string[] {
  return [
    ...(sums.failed > 0 ? [`${sums.failed} failed`] : []),
    ...(sums.unclear > 0 ? [`${sums.unclear} not clear`] : []),
    ...(sums["left out"] > 0 ? [`${sums["left out"]} left out`] : []),
  ];
}

/** Whether it ended as it was meant to: what had changed meanwhile is no failure. */
export function endState(bulk: Bulk): "done" | "failed" {
  const { failed, unclear, waiting, done } = tally(bulk);
  return failed + unclear + waiting > 0 || done === 0 ? "failed" : "done";
}
