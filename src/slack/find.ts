import type { ExternalSelect } from "@slack/types";
import { answerView } from "../engine/answers/answer-view.ts";
import { packInvocation } from "../engine/answers/buttons.ts";
import { menuRow } from "../engine/answers/menus.ts";
import type { Origin } from "../engine/answers/origin.ts";
import { toldApart } from "../engine/resolve.ts";
import type { Hits } from "../engine/things/finder.ts";
import { context, plain, section, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";
import { clip, oneLine } from "../views/text.ts";
import { optionOf } from "./forms/form-view.ts";

/** The field that searches everything has this action id; what is chosen in it is the invocation that shows it. */
export const findAction = "find";

/** The modal that searches over everything that a member can see. */
export function findView(origin: Origin): View {
  const field: ExternalSelect = {
    type: "external_select",
    action_id: findAction,
    placeholder: plain("Name, address or id", limits.select.placeholder),
    min_query_length: 1,
    focus_on_load: true,
  };
  const text = "*Find anything* that your keys can see";
  const blocks = [
    section(text),
    ...menuRow([field], "find"),
    context("Type a part of it. What you choose opens with what can be done with it, for you alone."),
  ];
  return answerView({ text, blocks }, origin);
}

/** What was found, as the options of that field: a group for each kind, as many as Slack takes. */
export function foundGroups(hits: Hits[]) {
  let room: number = limits.select.options;
  return hits.flatMap(({ operation, label, entries }) => {
    const shown = toldApart(entries.slice(0, room));
    room -= shown.length;
    const options = shown.map(({ id, name, detail }) =>
      optionOf({
        value: packInvocation({ command: operation.command, target: id, input: {} }),
        label: clip(oneLine(name), limits.option.text),
        description: clip(oneLine(detail), limits.option.description),
      }),
    );
    return options.length > 0 ? [{ label: plain(label, limits.option.text), options }] : [];
  });
}
