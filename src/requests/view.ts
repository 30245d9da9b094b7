import type { Button } from "@slack/types";
import { projectWords } from "../notifications/answers/answers.ts";
import { unsaidValues } from "../notifications/answers/values.ts";
import type { Fact } from "../operation/answer.ts";
import { factsOfPreconditions } from "../operation/preconditions.ts";
import { actions, type Block, button, context, facts, type Message, section } from "../views/blocks.ts";
import { duration, moment } from "../views/format.ts";
import { clipMarkup, code, listing, prose, unmarked } from "../views/text.ts";
import {
  askAgainAction,
  backupFirstAction,
  countAction,
  denyAction,
  pressAction,
  pressSecondAction,
  rescheduleAction,
  restAction,
  withdrawAction,
} from "./actions.ts";
import { dialogOf, lowerFirst, pressWords, styleOf } from "./dialog.ts";
import { countModalValue } from "./facets/bulk/view.ts";
import { planOf } from "./facets/job/track.ts";
import { overrideButtons } from "./facets/override/view.ts";
import { scheduleFact, scheduleWords } from "./facets/schedule/view.ts";
import { canBeAskedAgain, isBackingUp, type Request, titleOf } from "./request.ts";
import type { RequestState } from "./states.ts";

const marks: Record<RequestState, string> = {
  pending: ":raised_hand:",
  claimed: ":hourglass_flowing_sand:",
  unknown: ":grey_question:",
  planned: ":calendar:",
  working: ":hourglass_flowing_sand:",
  done: ":white_check_mark:",
  failed: ":x:",
  left: ":grey_question:",
  refused: ":x:",
  undecided: ":grey_question:",
  expired: ":alarm_clock:",
  denied: ":no_entry_sign:",
  withdrawn: ":wastebasket:",
  void: ":no_entry_sign:",
};

/** A request whose end nobody knows gets no tick, nor one that left some of its targets out. */
function markOf({ state, endUnknown, bulk }: Pick<Request, "state" | "endUnknown" | "bulk">): string {
  if (state === "done" && endUnknown) return ":grey_question:";
  if (state === "done" && bulk?.outcomes.some((outcome) => outcome !== "done")) return ":warning:";
  return marks[state];
}

/** The pending message. `alone`: only the requester sees it, with their personal facts; `listed`: blocks about each target. */
export function pendingMessage(request: Request, { alone, listed }: { alone: boolean; listed: Block[] }): Message {
  const title = titleOf(request);
  const called = request.mention ? ` ${request.mention}, please decide.` : "";
  const where = projectWords(request.project);
  const who = `<@${request.slackUser}> asks to ${request.planned ? "schedule: " : ""}*${title}*${where}`;
  const words = alone
    ? [`${request.risk === "spend" ? ":moneybag:" : ":warning:"} *${request.consequence}*${where}`]
    : [`${who}${called && `\n${called.trim()}`}`, `:warning: *${request.consequence}*`];
  const preconditions = factsOfPreconditions(request.preconditions);
  const rows = [
    ...scheduleFact(request),
    ...reasonFacts(request),
    ...unsaidValues(request, [request.consequence, ...valuesOf(preconditions), ...valuesOf(request.shown)]),
    ...preconditions,
    ...request.shown,
    ...(request.copy ? [{ label: "Last backup", value: request.copy.newest }] : []),
    ...(alone ? request.personal : []),
  ];
  return {
    text: alone ? request.consequence : `<@${request.slackUser}> asks: ${title}. ${request.consequence}${called}`,
    blocks: [
      ...words.map((line) => section(line)),
      ...facts(rows.map(({ label, value }) => ({ label, value: clipMarkup(value, 500) }))),
      ...(request.outcome ? [section(`:information_source: ${request.outcome}`)] : []),
      ...listed,
      ...backupBlocks(request),
      ...(request.rule ? [context(`The rule: ${request.rule}`)] : []),
      ...(request.notice ? [context(request.notice)] : []),
      ...(request.tooFew ? [context(request.tooFew)] : []),
      context(
        `${alone ? "Only you see this." : pressersWords(request)} It expires ${moment(request.expiresAt)}.${alone ? reloadAdvice : ""}`,
      ),
      ...actions(buttonsOf(request), "request"),
    ],
  };
}

/** The deciding buttons. One message serves all readers, so it has the buttons of all of them. */
export function buttonsOf(request: Request) {
  const { id, mode } = request;
  // Typing the number of targets replaces Slack's confirmation dialog.
  const press = (label: string) =>
    request.bulk?.counted
      ? button(`${label.replace(/…$/, "")}…`, countAction, countModalValue(request), { style: styleOf(request) })
      : button(label, request.repeats.length > 0 ? pressSecondAction : pressAction, id, {
          style: styleOf(request),
          confirm: dialogOf(request),
        });
  if (request.unsettled)
    return [press(request.press), button(`Do not ${lowerFirst(request.press)}`, withdrawAction, id)];
  const first = backupButtons(request);
  const later = scheduleButtonsOf(request);
  if (mode !== "peer")
    return [press(pressWords(request)), ...first, ...later, button(request.back, withdrawAction, id)];
  return [
    press("Approve…"),
    ...first,
    button("Deny…", denyAction, id),
    ...later,
    button("Withdraw", withdrawAction, id),
    ...overrideButtons(request),
  ];
}

