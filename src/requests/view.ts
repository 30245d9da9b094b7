import type { Button } from "@slack/types";
import { entryPlace } from "../audit/checkpoint.ts";
import { projectWords } from "../messages/answers/answers.ts";
import { unshownValues } from "../messages/answers/values.ts";
import { factsOfPreconditions } from "../operation/preconditions.ts";
import { type MadeStep, mentionWords, reachNotes } from "../policy/responsibility/steps.ts";
import type { PlainText } from "../process/plain-text.ts";
import {
  actions,
  type Block,
  button,
  context,
  type Message,
  paragraphs,
  section,
  textMessage,
} from "../views/blocks.ts";
import { duration, moment } from "../views/format.ts";
import { capital, code, count, listing, lowerFirst, prose } from "../views/text.ts";
import { askAgainAction, detailsAction, restAction, withdrawAction } from "./actions.ts";
import { agentWhy, askedBecause, askedBy, proposerOf } from "./facets/agent/view.ts";
import { choiceWords } from "./facets/backup-first/record.ts";
import { jobPlan } from "./facets/job/view.ts";
import { laterWords } from "./facets/later-acts/view.ts";
import { decidingOverride } from "./facets/override/record.ts";
import { overriddenWords } from "./facets/override/view.ts";
import { scheduleFact, scheduleWords } from "./facets/schedule/view.ts";
import {
  canBeAskedAgain,
  hasEndedUnsent,
  identityLine,
  isBackingUp,
  isCorrectable,
  isForRequesterAlone,
  lossAfterTitle,
  nothingDone,
  ownView,
  type Request,
  timedTitle,
  titleOf,
  unsentOutcome,
} from "./request.ts";
import { type Phase, type RequestState, states } from "./states.ts";

/** A request whose end nobody knows gets no tick, nor one that left some of its targets out. */
function markOf({ state, endUnknown, bulk, laterActs }: Request): string {
  if (bulk === null && laterActs.some(({ isBack }) => isBack)) return ":leftwards_arrow_with_hook:";
  if (state === "done" && endUnknown) return ":grey_question:";
  if (state === "done" && bulk?.outcomes.some((outcome) => outcome !== "done")) return ":warning:";
  return states[state].mark;
}

/** The reader of a decided message, and the number of the audit entry of the decision; null if it has none. */
export interface DecidedFor {
  /** Only the requester reads it. */
  alone: boolean;
  entry: string | null;
}

const everybody: DecidedFor = { alone: false, entry: null };

/** The message after the decision, in any later state. `more`: events and next steps below it. */
export function decidedMessage(request: Request, more: Block[], reader: DecidedFor = everybody): Message {
  const words = outcomeWords(reader.alone ? ownView(request) : request);
  const aside = hasRecord(request, reader) ? "" : asideText(request, words);
  return {
    text: `${titleOf(request)}: ${words}`,
    blocks: [
      section(leadLine(request), ...detailsButton(request)),
      ...paragraphs([`${markOf(request)} ${words}`]),
      ...jobPlan(request, titleOf(request)),
      ...(aside ? [context(aside)] : []),
      ...stopBlocks(request),
      ...more,
      ...recordBlocks(request, reader),
    ],
  };
}

/** The facts of the decision stay readable; a price only for its requester, whose message was private. */
function detailsButton(request: Request): Button[] {
  return request.mode === "none" ? [] : [button("Details…", detailsAction, request.id)];
}

/** The button that stops the request before its act begins. */
function stopBlocks(request: Request): Block[] {
  if (!isBackingUp(request)) return [];
  return [
    context("Nothing else runs before the backup exists and the facts are unchanged."),
    ...actions([button(request.review.back, withdrawAction, request.id)], "copying"),
  ];
}

/** Calls a member who linked a key after the request was posted, or is a stand-in since: an edit of its message notifies nobody. */
export function calledMessage(
  request: Request,
  { slackUser, insteadOf }: NonNullable<Request["approvers"]>["called"][number],
): Message {
  const why =
    insteadOf === null
      ? "you have now linked a key, so you can decide this"
      : `you are notified for @${prose(insteadOf, 60)}, who is away now`;
  const text = `<@${slackUser}>, ${why}: ${timedTitle(request)}, ${askedBecause(request)}.${lossAfterTitle(request, " ")} It expires ${moment(request.expiresAt)}.`;
  return textMessage(text);
}

/** Calls the approvers of a request that needs more approvals since a rule changed. */
export function raisedMessage(request: Request): Message {
  const { needed, approvals, approvers } = request;
  const far = approvals.length > 0 ? ` It has ${approvals.length}.` : "";
  const wants = `needs ${count(needed, "approval")}${request.ruling.admin ? ", one of them by an admin" : ""}`;
  const text = `${approvers?.mention ? `${approvers.mention}: ` : ""}a stricter rule is in effect. ${timedTitle(request)}, ${askedBecause(request)}, ${wants}.${far}${lossAfterTitle(request, " ")} It expires ${moment(request.expiresAt)}.`;
  return textMessage(text);
}

