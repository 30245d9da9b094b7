import type { App } from "@slack/bolt";
import type { Origin } from "../../engine/answers/origin.ts";
import { prose, sentence } from "../../views/text.ts";
import { denialCallback, readDenial } from "../denial.ts";
import { busy } from "../dispatch.ts";
import { formCallback } from "../forms/form-view.ts";
import { wizardCallback } from "../forms/wizard-view.ts";
import { formOf, type OpenView, originOf, SubmissionBody } from "../payloads.ts";
import { revealCallback } from "../reveal.ts";
import type { Listening } from "./listening.ts";

/** Submitted modals. */
export function listenToSubmissions(app: App, listening: Listening): void {
  const { context, dispatch, forms, wizardForms, secrets, clock, memberOf, timed } = listening;

  function originIn(user: string): Origin {
    return originOf({ member: memberOf(user), slackUser: user, channel: null, responseUrl: null }, clock.now());
  }

  app.view(formCallback, async ({ body, ack }) => {
    const { view, user } = SubmissionBody.parse(body);
    const submitted = forms.submit(formOf(view));
    const refuse = (errors: Record<string, string>) => timed(() => ack({ response_action: "errors", errors }));
    if ("errors" in submitted) return refuse(submitted.errors);
    const faults = await submitted.check();
    if (faults) return refuse(faults);
    if (dispatch.enqueue(originIn(user.id), submitted.run)) return timed(() => ack());
    await timed(() => ack({ response_action: "errors", errors: busyIn(view) }));
  });

  app.view(wizardCallback, async ({ body, ack }) => {
    const { view, user } = SubmissionBody.parse(body);
    const submitted = wizardForms.submit(formOf(view));
    if ("errors" in submitted) return timed(() => ack({ response_action: "errors", errors: submitted.errors }));
    const { next, run } = submitted;
    if (!dispatch.enqueue(originIn(user.id), run))
      return timed(() => ack({ response_action: "errors", errors: busyIn(view) }));
    await timed(() => (next ? ack({ response_action: "update", view: next }) : ack({ response_action: "clear" })));
  });

  app.view(denialCallback, async ({ body, ack }) => {
    const { view } = SubmissionBody.parse(body);
    const denial = readDenial(formOf(view));
    if (!denial) return timed(() => ack({ response_action: "errors", errors: { reason: "Say why." } }));
    const { request, origin, reason } = denial;
    const taken = dispatch.enqueue(origin, () => context.requests.deny(request, origin, sentence(prose(reason, 500))));
    await timed(() => (taken ? ack() : ack({ response_action: "errors", errors: { reason: busy } })));
  });

  app.view(revealCallback, async ({ body, ack }) => {
    const { view, user } = SubmissionBody.parse(body);
    // Before the modal closes: when it has, the secret is gone.
    await secrets.acknowledge(view.private_metadata, memberOf(user.id));
    await timed(() => ack());
  });
}

/** Under the first field, so that all that was typed stays. */
function busyIn(view: OpenView): Record<string, string> {
  const first = Object.keys(view.state?.values ?? {})[0] ?? "target";
  return { [first]: busy };
}
