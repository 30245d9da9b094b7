import type { App } from "@slack/bolt";
import { sleep } from "../../clock.ts";
import { choosePrefix, optionOf } from "../forms/form-view.ts";
import { wizardCallback } from "../forms/wizard-view.ts";
import { formOf, SuggestionBody } from "../payloads.ts";
import type { Listening } from "./listening.ts";

/** Milliseconds: after the directory's own limit, and before Slack's. */
const optionsLimit = 2_600;

/** Options of search fields, as they are typed in. */
export function listenToOptions(app: App, { forms, wizardForms, clock, log, memberOf }: Listening): void {
  app.options(/.*/, async ({ body, ack }) => {
    const parsed = SuggestionBody.safeParse(body);
    if (!parsed.success || !parsed.data.view) return ack({ options: [] });
    const { user, view, action_id: id, value } = parsed.data;
    const field = id.startsWith(choosePrefix) ? id.slice(choosePrefix.length) : null;
    const member = memberOf(user.id);
    try {
      const found =
        field && view.callback_id === wizardCallback
          ? wizardForms.suggest(formOf(view), member, field, value)
          : forms.suggest(formOf(view), { member }, field, value);
      // Slack waits three seconds, whatever the platform does.
      const choices = await Promise.race([found, sleep(clock, optionsLimit).then(() => [])]);
      await ack({ options: choices.map(optionOf) });
    } catch (error) {
      log.warn({ err: error }, "Options could not be read");
      await ack({ options: [] });
    }
  });
}
