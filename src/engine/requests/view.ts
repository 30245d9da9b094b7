import type { ConfirmationDialog } from "@slack/types";
import {
  actions,
  type Block,
  button,
  confirmation,
  context,
  facts,
  type Message,
  section,
} from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { clip, clipMarkup, code, oneLine, unmarked } from "../../views/text.ts";
import { projectWords } from "../answers/answers.ts";
import type { Request } from "./request.ts";

export const pressAction = "request:press";
export const discardAction = "request:discard";

const marks: Record<Request["state"], string> = {
  pending: ":raised_hand:",
  claimed: ":hourglass_flowing_sand:",
  done: ":white_check_mark:",
  refused: ":x:",
  unknown: ":grey_question:",
  expired: ":alarm_clock:",
  discarded: ":wastebasket:",
  void: ":no_entry_sign:",
};

/** "Reinstall `web-1`". */
export function titleOf(request: Pick<Request, "verb" | "target">): string {
  return request.target ? `${request.verb} ${code(request.target.name)}` : request.verb;
}

/** The request as its channel, or its asker alone, sees it now. `alone` adds what nobody else may see. */
export function requestMessage(
  request: Request,
  options: { alone: boolean; mention?: string | null; steps?: Block[]; note?: string | null },
): Message {
  const { alone, mention, steps = [], note } = options;
  const title = titleOf(request);
  if (request.state !== "pending") return decided(request, title, steps);
  const who = `<@${request.slackUser}> asks to *${title}*${projectWords(request.project)}`;
  return {
    text: `${mention ? `${mention} ` : ""}<@${request.slackUser}> asks: ${title}. ${request.loss}`,
    blocks: [
      section(
        `${mention ? `${mention} ` : ""}${alone && request.risk === "spend" ? `*${title}*${projectWords(request.project)}` : who}`,
      ),
      section(`:warning: *${request.loss}*`),
      ...facts(
        [...request.described, ...request.material, ...request.shown, ...(alone ? request.personal : [])].map(verbatim),
      ),
      ...(request.words ? [section(`:information_source: ${request.words}`)] : []),
      ...(note ? [context(note)] : []),
      context(`${whoMay(request)} It expires ${moment(request.expiresAt)}.`),
      ...actions(
        [
          button(request.verb, pressAction, request.id, { style: styleOf(request), confirm: dialogOf(request) }),
          button("Discard", discardAction, request.id),
        ],
        "request",
      ),
    ],
  };
}

/** The first line of what became of it: who asked, who approved, what. */
export function leadOf(request: Request): string {
  const { slackUser, decidedBy, mode, project } = request;
  const approved = mode === "peer" && decidedBy && decidedBy !== slackUser ? `, approved by <@${decidedBy}>` : "";
  return `*${titleOf(request)}* · asked by <@${slackUser}>${approved}${projectWords(project)}`;
}

function decided(request: Request, title: string, steps: Block[]): Message {
  const words = request.words || stateWords(request);
  const aside = asideOf(request);
  return {
    text: `${title}: ${words}`,
    blocks: [
      section(leadOf(request)),
      section(`${marks[request.state]} ${words}`),
      ...(aside ? [context(aside)] : []),
      ...steps,
    ],
  };
}

/** What was said before it was decided: the loss or the price, which stays readable afterwards. */
export function asideOf({ loss }: Request): string {
  return loss ? `What was asked: ${loss}` : "";
}

/** What a state means, for a press that comes too late. */
export function stateWords(request: Request): string {
  const by = request.decidedBy ? ` by <@${request.decidedBy}>` : "";
  const when = request.decidedAt ? ` ${moment(request.decidedAt)}` : "";
  const words: Record<Request["state"], string> = {
    pending: "It waits to be decided.",
    claimed: `It was approved${by} and is being carried out.`,
    done: `It was approved${by} and done${when}.`,
    refused: `It was approved${by}, and the platform refused it.`,
    unknown: "The platform gave no clear answer; I am finding out what is really so.",
    expired: "It expired before anybody approved it. Nothing was done. Ask again if it is still wanted.",
    discarded: `It was discarded${by}${when}. Nothing was done.`,
    void: "It is void. Nothing was done.",
  };
  return words[request.state];
}

function whoMay({ mode, slackUser }: Request): string {
  return mode === "self"
    ? `Only <@${slackUser}> can press.`
    : `Somebody other than <@${slackUser}> must approve, with a key of their own.`;
}

/** What Slack asks before a press counts: it names the thing and the loss. */
export function dialogOf(request: Request): ConfirmationDialog {
  const name = request.target ? oneLine(request.target.name) : "";
  const loss = unmarked(request.loss);
  const named = name === "" || loss.includes(name);
  const text = clip(named ? loss : `${clip(name, 80)}: ${loss}`, limits.confirm.text);
  return confirmation(clip(`${request.verb} ${name}`.trim(), 90), text, request.verb, styleOf(request));
}

/** Red is for what destroys. */
export function styleOf({ risk }: Request): "danger" | "primary" {
  return risk === "spend" ? "primary" : "danger";
}

function verbatim({ label, value }: { label: string; value: string }): { label: string; value: string } {
  return { label, value: clipMarkup(value, 500) };
}
