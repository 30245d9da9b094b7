import type { App } from "@slack/bolt";
import { sleep } from "../../clock.ts";
import { searchedBy } from "../../engine/answers/menus.ts";
import type { Choice } from "../../operation/asking.ts";
import { findAction, foundGroups } from "../find.ts";
import { choosePrefix, optionOf } from "../forms/form-view.ts";
import { wizardCallback } from "../forms/wizard-view.ts";
import { formOf, SuggestionBody } from "../payloads.ts";
import type { Listening } from "./listening.ts";

/** Milliseconds: after the directory's own limit, and before Slack's. */
const optionsLimit = 2_600;

/** Options of search fields, in forms and in answers, as they are typed in. */
export function listenToOptions(app: App, listening: Listening): void {
  const { clock, log } = listening;
  app.options(/.*/, async ({ body, ack }) => {
    const parsed = SuggestionBody.safeParse(body);
    if (!parsed.success) return ack(nothing);
    try {
      const found = offeredFor(listening, parsed.data);
      // Slack waits three seconds, whatever the platform does.
      await ack(await Promise.race([found, sleep(clock, optionsLimit).then(() => nothing)]));
    } catch (error) {
      log.warn({ err: error }, "Options could not be read");
      await ack(nothing);
    }
  });
}

const nothing = { options: [] };

async function offeredFor(listening: Listening, asked: SuggestionBody) {
  if (asked.action_id !== findAction) return { options: (await suggestionsFor(listening, asked)).map(optionOf) };
  const { context, memberOf } = listening;
  const groups = foundGroups((await context.finder.search(memberOf(asked.user.id), asked.value)).hits);
  return groups.length > 0 ? { option_groups: groups } : nothing;
}

async function suggestionsFor(
  { forms, wizardForms, memberOf }: Listening,
  { user, view, action_id: id, value }: SuggestionBody,
): Promise<Choice[]> {
  const member = memberOf(user.id);
  const command = searchedBy(id);
  if (command !== null) return forms.suggestTargets(command, { member }, value);
  if (!view) return [];
  const field = id.startsWith(choosePrefix) ? id.slice(choosePrefix.length) : null;
  if (field && view.callback_id === wizardCallback) return wizardForms.suggest(formOf(view), member, field, value);
  return forms.suggest(formOf(view), { member }, field, value);
}
