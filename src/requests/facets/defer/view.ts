import type { Button } from "@slack/types";
import { button, type Message, textMessage } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { deferAction } from "../../actions.ts";
import { lossAfterTitle, type Request, timedTitle, titleOf } from "../../request.ts";
import { askedBecause } from "../agent/view.ts";
import { isDeferred } from "./record.ts";

/** Says that it is deferred, or was; nothing of any other request. */
export function deferralWords(request: Pick<Request, "deferred" | "state">): string[] {
  const { deferred } = request;
  if (!deferred) return [];
  const { slackUser, until, reason, unread } = deferred;
  if (isDeferred(request)) return [`:zzz: <@${slackUser}> deferred it until ${moment(until)}: ${reason}`];
  const read = unread === null ? "Its facts were read again, and none changed." : unread;
  return [`:alarm_clock: <@${slackUser}> had deferred it until ${moment(until)}: ${reason} ${read}`];
}

export function deferButton({ id, mode, unsettled }: Pick<Request, "id" | "mode" | "unsettled">): Button[] {
  return mode === "peer" && !unsettled ? [button("Defer…", deferAction, id)] : [];
}

/** Notifies the requester of a deferral. */
export function deferredMessage(
  request: Request,
  { slackUser, until, reason }: NonNullable<Request["deferred"]>,
): Message {
  const { requester, expiresAt } = request;
  return textMessage(
    `:zzz: <@${requester.slackUser}>, <@${slackUser}> deferred your request until ${moment(until)}: ${reason} ${titleOf(request)} still waits, and can be decided before. It expires ${moment(expiresAt)}.`,
  );
}

/** Calls those who decide it once the time of its deferral is over. */
export function resumedMessage(request: Request): Message {
  const { approvers, expiresAt } = request;
  const mention = approvers?.mention;
  const [words = ""] = deferralWords(request);
  return textMessage(
    `${mention ? `${mention}: ` : ""}${timedTitle(request)}, ${askedBecause(request)}, awaits a decision again.${lossAfterTitle(request, " ")} It expires ${moment(expiresAt)}.\n${words}`,
  );
}