/** The requester may still schedule it. An act that costs money cannot be scheduled, since its price is of now. */
function scheduleButtonsOf({ id, risk, planned }: Request): Button[] {
  return risk === "spend" ? [] : [button(planned ? "Reschedule…" : "Schedule…", rescheduleAction, id)];
}

/** The button that takes the backup first. */
function backupButtons(request: Request): Button[] {
  const { id, mode, copy } = request;
  if (!copy) return [];
  const label = mode === "peer" ? `Approve, ${lowerFirst(copy.label)}…` : `${copy.label}…`;
  return [button(label, backupFirstAction, id, { confirm: dialogOf(request, copy) })];
}

/** Describes the backup: what it saves, and what it costs. */
function backupBlocks({ copy }: Request): Block[] {
  if (!copy) return [];
  const chosen = copy.step === "chosen" ? " An approver already chose it, so it comes first in any case." : "";
  return [section(`:floppy_disk: *${copy.label}* ${copy.words}${chosen}`)];
}

/** The message after the decision, in any later state. `more`: events and next steps below it. */
export function decidedMessage(request: Request, more: Block[]): Message {
  const words = outcomeOf(request);
  const aside = asideText(request, words);
  return {
    text: `${titleOf(request)}: ${words}`,
    blocks: [
      section(leadLine(request)),
      section(`${markOf(request)} ${words}`),
      ...planOf(request, titleOf(request)),
      ...(aside ? [context(aside)] : []),
      ...stopBlocks(request),
      ...more,
    ],
  };
}

/** The button that stops the request before its act begins. */
function stopBlocks(request: Request): Block[] {
  if (!isBackingUp(request)) return [];
  return [
    context("Nothing else runs before the backup exists and the facts are unchanged."),
    ...actions([button(request.back, withdrawAction, request.id)], "copying"),
  ];
}

/** Calls a member who linked a key after the request was posted: an edit of its message notifies nobody. */
export function calledMessage(request: Request, approver: string): Message {
  const text = `<@${approver}>, you have now linked a key, so you can decide this: ${titleOf(request)}, asked by <@${request.slackUser}>. It expires ${moment(request.expiresAt)}.`;
  return { text, blocks: [section(text)] };
}

/** Reminds the approvers. */
export function reminderMessage(request: Request): Message {
  const text = `${request.mention ? `${request.mention} ` : ""}${titleOf(request)}, asked by <@${request.slackUser}>, still awaits a decision. It expires ${moment(request.expiresAt)}.`;
  return { text, blocks: [section(text)] };
}

/** The reply at the end: an edit would notify nobody. `apart`: it is a direct message, away from the request's message. */
export function endingMessage(request: Request, { apart }: { apart: boolean }): Message {
  const title = titleOf(request);
  const rest = `${outcomeOf(request)} <@${request.slackUser}>`;
  // The outcome of a single act names its target. Other outcomes need the title, since several requests may share a thread.
  const named = request.bulk || apart || notBegun(request) ? `${title}: ${rest}` : rest;
  return {
    text: `${title}: ${markOf(request)} ${rest}`,
    blocks: [section(`${markOf(request)} ${named}`), ...askAgainBlocks(request)],
  };
}

/** It was never sent, so its outcome names no resource. */
function notBegun({ state }: Pick<Request, "state">): boolean {
  return ["denied", "expired", "withdrawn", "void"].includes(state);
}

/** Notifies the requester of an approval, before the end. */
export function approvedMessage(request: Request): Message {
  const { slackUser, approvals, needed, state, planned } = request;
  const who = listing(approvals.map(({ slackUser: by }) => `<@${by}>`));
  const left = needed - approvals.length;
  const then =
    state === "pending"
      ? `${left === 1 ? "One more member" : `${left} more members`} must approve it before anything is done.`
      : state === "planned"
        ? `It is scheduled for ${moment(planned?.at ?? 0)}.`
        : "It is under way, and the outcome will be posted here.";
  const text = `:ballot_box_with_check: <@${slackUser}>, ${who} approved your request: ${titleOf(request)}. ${then}`;
  return { text, blocks: [section(text)] };
}

/** The button that reopens the prefilled form, without secrets. A bulk request is repeated as it was. */
export function askAgainBlocks(request: Request): Block[] {
  if (!canBeAskedAgain(request)) return [];
  const label = request.bulk ? "Ask again" : "Ask again…";
  return actions([button(label, request.bulk ? restAction : askAgainAction, request.id)], "again");
}

