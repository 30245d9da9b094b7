import type { ActResult } from "../../../audit/entry.ts";
import { characters, type PlainText, plainly } from "../../../process/plain-text.ts";
import { code, count, listing } from "../../../views/text.ts";
import { type Amendment, hasEnded, type Request, wasNotDone } from "../../request.ts";
import { states } from "../../states.ts";
import type { LaterAct } from "../later-acts/record.ts";
import { type Bulk, type TargetOutcome, triesOf } from "./record.ts";

/** The platform may delay a target this many times; then it counts as failed. */
const mostTries = 5;

export function tally({ outcomes }: Pick<Bulk, "outcomes">): Record<TargetOutcome, number> {
  const sums = { waiting: 0, running: 0, unknown: 0, done: 0, failed: 0, "left out": 0, "taken out": 0 };
  for (const outcome of outcomes) sums[outcome] += 1;
  return sums;
}

/** Returns the bulk with the outcome of the target at `at`. `request` is undefined if a crash came before it was stored. */
export function withOutcome(bulk: Bulk, at: number, request: Request | undefined): Bulk {
  if (request?.part?.stops && targetOutcome(request) === "failed")
    return {
      ...bulk,
      outcomes: bulk.outcomes.with(at, "waiting"),
      stopped: bulk.stopped ?? stoppedAt(request.target?.name ?? "", request.outcome),
    };
  const outcome = request ? targetOutcome(request) : "waiting";
  const outcomes = bulk.outcomes.with(at, outcome);
  const isInterrupted = request?.part?.interrupted && (outcome === "failed" || outcome === "unknown");
  const interrupted = [...bulk.interrupted.filter((place) => place !== at), ...(isInterrupted ? [at] : [])];
  const until = request && wasNotDone(request) ? (request.part?.again ?? null) : null;
  const times = triesOf(bulk, at) + 1;
  if (until === null || times >= mostTries) return { ...bulk, outcomes, interrupted };
  return {
    ...bulk,
    outcomes: outcomes.with(at, "waiting"),
    delayed: { ...bulk.delayed, [at]: { times, until } },
  };
}

/** Words why no more targets begin: the first one that the reason stood against, and the reason. */
function stoppedAt(name: PlainText, why: string): string {
  return `It stopped before ${code(name, 60)}: ${why}`;
}

/** The outcome of a target, by its own request. */
export function targetOutcome(request: Request): TargetOutcome {
  const { result } = states[request.state];
  if (!hasEnded(request)) return "running";
  return result === null ? "left out" : outcomeOfResult[result];
}

const outcomeOfResult: Record<ActResult, TargetOutcome> = {
  accepted: "running",
  success: "done",
  failure: "failed",
  unknown: "unknown",
};

/** Returns the reason to begin no more targets, as a sentence; null if they may go on. */
export function whyStopped(bulk: Bulk): string | null {
  if (bulk.stopped !== null) return bulk.stopped;
  const { failed, unknown, waiting } = tally(bulk);
  // A target that our crash interrupted says nothing about the next one.
  if (failed + unknown - bulk.interrupted.length < bulk.stopAfter || waiting === 0) return null;
  return `It stopped after ${count(bulk.stopAfter, "failure")}.`;
}

/** Describes the progress: "3 of 10 done, 1 failed, 6 to go." */
export function progressWords(bulk: Bulk): string {
  const sums = tally(bulk);
  const parts = [
    `${sums.done} of ${bulk.outcomes.length} done`,
    ...apart(sums),
    ...(sums.running > 0 ? [`${sums.running} under way`] : []),
    ...(sums.waiting > 0 ? [`${sums.waiting} ${bulk.stopped === null ? "to go" : "not begun"}`] : []),
  ];
  const stopped = bulk.stopped === null ? "" : ` ${bulk.stopped} The acts under way still go on to their end.`;
  return `${parts.join(", ")}.${stopped}`;
}

/** Describes the end: "9 of 10 were done and 1 failed." `first`: the name of the first target. */
export function bulkEndWords(bulk: Bulk, first: PlainText = ""): string {
  const sums = tally(bulk);
  const all = bulk.outcomes.length;
  const stopped = bulk.stopped === null ? [] : [bulk.stopped];
  if (sums.done === all) return all === 1 ? `${code(first, 60)} is done.` : `All ${all} are done.`;
  const parts = [
    `${sums.done} of ${all} ${sums.done === 1 ? "was" : "were"} done`,
    ...apart(sums),
    ...(sums.waiting > 0 ? [`${sums.waiting} ${sums.waiting === 1 ? "was" : "were"} not begun`] : []),
  ];
  return [...stopped, `${listing(parts)}.`].join(" ");
}

/** The bulk request after the target at this position was taken back; null if that is noted. Its way back is for the others alone. */
export function withTakenBack(request: Request, at: number, act: LaterAct): Amendment | null {
  const { bulk, next, laterActs } = request;
  if (!bulk || at < 0 || bulk.takenBack.includes(at)) return null;
  const others = laterActs.filter((one) => one.request !== act.request);
  return {
    ...withWayBack({ ...bulk, takenBack: [...bulk.takenBack, at] }, next, (place) => place !== at),
    laterActs: [...others, act].slice(-mostLaterActs),
  };
}

/** Each bulk request that takes some back has one entry. */
const mostLaterActs = 10;

/** The bulk request once some targets can no longer go back: its step, which wakes it at the next end, is for the others. */
export function withWayBack(
  bulk: Bulk,
  steps: Request["next"],
  canGoBack: (at: number, until: number | null) => boolean,
): { bulk: Bulk; next: Request["next"] } {
  const left = Object.entries(bulk.canGoBack).filter(([at, until]) => canGoBack(Number(at), until));
  const ends = left.flatMap(([, until]) => until ?? []);
  return {
    bulk: { ...bulk, canGoBack: Object.fromEntries(left) },
    next: left.length === 0 ? [] : steps.map(({ until: _, ...step }) => ({ ...step, ...earliest(ends) })),
  };
}

function earliest(ends: readonly number[]): { until?: number } {
  return ends.length > 0 ? { until: Math.min(...ends) } : {};
}

/** The button of the way back, with the number of the targets that can still take it. `label`: of the same for one, such as "Keep it". */
export function wayBackLabel(label: PlainText, bulk: Bulk): PlainText {
  const [done, left] = [tally(bulk).done, Object.keys(bulk.canGoBack).length];
  if (done === 1) return label;
  // Some may have no way back, or no longer: then nobody took back the others.
  const others = bulk.takenBack.length > 0 && bulk.takenBack.length + left === done ? "the other " : "";
  return plainly`${characters(label).replace(/ it$/, "")} ${left === done ? "all " : others}${left}`;
}

function apart(sums: Record<TargetOutcome, number>): string[] {
  return [
    ...(sums.failed > 0 ? [`${sums.failed} failed`] : []),
    ...(sums.unknown > 0 ? [`${sums.unknown} with unknown outcome`] : []),
    ...(sums["left out"] > 0 ? [`${sums["left out"]} left out`] : []),
  ];
}

/** The event that ends the request. A target that was left out, because it had changed, is no failure. */
export function bulkEnd(bulk: Bulk): "succeed" | "fail" {
  const { failed, unknown, waiting, done } = tally(bulk);
  return failed + unknown + waiting > 0 || done === 0 ? "fail" : "succeed";
}
