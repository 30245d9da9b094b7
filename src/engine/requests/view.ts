import type { Button } from "@slack/types";
import type { Fact } from "../../operation/answer.ts";
import { isSoldOn } from "../../operation/registry.ts";
import { actions, type Block, button, context, facts, type Message, section } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { clipMarkup, code, listing, prose, unmarked } from "../../views/text.ts";
import { projectWords } from "../answers/answers.ts";
import { countedValue } from "./bulk/count.ts";
import { countAction } from "./bulk/view.ts";
import { dialogOf, lowerFirst, styleOf } from "./dialog.ts";
import { planOf } from "./plan.ts";
import { plannedWords, whenFact } from "./planned-words.ts";
import { isCopying, type Request, type RequestState } from "./request.ts";

export const pressAction = "request:press";
export const copyFirstAction = "request:copy";
export const denyAction = "request:deny";
export const withdrawAction = "request:withdraw";
export const glassAction = "request:glass";
export const reviewAction = "request:review";
export const moveAction = "request:move";

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

/** "Reinstall `web-1`"; of what is sold on it says so, since the asker may have a service of their own by that name. */
export function titleOf(request: Pick<Request, "verb" | "target"> & { command?: string }): string {
  const sold = isSoldOn(request.command ?? "") ? " (sold on)" : "";
  return request.target ? `${request.verb} ${code(request.target.name)}${sold}` : request.verb;
}

/** A request that waits, as its channel, or its asker alone, sees it. `alone` adds what nobody else may see; `listed` is each of many. */
export function pendingMessage(request: Request, { alone, listed }: { alone: boolean; listed: Block[] }): Message {
  const title = titleOf(request);
  const called = request.mention ? ` ${request.mention}, please decide.` : "";
  const where = projectWords(request.project);
  const who = `<@${request.slackUser}> asks to *${title}*${where}`;
  const words = alone
    ? [`${request.risk === "spend" ? ":moneybag:" : ":warning:"} *${request.consequence}*${where}`]
    : [`${who}${called && `\n${called.trim()}`}`, `:warning: *${request.consequence}*`];
  const rows = [
    ...whenFact(request),
    ...reasonOf(request),
    ...request.described,
    ...request.material,
    ...request.shown,
    ...(request.copy ? [{ label: "Newest copy", value: request.copy.newest }] : []),
    ...(alone ? request.personal : []),
  ];
  return {
    text: alone ? request.consequence : `<@${request.slackUser}> asks: ${title}. ${request.consequence}${called}`,
    blocks: [
      ...words.map((line) => section(line)),
      ...facts(rows.map(({ label, value }) => ({ label, value: clipMarkup(value, 500) }))),
      ...(request.outcome ? [section(`:information_source: ${request.outcome}`)] : []),
      ...listed,
      ...copyBlocks(request),
      ...(request.rule ? [context(`The rule: ${request.rule}`)] : []),
      ...(request.notice ? [context(request.notice)] : []),
      context(
        `${alone ? "Only you see this." : whoMay(request)} It expires ${moment(request.expiresAt)}.${alone ? wayBack : ""}`,
      ),
      ...actions(buttonsOf(request), "request"),
    ],
  };
}

/** What the decision needs: one message is the same for everybody, so that all of them stand in it. */
export function buttonsOf(request: Request) {
  const { id, mode } = request;
  // The number that is typed for many stands in place of Slack's own dialog.
  const press = (label: string) =>
    request.bulk?.counted
      ? button(`${label.replace(/…$/, "")}…`, countAction, countedValue(request), { style: styleOf(request) })
      : button(label, pressAction, id, { style: styleOf(request), confirm: dialogOf(request) });
  const first = copyButtons(request);
  const later = laterButtons(request);
  if (mode !== "peer") return [press(request.press), ...first, ...later, button(request.back, withdrawAction, id)];
  const glass = request.breakable ? [button("Break the glass…", glassAction, id)] : [];
  return [
    press("Approve…"),
    ...first,
    button("Deny…", denyAction, id),
    ...later,
    button("Withdraw", withdrawAction, id),
    ...glass,
  ];
}

/** Who asked may still put it off: what costs money is never. */
function laterButtons({ id, risk, planned }: Request): Button[] {
  return risk === "spend" ? [] : [button(planned ? "Move…" : "Later…", moveAction, id)];
}

/** The safer way: the copy first, and then what was asked. */
function copyButtons(request: Request): Button[] {
  const { id, mode, copy } = request;
  if (!copy) return [];
  const label = mode === "peer" ? `Approve, ${lowerFirst(copy.label)}…` : `${copy.label}…`;
  return [button(label, copyFirstAction, id, { confirm: dialogOf(request, copy) })];
}

/** What the copy that can come first is, costs and is good for. */
function copyBlocks({ copy }: Request): Block[] {
  if (!copy) return [];
  const chosen = copy.step === "chosen" ? " It was chosen by who approved already, so it comes first in any case." : "";
  return [section(`:floppy_disk: *${copy.label}* ${copy.words}${chosen}`)];
}

/** A request that was decided, at any point of what came after; `more` stands under it: what was heard of it, what can be done next. */
export function decidedMessage(request: Request, more: Block[]): Message {
  const words = outcomeOf(request);
  const aside = asideOf(request);
  return {
    text: `${titleOf(request)}: ${words}`,
    blocks: [
      section(leadOf(request)),
      section(`${marks[request.state]} ${words}`),
      ...planOf(request, titleOf(request)),
      ...(aside ? [context(aside)] : []),
      ...stopBlocks(request),
      ...more,
    ],
  };
}

