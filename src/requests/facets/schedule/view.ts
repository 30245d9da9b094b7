import type { Fact } from "../../../operation/answer.ts";
import { actions, type Block, button, context, type Message, paragraphs, textMessage } from "../../../views/blocks.ts";
import { duration, moment } from "../../../views/format.ts";
import { capital, listing } from "../../../views/text.ts";
import { rescheduleAction, withdrawAction } from "../../actions.ts";
import { partlyVisible } from "../../partly-visible.ts";
import { decisionNoun, identityLine, lossAfterTitle, type Request, titleOf } from "../../request.ts";
import type { PressEvent } from "../../states.ts";
import type { VisibleRequest } from "../../visibility.ts";
import { askedBecause, askedBy } from "../agent/view.ts";
import { latestStart } from "./record.ts";

/** The scheduled time as a fact of the decision. */
export function scheduleFact({ schedule }: Pick<Request, "schedule">): Fact[] {
  if (!schedule) return [];
  return [{ label: "When", value: `${moment(schedule.at)} ${schedule.said}`.trim() }];
}

/** Describes the state of a scheduled request. */
export function scheduleWords({ schedule }: Pick<Request, "schedule">): string {
  if (!schedule) return "It is scheduled.";
  const when = `It is scheduled for ${moment(schedule.at)}.`;
  return `${when} ${schedule.said}`.trim();
}

/** The promise below every scheduled request. It names approvers only if there are any. One changed target of several holds up no other. */
function schedulePromise({ approvals, bulk }: Pick<Request, "approvals" | "bulk">): string {
  const people = `the requester and their key${approvals.length > 0 ? ", the approvers and their keys" : ""}`;
  const [checked, changed, targets] = bulk
    ? [`${people}, and the rules`, "one of these", " A target that changed is left as it is, and the others are done."]
    : [`${people}, the rules and the facts`, "anything", ""];
  return `At that time Rackbell checks ${checked} again. If ${changed} changed, or it cannot start within ${duration(latestStart)}, nothing is done, and this message says so.${targets}`;
}

/** The notes and buttons of a scheduled request. */
export function scheduleBlocks(request: Request): Block[] {
  const { notice, mode } = request;
  // The notice of the pending message no longer applies. A request that nobody decided had no such message.
  return [
    ...(notice !== null && mode === "none" ? [context(notice)] : []),
    context(schedulePromise(request)),
    ...actions(scheduleButtons(request, null), "scheduled"),
  ];
}

/** `may`: the events that the one reader may cause; null: all readers of a channel see them. */
export function scheduleButtons({ id }: Pick<Request, "id">, may: ReadonlySet<PressEvent> | null) {
  return [
    ...(may === null || may.has("move") ? [button("Reschedule…", rescheduleAction, id)] : []),
    ...(may === null || may.has("withdraw") ? [button("Withdraw", withdrawAction, id)] : []),
  ];
}

/** A row in the list of schedules, reduced to the parts that its reader may see. */
export function scheduleRow(visible: VisibleRequest): Block[] {
  const { request, visibility, may } = visible;
  if (visibility !== "whole") return partlyVisible(visible);
  const { id, schedule, approvals } = request;
  const approved = approvals.map(({ slackUser: by }) => `<@${by}>`);
  const by = approved.length > 0 ? `, approved by ${listing(approved)}` : "";
  const line = `*${titleOf(request)}* · ${moment(schedule?.at ?? 0)} · ${askedBecause(request)}${by}`;
  return [
    ...paragraphs([line, identityLine(request), lossAfterTitle(request)].filter((each) => each)),
    ...actions(scheduleButtons(request, may), `scheduled:${id}`),
  ];
}

/** The reply when a scheduled request begins. */
export function startMessage(request: Request): Message {
  const proposed = request.agent === null ? "" : ` ${capital(askedBy(request))}.`;
  const checked = request.bulk
    ? "Each target is checked when its turn comes."
    : "Nothing changed since it was scheduled.";
  const text = `:arrow_forward: ${titleOf(request)}: it starts now, as scheduled.${proposed} ${checked}`;
  return textMessage(text);
}

/** The reply after a request was rescheduled. It mentions the approvers. */
export function rescheduledMessage(request: Request): Message {
  const { schedule, approvals, state, approvers } = request;
  const { slackUser } = request.requester;
  const to = moment(schedule?.at ?? 0);
  const words = schedule?.movedFrom
    ? `rescheduled it from ${moment(schedule.movedFrom)} to ${to}`
    : `scheduled it for ${to}`;
  const again = state === "pending" ? ` It needs ${decisionNoun(request)} for that time, and does not run before.` : "";
  const called =
    state === "pending" ? (approvers?.mention ?? "") : approvals.map(({ slackUser: by }) => `<@${by}>`).join(" ");
  const text = `:calendar: <@${slackUser}> ${words}.${again} ${called}`.trim();
  return textMessage(text);
}