/** Calls the approvers whose approvals no longer count, since the requester chose the backup or took it back. */
export function changedBackupMessage(request: Request): Message {
  const { backupFirst, approvers, expiresAt } = request;
  const choice = backupFirst ? choiceWords(backupFirst, request) : "";
  const text = `${approvers?.mention ? `${approvers.mention}: ` : ""}${choice} Earlier approvals no longer count. ${timedTitle(request)}, ${askedBecause(request)}, awaits a decision again. It expires ${moment(expiresAt)}.`;
  return textMessage(text);
}

/** An earlier sending, and the loss, behind a sentence with the title. */
function lastFacts(request: Request): string {
  return ` ${sentBefore(request)}${lossAfterTitle(request)}`.trimEnd();
}

/** A step that notifies others of a pending request. `alone`: in the direct messages of somebody who is not in its channel. */
export function waitingMessage(request: Request, made: MadeStep, { alone }: { alone: boolean }): Message {
  const { kind, to, notified } = made;
  const mention = alone ? null : mentionWords(made);
  const nobodyThere = notified.length === 0 && kind !== "unanswered" ? [`Nobody of ${to} could be notified.`] : [];
  const still = kind === "notified" ? "" : "still ";
  const asked = `${timedTitle(request)}, ${askedBecause(request)}, ${still}awaits a decision.${lastFacts(request)}`;
  const end = kind === "unanswered" ? [":rotating_light: Nobody has taken this, and no further step follows."] : [];
  const where = alone ? ["`/rackbell approvals` has its buttons."] : reachNotes(made);
  const expiry = `It expires ${moment(request.expiresAt)}.`;
  return textMessage([...(mention ? [mention] : []), ...nobodyThere, ...end, asked, expiry, ...where].join(" "));
}

/** Says that a request waits again: `to` the requester alone, or to those who decide it. */
export function reopenedMessage(request: Request, to: "requester" | "deciders"): Message {
  const { mode, reopened, approvers, requester, outcome, expiresAt } = request;
  const called = to === "deciders" && approvers?.mention ? [approvers.mention] : [];
  const names = [`<@${requester.slackUser}>`, ...called].join(", ");
  const lost = reopened?.erased ? " Earlier approvals no longer count." : "";
  const text = `${names}: ${timedTitle(request)}, ${askedBecause(request)}, awaits ${mode === "peer" ? "a decision" : "a confirmation"} again. ${outcome}${lost} It expires ${moment(expiresAt)}.`;
  return textMessage(text);
}

/** A second sending is another decision than the first: whoever is called must know of that. */
function sentBefore({ unsettled, outcome }: Request): string {
  return unsettled ? `${outcome} ` : "";
}

/** Reminds the approvers. */
export function reminderMessage(request: Request): Message {
  const mention = request.approvers?.mention;
  const text = `${mention ? `${mention} ` : ""}${timedTitle(request)}, ${askedBecause(request)}, still awaits a decision.${lastFacts(request)} It expires ${moment(request.expiresAt)}.`;
  return textMessage(text);
}

/** The reply at the end: an edit would notify nobody. `apart`: it is a direct message, away from the request's message. */
export function endingMessage(request: Request, { apart }: { apart: boolean }): Message {
  const title = titleOf(request);
  const owner = `<@${request.requester.slackUser}>`;
  const rest = `${outcomeWords(request)} ${request.agent === null ? owner : `${capital(askedBy(request))}.`}`;
  // The outcome of a single act that was sent names its target. Others need the title, since several requests may share a thread.
  const named = request.bulk || apart || hasEndedUnsent(request) ? `${title}: ${rest}` : rest;
  return {
    text: `${title}: ${markOf(request)} ${rest}`,
    blocks: [...paragraphs([`${markOf(request)} ${named}`]), ...askAgainBlocks(request)],
  };
}

const underWay = () => "It is under way, and the outcome will be posted here.";

/** How it goes on after an approval. */
const afterApproval: Record<Exclude<Phase, "ended">, (request: Request) => string> = {
  pending({ needed, approvals }) {
    const left = needed - approvals.length;
    return `${left === 1 ? "One more member" : `${left} more members`} must approve it before anything is done.`;
  },
  scheduled: ({ schedule }) => `It is scheduled for ${moment(schedule?.at ?? 0)}.`,
  claimed: underWay,
  unknown: underWay,
  working: underWay,
};

