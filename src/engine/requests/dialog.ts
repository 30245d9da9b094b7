import type { ConfirmationDialog } from "@slack/types";
import { zoneTime } from "../../operation/when.ts";
import { confirmation } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { clip, oneLine, sentence, unmarked } from "../../views/text.ts";
import { isAskedAlone, type Request } from "./request.ts";

/** What Slack asks before a press counts: it names the thing and the loss, and either of its buttons reads alone. */
export function dialogOf(request: Request, copy: Request["copy"] = null): ConfirmationDialog {
  const name = request.target ? oneLine(request.target.name) : "";
  const consequence = unmarked(request.consequence);
  const named = name === "" || consequence.includes(name);
  const lead = named ? consequence : `${clip(name, 80)}: ${consequence}`;
  const said = [lead, ...laterWords(request), ...ownWords(request)].join(" ");
  // The loss and the copy are both told, whatever must be cut.
  const text = copy
    ? `${clip(said, limits.confirm.text - copy.brief.length - 1)} ${copy.brief}`
    : clip(said, limits.confirm.text);
  return confirmation({
    title: copy ? `${copy.label}, then ${lowerFirst(request.press)}?` : `${request.press}?`,
    text,
    confirm: `Yes, ${lowerFirst(copy ? copy.label : request.press)}`,
    deny: request.back,
    style: styleOf(request),
  });
}

/** A press decides it now, and does it then. */
function laterWords({ planned }: Request): string[] {
  return planned ? [`It is done ${zoneTime(planned.at, planned.zone)}, and not now.`] : [];
}

/** What its asker alone may read (a balance), where nobody else is shown the button. */
function ownWords(request: Request): string[] {
  if (!isAskedAlone(request)) return [];
  return request.personal.map(({ label, value }) => sentence(`${label}: ${unmarked(value)}`));
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Red is for what destroys. */
export function styleOf({ risk }: Request): "danger" | "primary" {
  return risk === "spend" ? "primary" : "danger";
}
