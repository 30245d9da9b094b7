import type { ConfirmationDialog } from "@slack/types";
import { unshownValues, valueSentences } from "../notifications/answers/values.ts";
import { identityFacts } from "../operation/identity.ts";
import { clockTime } from "../operation/schedule-input.ts";
import { confirmation } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";
import { clip, code, lowerFirst, oneLine, sentence, unmarked, withoutTimes } from "../views/text.ts";
import { isForRequesterAlone, type Request, shownIdentity } from "./request.ts";

/** Slack's confirmation dialog. It names the resource and the loss, and each of its buttons makes sense alone. */
export function dialogOf(request: Request, copy: Request["backupFirst"] = null): ConfirmationDialog {
  const name = request.target ? oneLine(request.target.name) : "";
  const loss = request.review.loss.map((sentence) => unmarked(withoutTimes(sentence)));
  const shown = request.target ? unmarked(code(request.target.name)) : "";
  const isNamed = loss.some((sentence) => sentence.includes(name) || sentence.includes(shown));
  const [first = "", ...others] = loss;
  const identity = shownIdentity(request);
  const opening = [
    ...[isNamed ? first : `${clip(name, 80)}: ${first}`, ...others],
    ...[...secondWords(request), ...scheduleWords(request), ...personalWords(request)],
    // A list or a busy channel shows several machines of one name.
    ...(identity ? [valueSentences(identityFacts(identity))] : []),
  ];
  const values = valueSentences(unshownValues(request.review, [opening.join(" ")]));
  const room = limits.confirm.text - (copy ? copy.brief.length + 1 : 0);
  const whole = wholeSentences([...opening, values], room);
  const text = copy ? `${whole} ${copy.brief}` : whole;
  return confirmation({
    title: copy ? `${copy.label}, then ${lowerFirst(request.review.press)}?` : `${pressWords(request)}?`,
    text,
    confirm: `Yes, ${lowerFirst(copy ? copy.label : request.schedule ? scheduleIt : request.review.press)}`,
    deny: request.review.back,
    style: styleOf(request),
  });
}

/** The first sentences that fit whole: a loss or a value that is cut would mislead. If any is left out, the dialog points at the details. */
function wholeSentences(sentences: readonly string[], room: number): string {
  const all = sentences.filter((sentence) => sentence !== "").join(" ");
  if (all.length <= room) return all;
  let text = "";
  for (const sentence of sentences) {
    const longer = text === "" ? sentence : `${text} ${sentence}`;
    if (longer.length + seeMessage.length < room) text = longer;
  }
  return `${text || clip(all, room - seeMessage.length - 1)} ${seeMessage}`;
}

function secondWords({ repeats }: Request): string[] {
  return repeats.length > 0 ? ["The same order was placed minutes ago. This orders a second one."] : [];
}

/** Replaces values that do not fit into the dialog. */
const seeMessage = "Details… shows every value.";

/** A press decides now, and the act runs later. The presser's time zone is unknown here, so no time is named. */
function scheduleWords({ schedule }: Request): string[] {
  return schedule ? ["This runs at the time in the message, not now."] : [];
}

/**
 * The label of the deciding button. A schedule never looks like an act at once; only a single reader's time zone is known, so only they see
 * the time.
 */
export function pressWords(request: Request): string {
  const { schedule, createdAt } = request;
  const { press } = request.review;
  if (!schedule) return press;
  return isForRequesterAlone(request) ? `Schedule for ${clockTime(schedule.at, schedule.zone, createdAt)}` : scheduleIt;
}

const scheduleIt = "Schedule it";

/** Facts for the requester alone, such as a balance. Left out if anybody else sees the button. */
function personalWords(request: Request): string[] {
  if (!isForRequesterAlone(request)) return [];
  return request.review.personal.map(({ label, value }) => sentence(`${label}: ${unmarked(value)}`));
}

/** Red marks a press that destroys something at once. */
export function styleOf({ risk, schedule }: Request): "danger" | "primary" {
  return risk === "spend" || schedule ? "primary" : "danger";
}