/** Notifies the requester of an approval, before the end. */
export function approvedMessage(request: Request, phase: Exclude<Phase, "ended">): Message {
  const { slackUser } = request.requester;
  const who = listing(request.approvals.map(({ slackUser: by }) => `<@${by}>`));
  const then = afterApproval[phase](request);
  const text = `:ballot_box_with_check: <@${slackUser}>, ${who} approved ${whoseRequest(request)}: ${titleOf(request)}. ${then}`;
  return textMessage(text);
}

function whoseRequest({ agent }: Request): string {
  return agent === null ? "your request" : `the request of your agent ${code(agent.name, 40)}`;
}

/** The button that reopens the prefilled form, without secrets. A bulk request is repeated as it was. */
export function askAgainBlocks(request: Request): Block[] {
  if (!canBeAskedAgain(request)) return [];
  const isWrong = isCorrectable(request) && !request.form?.fits;
  const label = isWrong ? "Correct it…" : request.bulk ? "Ask again" : "Ask again…";
  return actions([button(label, request.bulk ? restAction : askAgainAction, request.id)], "again");
}

/** Replaces the requester's private question once the answer is public. */
export function closingMessage(request: Request, where: string, record: Block[] = []): Message {
  // The public message has the outcome; Slack allows only a few edits of this one.
  const short: Partial<Record<RequestState, string>> = { working: "under way.", done: "done." };
  const words = (request.endUnknown ? null : short[request.state]) ?? outcomeWords(request);
  const text = `${markOf(request)} ${titleOf(request)}: ${words}${where}`;
  const message = textMessage(text);
  return { ...message, blocks: [...message.blocks, ...record] };
}

/** The first line of the result: the requester and the approvers. */
function leadLine(request: Request): string {
  const { mode } = request;
  const asked = mode === "peer" || request.agent !== null ? askedBy(request) : proposerOf(request);
  return `*${titleOf(request)}* · ${asked}${approvedWords(request)}${placeWords(request)}`;
}

/**
 * For a member who works in a project: the act's own one, which an input or the resource itself may name otherwise. Of an act at once its
 * machine's line has it.
 */
function placeWords({ requester, identity, mode }: Request): string {
  return requester.project && mode !== "none" ? projectWords(identity.project ?? requester.project) : "";
}

function approvedWords(request: Request): string {
  const { state, approvals } = request;
  const override = decidingOverride(request);
  if (state === "pending" || hasEndedUnsent(request)) return "";
  if (override) return `, ${overriddenWords(request, override)}`;
  const users = approvals.map(({ slackUser }) => `<@${slackUser}>`);
  return users.length > 0 ? `, approved by ${listing(users)}` : "";
}

/** True if the reader saw its facts before the decision: a price, or what only its requester confirms, is for nobody else. */
function hasRecord(request: Request, { alone }: Pick<DecidedFor, "alone">): boolean {
  return request.mode !== "none" && (alone || !isForRequesterAlone(request));
}

/**
 * All that the message showed before the decision, with those who decided. Slack folds a long section: without `expand` it shows "see more".
 */
export function recordBlocks(request: Request, { alone, entry }: DecidedFor): Block[] {
  if (!hasRecord(request, { alone })) return [];
  const { review, reason, originator, agent } = request;
  const where = identityLine(request);
  const loss = lossAfterTitle(request);
  const facts = [
    ...scheduleFact(request),
    ...review.described,
    ...factsOfPreconditions(review.preconditions),
    ...review.shown,
    ...(alone ? review.personal : []),
    ...(originator ? [{ label: "Wanted by", value: `<@${originator}>` }] : []),
    ...(reason ? [{ label: "Why", value: prose(reason, 500) }] : []),
    ...(agent === null ? [] : [{ label: agentWhy.replace(/:$/, ""), value: prose(agent.why, 300) }]),
  ];
  const decisions = [...decisionLines(request), ...(entry === null ? [] : [`Audit entry ${entryPlace(entry)}`])];
  return paragraphs([
    "*As it was requested*",
    ...(where ? [where] : []),
    ...(loss ? [`Requested: ${loss}`] : []),
    ...new Set(facts.map(({ label, value }) => `${label}: ${value}`)),
    ...decisions,
  ]);
}