/** Replaces the requester's private question once the answer is public. */
export function closingMessage(request: Request, where: string): Message {
  // The public message has the outcome; Slack allows only a few edits of this one.
  const short: Partial<Record<RequestState, string>> = { working: "under way.", done: "done." };
  const words = (request.endUnknown ? null : short[request.state]) ?? outcomeOf(request);
  const text = `${markOf(request)} ${titleOf(request)}: ${words}${where}`;
  return { text, blocks: [section(text)] };
}

/** The first line of the result: the requester and the approvers. */
function leadLine(request: Request): string {
  const { slackUser, mode, project } = request;
  const asked = mode === "peer" ? `asked by <@${slackUser}>` : `<@${slackUser}>`;
  return `*${titleOf(request)}* · ${asked}${approvedWords(request)}${projectWords(project)}`;
}

function approvedWords({ state, approvals, glass }: Request): string {
  if (["pending", "expired", "denied", "withdrawn", "void"].includes(state)) return "";
  if (glass) return `, run without approval by <@${glass.slackUser}>`;
  const users = approvals.map(({ slackUser }) => `<@${slackUser}>`);
  return users.length > 0 ? `, approved by ${listing(users)}` : "";
}

/** The reason, and the member who wanted it first. */
function reasonFacts({ reason, originator, described }: Request): Fact[] {
  const told = described.some(({ value }) => unmarked(value) === unmarked(code(reason, 300)));
  return [
    ...(originator ? [{ label: "Wanted by", value: `<@${originator}>, who cannot do it` }] : []),
    ...(reason && !told ? [{ label: "Why", value: prose(reason, 500) }] : []),
  ];
}

/** Keeps the loss and the reason readable after the decision. The outcome itself says what was paid. */
function asideText(request: Request, outcome: string): string {
  const { consequence, mode, reason, risk, verb } = request;
  const asked = mode !== "none" && consequence && risk !== "spend" ? [`Requested: ${consequence}`] : [];
  const values = unsaidValues(request, [outcome, verb, ...asked]).map(({ label, value }) => `${label}: ${value}`);
  const why = mode !== "none" && reason ? [`Why: ${prose(reason, 300)}`] : [];
  return [...asked, ...values, ...why].join(" · ");
}

function valuesOf(rows: readonly Fact[]): string[] {
  return rows.map(({ value }) => value);
}

/** The outcome in words; if it has none, the state in words. */
export function outcomeOf(request: Request): string {
  const { job, outcome, state, endUnknown } = request;
  if (state === "working") return job?.text ?? outcome;
  if (state === "done" && !endUnknown && job?.endedAt)
    return `${outcome} It took ${duration(job.endedAt - job.since)}.`;
  return outcome || stateWords(request);
}

/** Describes a state, for late presses and for lists. */
export function stateWords(request: Request): string {
  const { decidedBy, decidedAt, state, mode } = request;
  const by = decidedBy ? ` by <@${decidedBy}>` : "";
  const when = decidedAt ? ` ${moment(decidedAt)}` : "";
  const is = mode === "none" ? "It is" : `It was approved${by} and is`;
  const was = mode === "none" ? "It was" : `It was approved${by} and`;
  const words: Record<RequestState, string> = {
    pending: "It awaits a decision.",
    claimed: `${is} being carried out.`,
    unknown: "The platform gave no clear answer. I am checking the outcome.",
    planned: scheduleWords(request),
    working: `${is} under way.`,
    done: `${was} done${when}.`,
    failed: `${was} accepted, and failed.`,
    left: `${was} accepted, but Rackbell could not track it to its end.`,
    refused: `${was} refused by the platform.`,
    undecided: "The outcome stays unknown.",
    expired: "It expired before anybody approved it. Nothing was done. Ask again if it is still wanted.",
    denied: `It was denied${by}${when}. Nothing was done.`,
    withdrawn: `It was withdrawn${by}${when}. Nothing was done.`,
    void: "It was cancelled because something changed. Nothing was done.",
  };
  return words[state];
}

/** Slack drops private messages when it reloads. */
const reloadAdvice = " If this message disappears, `/rackbell approvals` has its buttons.";

function pressersWords({ mode, slackUser, needed, approvals, admin }: Request): string {
  if (mode !== "peer") return `Only <@${slackUser}> can press.`;
  if (needed < 2 && admin) return `An admin other than <@${slackUser}> must approve, with a key of their own.`;
  if (needed < 2) return `Somebody other than <@${slackUser}> must approve, with a key of their own.`;
  const so = approvals.map(({ slackUser: by }) => `<@${by}>`);
  const far = so.length > 0 ? ` Approved by ${listing(so)}: ${so.length} of ${needed}.` : "";
  return `Two others than <@${slackUser}> must approve, each with a key of their own${admin ? ", and one of them must be an admin" : ""}.${far}`;
}
