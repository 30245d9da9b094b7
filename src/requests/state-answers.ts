import type { Origin } from "../messages/origin.ts";
import type { RequestsApp } from "./app.ts";
import { proposerOf } from "./facets/agent/view.ts";
import { plainFor } from "./facets/passkey/page.ts";
import { decisionNoun, hasEnded, type MemberRef, type Request, titleOf } from "./request.ts";
import { underWayWords } from "./resource-lock.ts";
import { cellOf, isBeforeMainAct, type PressEvent, states } from "./states.ts";
import { step } from "./step.ts";
import { readRequest } from "./store.ts";
import { outcomeWords, requestStateWords } from "./view.ts";
import { accessOf } from "./visibility.ts";

// Answers to presses that change nothing: no press stays without an answer.

/** True if the outcome says why the request is in the state. Else it is of an earlier state, or the result of the act, which no late press needs. */
function isOutcomeReason({ state }: Pick<Request, "state">): boolean {
  const { phase, accepted } = states[state];
  return !accepted && phase !== "claimed" && phase !== "scheduled";
}

/** Tells the present state. */
export async function sayState(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const request = await readRequest(app, id);
  if (!request) return app.reply.say(origin, "That request is no longer known, so this changed nothing.");
  const { state, decidedBy } = request;
  if ((state === "claimed" || state === "working") && decidedBy && decidedBy !== origin.slackUser)
    return app.reply.say(origin, `<@${decidedBy}> pressed first. Yours changed nothing.`);
  const isReason = isOutcomeReason(request) || isBeforeMainAct(request);
  const words = isReason && request.outcome ? outcomeWords(request) : requestStateWords(request);
  await sayVisible(app, request, origin, words);
}

/** The same, unless the presser's modal shows the request anyway. */
export async function sayUnseen(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const request = await readRequest(app, id);
  if (!request || (origin.view !== null && request.origin.view?.id === origin.view.id)) return;
  await sayVisible(app, request, origin, outcomeWords(request));
}

/** Tells the state after a lost answer to a press. `lead`: says how it was lost. */
export async function sayLost(app: RequestsApp, id: string, origin: Origin, lead: string): Promise<void> {
  const request = await readRequest(app, id);
  if (!request) return app.reply.say(origin, `${lead} That request is no longer known.`);
  // Nobody edits this answer later, so it must not name a state that will change. Nor that it counted: another press may have been first.
  const goesOn = "The request goes on, and its own message shows the outcome.";
  const so = hasEnded(request) ? outcomeWords(request) : goesOn;
  if (request.state !== "pending") return sayVisible(app, request, origin, so, `${lead} `);
  const counted = request.approvals.some(({ member }) => member === origin.member);
  const words = counted
    ? "It counted, and others must still approve."
    : "It did not count, and the request still waits. Press again if you still need it.";
  await app.reply.say(origin, `${lead} ${words}`);
}

/** Tells that another act is being sent for the same resource. */
export function sayLocked(app: RequestsApp, holder: unknown, origin: Origin): Promise<void> {
  return app.reply.say(origin, underWayWords(holder));
}

async function sayVisible(app: RequestsApp, request: Request, origin: Origin, words: string, lead = ""): Promise<void> {
  await app.reply.say(origin, `${lead}${await visibleWords(app, request, origin, words)}`);
}

/** Words the state, but no more than the viewer may see now: they may have lost access since a button or a link was made. */
async function visibleWords(app: RequestsApp, request: Request, viewer: MemberRef, words: string): Promise<string> {
  const visibility = await accessOf(app, viewer).at(request);
  if (visibility === "whole") return `${titleOf(request)}: ${words}`;
  if (visibility === "named") return `${titleOf(request)}: ${requestStateWords(request)}`;
  if (visibility === "waiting") return `The request of ${proposerOf(request)}: ${requestStateWords(request)}`;
  return "You cannot see that request, because no key of yours can see its resource. Your press changed nothing.";
}

/** The present state of a request in plain words, for a page outside Slack. */
export async function stateText(app: RequestsApp, id: string, viewer: MemberRef): Promise<string> {
  const request = await readRequest(app, id);
  if (!request) return "That request is no longer known.";
  return plainFor(app.people, viewer.slackUser, await visibleWords(app, request, viewer, outcomeWords(request)));
}

/** Reads the request that a member pressed, if the event can happen in its state. Otherwise tells them the state and returns null. */
export async function findFor(
  app: RequestsApp,
  event: PressEvent,
  id: string,
  origin: Origin,
): Promise<Request | null> {
  const request = await readRequest(app, id);
  if (request?.state === "pending" && app.clock.now() >= request.expiresAt) await expire(app, request);
  else if (request && cellOf(event, request)) return request;
  await sayState(app, id, origin);
  return null;
}

/** Expires a request that was not decided in time. Resolves to null if another process took a step first. */
export function expire(app: RequestsApp, request: Request): Promise<Request | null> {
  const wanted = `${decisionNoun(request)}${request.needed > 1 ? "s" : ""}`;
  return step(app, request, "expire", { outcome: "" }, { auditOutcome: `It did not have its ${wanted} in time.` });
}
