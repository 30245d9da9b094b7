import type { ExternalSelect } from "@slack/types";
import { disambiguated } from "../access/resolve.ts";
import { guard } from "../engine/guard.ts";
import { answerView } from "../notifications/answer-view.ts";
import { packInvocation } from "../notifications/answers/buttons.ts";
import { menuRow } from "../notifications/answers/menus.ts";
import type { Origin } from "../notifications/origin.ts";
import type { KindHits } from "../resources/finder.ts";
import { context, optionOf, plain, section, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";
import { clip, oneLine } from "../views/text.ts";
import type { SlackApp } from "./slack-app.ts";

/** Action id of the search field. Its chosen value is the invocation that shows the resource. */
export const findAction = "find";

/** The modal that searches everything that a member can see. */
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
    context("Type a part of the name. Your choice opens its card, for you alone."),
  ];
  return answerView({ text, blocks }, origin);
}

/** The hits as options of the search field: one group per kind, within Slack's limit. */
export function foundGroups(hits: KindHits[]) {
  let room: number = limits.select.options;
  return hits.flatMap(({ operation, label, entries }) => {
    const shown = disambiguated(entries.slice(0, room));
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

/** Opens the search over everything that the member can see. */
export async function openSearch(app: SlackApp, origin: Origin, trigger: string): Promise<void> {
  await guard(app, origin, async () => void (await app.chat.openView(trigger, findView(origin), origin.view)));
}