/** Each decision: by whom, with what, and when. */
function decisionLines(request: Request): string[] {
  const { approvals, decidedBy, decidedAt, state, proof, requester, mode } = request;
  const override = decidingOverride(request);
  const withKey = (member: string, key: PlainText) => {
    const passkey = proof?.by.some((by) => by.member === member) ? ", and their passkey" : "";
    return `with the key ${code(key)}${passkey}`;
  };
  const approved = approvals.map(
    ({ slackUser, member, key, at }) => `Approved by <@${slackUser}> ${moment(at)}, ${withKey(member, key)}`,
  );
  if (state === "pending") return approved;
  // An unknown outcome opened the request again, and with that erased who decided: the override keeps its own time.
  if (override) return [...approved, `Run without approval by <@${override.slackUser}> ${moment(override.at)}`];
  if (decidedBy === null || decidedAt === null) return approved;
  const verb = { denied: "Denied", withdrawn: "Withdrawn" }[String(state)];
  if (verb) return [...approved, `${verb} by <@${decidedBy}> ${moment(decidedAt)}`];
  if (mode === "peer" || decidedBy !== requester.slackUser) return approved;
  return [`Confirmed by <@${decidedBy}> ${moment(decidedAt)}, ${withKey(requester.member, requester.keyLabel)}`];
}

/** The machine of an act at once: its message has no *Details…*. An address that takes a call of its own was not read. */
function machineLine({ identity, ...request }: Request): string {
  const addressIs = identity.addressIs === "unread" ? "not of this kind" : identity.addressIs;
  return identityLine({ ...request, identity: { ...identity, addressIs } });
}

/** Keeps the machine, the loss and the reason readable after the decision. The outcome itself says what was paid. */
function asideText(request: Request, outcome: string): string {
  const { mode, reason, risk, verb, agent, state } = request;
  const where = mode === "none" ? machineLine(request) : "";
  // The outcome of a purchase says the price again, and not what its requester was warned of.
  const loss = risk === "spend" ? request.review.loss.slice(1).join(" ") : lossAfterTitle(request);
  const asked = (mode !== "none" || state === "scheduled") && loss ? [`Requested: ${loss}`] : [];
  const values = unshownValues(request.review, [outcome, prose(verb), ...asked]).map(
    ({ label, value }) => `${label}: ${value}`,
  );
  const why = mode !== "none" && reason ? [`Why: ${prose(reason, 300)}`] : [];
  const agentReason = agent === null ? [] : [`${agentWhy} ${prose(agent.why, 300)}`];
  return [...(where ? [where] : []), ...asked, ...values, ...why, ...agentReason].join(" · ");
}

/** The outcome in words, and the next steps that were done since. An act that was taken back begins with that. */
export function outcomeWords(request: Request): string {
  const [back, done] = laterWords(request);
  const words = `${ownOutcome(request)}${offeredWords(request)}`;
  return back === "" ? `${words}${done}` : `${back} Before that: ${words}${done}`;
}

/** The place of the one-time secrets, after a blank: whoever logs in next must know whom to ask. */
function offeredWords({ offered, requester }: Request): string {
  if (offered === null) return "";
  return ` In the direct messages of <@${requester.slackUser}> with me, behind *Reveal*: ${lowerFirst(offered)}.`;
}

/** The outcome alone; if it has none, the state in words. */
function ownOutcome(request: Request): string {
  const { job, outcome, state, endUnknown } = request;
  if (state === "working") return job?.text ?? outcome;
  if (state === "done" && !endUnknown && job?.endedAt)
    return `${outcome} It took ${duration(job.endedAt - job.since)}.`;
  return outcome || requestStateWords(request);
}

/** Describes a state, for late presses and for lists. */
export function requestStateWords(request: Request): string {
  const { decidedBy, decidedAt, state, mode } = request;
  const by = decidedBy ? ` by <@${decidedBy}>` : "";
  const override = decidingOverride(request);
  const when = decidedAt ? ` ${moment(decidedAt)}` : "";
  const alone = mode === "self" && decidedBy ? `<@${decidedBy}> confirmed it, and it` : null;
  const run = override ? `<@${override.slackUser}> ran it without approval, and it` : alone;
  const is = mode === "none" ? "It is" : run ? `${run} is` : `It was approved${by} and is`;
  const was = mode === "none" ? "It was" : run ? `${run} was` : `It was approved${by} and`;
  const words: Record<RequestState, string> = {
    pending: "It awaits a decision.",
    claimed: `${is} being carried out.`,
    unknown: "The platform gave no clear answer. I am checking the outcome.",
    scheduled: scheduleWords(request),
    working: `${is} under way.`,
    done: `${was} done${when}.`,
    failed: `${was} accepted, and failed.`,
    left: `${was} accepted, but Rackbell could not track it to its end.`,
    refused: `${was} refused by the platform.`,
    undone: `${was} not done.`,
    undecided: "The outcome stays unknown.",
    expired: unsentOutcome(
      request,
      mode === "peer"
        ? `It expired before it had its ${request.needed > 1 ? "approvals" : "approval"}.`
        : "It expired before it was confirmed.",
    ),
    denied: `It was denied${by}${when}. ${nothingDone(request)}`,
    withdrawn: `It was withdrawn${by}${when}. ${nothingDone(request)}`,
    void: `It was cancelled because something changed. ${nothingDone(request)}`,
  };
  return words[state];
}