/** Until what was asked is begun, it can be stopped. */
function stopBlocks(request: Request): Block[] {
  if (!isCopying(request)) return [];
  return [
    context("Nothing else is done before the copy is there and the facts are found to be as they were."),
    ...actions([button(request.back, withdrawAction, request.id)], "copying"),
  ];
}

/** Tells everybody that a request was run without the approval that it needed, and asks another admin to look at it. */
export function glassMessage(request: Request): Message {
  const { glass, rule } = request;
  const text = `:rotating_light: <@${glass?.slackUser}> *broke the glass*: ${titleOf(request)}, asked by <@${request.slackUser}>, was run without approval.`;
  const reviewed = glass?.reviewedBy
    ? `:eyes: <@${glass.reviewedBy}> has looked at it.`
    : "Another admin must look at it.";
  return {
    text: `${text} ${reviewed}`,
    blocks: [
      section(text),
      ...facts([{ label: "Why", value: prose(glass?.reason ?? "", 500) }]),
      ...(rule ? [context(`The rule: ${rule}`)] : []),
      context(reviewed),
      ...(glass?.reviewedBy ? [] : actions([button("I have looked at it", reviewAction, request.id)], "glass")),
    ],
  };
}

/** Calls those who may decide it once more. */
export function reminderMessage(request: Request): Message {
  const text = `${request.mention ? `${request.mention} ` : ""}${titleOf(request)}, asked by <@${request.slackUser}>, still waits to be decided. It expires ${moment(request.expiresAt)}.`;
  return { text, blocks: [section(text)] };
}

/** The line that reaches people when an edit would not: the end, under the message that it belongs to. */
export function endingMessage(request: Request): Message {
  const title = titleOf(request);
  const rest = `${outcomeOf(request)} <@${request.slackUser}>`;
  // What came of one thing names it; of many it is their number alone, and more than one request may stand in a thread.
  const named = request.bulk ? `${title}: ${rest}` : rest;
  return { text: `${title}: ${marks[request.state]} ${rest}`, blocks: [section(`${marks[request.state]} ${named}`)] };
}

/** What its asker alone reads in the place of the question once the answer stands elsewhere. */
export function closingMessage(request: Request, where: string): Message {
  // What came of it is told once, where the answer stands; Slack lets this be edited only a few times.
  const short: Partial<Record<RequestState, string>> = { working: "under way.", done: "done." };
  const words = short[request.state] ?? outcomeOf(request);
  const text = `${marks[request.state]} ${titleOf(request)}: ${words}${where}`;
  return { text, blocks: [section(text)] };
}

/** The first line of what became of it: who did it, or asked and approved it. */
function leadOf(request: Request): string {
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

/** Why it is asked, and for whom, where somebody said so. */
function reasonOf({ reason, originator, described }: Request): Fact[] {
  const told = described.some(({ value }) => unmarked(value) === unmarked(code(reason, 300)));
  return [
    ...(originator ? [{ label: "Wanted by", value: `<@${originator}>, who cannot do it` }] : []),
    ...(reason && !told ? [{ label: "Why", value: prose(reason, 500) }] : []),
  ];
}

/** What was said before it was decided, the loss and why, stays readable afterwards. What was paid, the outcome says. */
function asideOf({ consequence, mode, reason, risk }: Request): string {
  const lines = [
    ...(consequence && risk !== "spend" ? [`What was asked: ${consequence}`] : []),
    ...(reason ? [`Why: ${prose(reason, 300)}`] : []),
  ];
  return mode === "none" ? "" : lines.join(" · ");
}

/** What came of it, in words: its own where it has some, else those of its state. */
export function outcomeOf(request: Request): string {
  const { job, outcome, state } = request;
  if (state === "working") return job?.text ?? outcome;
  if (state === "done" && job?.endedAt) return `${outcome} It took ${duration(job.endedAt - job.since)}.`;
  return outcome || stateWords(request);
}

/** What a state means, for a press that comes too late and for lists. */
export function stateWords(request: Request): string {
  const { decidedBy, decidedAt, state, mode } = request;
  const by = decidedBy ? ` by <@${decidedBy}>` : "";
  const when = decidedAt ? ` ${moment(decidedAt)}` : "";
  const is = mode === "none" ? "It is" : `It was approved${by} and is`;
  const was = mode === "none" ? "It was" : `It was approved${by} and`;
  const words: Record<RequestState, string> = {
    pending: "It waits to be decided.",
    claimed: `${is} being carried out.`,
    unknown: "The platform gave no clear answer; I am finding out what is really so.",
    planned: plannedWords(request),
    working: `${is} under way.`,
    done: `${was} done${when}.`,
    failed: `${was} accepted, and failed.`,
    left: `${was} accepted; how it ended I could not follow.`,
    refused: `${was} refused by the platform.`,
    undecided: "It could not be found out whether it was done.",
    expired: "It expired before anybody approved it. Nothing was done. Ask again if it is still wanted.",
    denied: `It was denied${by}${when}. Nothing was done.`,
    withdrawn: `It was withdrawn${by}${when}. Nothing was done.`,
    void: "It is void. Nothing was done.",
  };
  return words[state];
}

/** What one person alone is shown goes when their Slack reloads. */
const wayBack = " Should this message go away, `/rackbell approvals` has its buttons.";

function whoMay({ mode, slackUser, needed, approvals }: Request): string {
  if (mode !== "peer") return `Only <@${slackUser}> can press.`;
  if (needed < 2) return `Somebody other than <@${slackUser}> must approve, with a key of their own.`;
  const so = approvals.map(({ slackUser: by }) => `<@${by}>`);
  const far = so.length > 0 ? ` Approved by ${listing(so)}: ${so.length} of ${needed}.` : "";
  return `Two others than <@${slackUser}> must approve, each with a key of their own.${far}`;
}
