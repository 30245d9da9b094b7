import type { ExternalSelect } from "@slack/types";
import { guard } from "../commands/guard.ts";
import { disambiguated } from "../members/access/resolve.ts";
import type { KindHits } from "../members/resources/finder.ts";
import { answerView } from "../messages/answer-view.ts";
import { packInvocation } from "../messages/answers/buttons.ts";
import { menuRow } from "../messages/answers/menus.ts";
import type { Origin } from "../messages/origin.ts";
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
