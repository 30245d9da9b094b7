import type { App } from "@slack/bolt";
import { searchResources } from "../../members/resources/finder.ts";
import { searchedBy } from "../../messages/answers/menus.ts";
import type { Choice } from "../../operation/call-context.ts";
import { sleep } from "../../process/clock.ts";
import { optionOf } from "../../views/blocks.ts";
import { outsiderRefusal } from "../dispatch.ts";
import { findAction, foundGroups } from "../find.ts";
import { suggest, suggestTargets } from "../forms/form.ts";
import { chosenField } from "../forms/submission.ts";
import { SuggestionBody, shownView } from "../payloads.ts";
import type { ListenerApp } from "../slack-app.ts";

/** Milliseconds: longer than the name index's limit, shorter than Slack's. */
const optionsLimit = 2_600;

/** Options of search fields in forms and answers, while the member types. */
export function listenToOptions(bolt: App, app: ListenerApp): void {
  const { clock, log } = app;
  bolt.options(/.*/, async ({ body, ack }) => {
    const parsed = SuggestionBody.safeParse(body);
    if (!parsed.success) return ack(nothing);
    try {
      const found = offeredFor(app, parsed.data);
      // Slack waits three seconds, even if the platform is slow.
      await ack(await Promise.race([found, sleep(clock, optionsLimit).then(() => nothing)]));
    } catch (error) {
      log.warn({ err: error }, "Options could not be read");
      await ack(nothing);
    }
  });
}

const nothing = { options: [] };

async function offeredFor(app: ListenerApp, asked: SuggestionBody) {
  if ((await outsiderRefusal(app, asked.user.id)) !== null) return nothing;
  if (asked.action_id !== findAction) return { options: (await suggestionsFor(app, asked)).map(optionOf) };
  const { context, memberOf } = app;
  const groups = foundGroups((await searchResources(context, memberOf(asked.user.id), asked.value)).hits);
  return groups.length > 0 ? { option_groups: groups } : nothing;
}

async function suggestionsFor(
  app: ListenerApp,
  { user, view, action_id: id, value }: SuggestionBody,
): Promise<Choice[]> {
  const by = { member: app.memberOf(user.id), slackUser: user.id };
  const command = searchedBy(id);
  if (command !== null) return suggestTargets(app, command, by, value);
  if (!view) return [];
  return suggest(app, shownView(view, by), chosenField(id), value);
}
