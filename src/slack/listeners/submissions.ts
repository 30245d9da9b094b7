import type { App } from "@slack/bolt";
import type { Origin } from "../../messages/origin.ts";
import { eraseNoted } from "../../messages/secrets.ts";
import { deny, press } from "../../requests/decide.ts";
import { defer } from "../../requests/facets/defer/steps.ts";
import { narrow } from "../../requests/facets/narrow/steps.ts";
import { move } from "../../requests/facets/schedule/change.ts";
import { prose, sentence } from "../../views/text.ts";
import { busy, enqueue, isLetIn } from "../dispatch.ts";
import { submitForm } from "../forms/form.ts";
import { formCallback } from "../forms/submission.ts";
import { type OpenView, type ShownView, SubmissionBody, shownView } from "../payloads.ts";
import {
  countBlock,
  countCallback,
  deferCallback,
  nameBlock,
  nameCallback,
  narrowBlock,
  narrowCallback,
  type RefusedValue,
  readCount,
  readDeferral,
  readName,
  readNarrower,
  readPickedTime,
  readReason,
  reasonBlock,
  reasonCallback,
  whenBlock,
  whenCallback,
} from "../question-modals.ts";
import { revealCallback } from "../reveal.ts";
import type { ListenerApp } from "../slack-app.ts";

/** Submitted modals. */
export function listenToSubmissions(bolt: App, app: ListenerApp): void {
  const { requests, clock, memberOf, timed } = app;

  function submittedIn(body: unknown) {
    const { view, user } = SubmissionBody.parse(body);
    return { view, form: shownView(view, { member: memberOf(user.id), slackUser: user.id }) };
  }

  bolt.view(formCallback, async ({ body, ack }) => {
    const { view, form } = submittedIn(body);
    const submitted = submitForm(app, form);
    const refuse = (errors: Record<string, string>) => timed(() => ack({ response_action: "errors", errors }));
    if ("errors" in submitted) return refuse(submitted.errors);
    const faults = await submitted.check();
    if (faults) return refuse(faults);
    if (enqueue(app, submitted.origin, submitted.run)) return timed(() => ack());
    await timed(() => ack({ response_action: "errors", errors: busyIn(view) }));
  });

  /** A modal with the field `block`: a wrong value is refused below it, or below the one of `at`, and `run` goes on with any other. */
  function listenToField<T extends { origin: Origin }>(
    { callback, block }: { callback: string; block: string },
    read: (form: ShownView) => T | RefusedValue | null,
    run: (given: T) => Promise<unknown>,
  ): void {
    bolt.view(callback, async ({ body, ack }) => {
      const given = read(submittedIn(body).form);
      const refuse = (words: string, at = block) =>
        timed(() => ack({ response_action: "errors", errors: { [at]: words } }));
      if (!given) return timed(() => ack());
      if ("wrong" in given) return refuse(given.wrong, given.at);
      if (
        enqueue(app, given.origin, async () => {
          if (await isLetIn(app, given.origin)) await run(given);
        })
      )
        return timed(() => ack());
      await refuse(busy);
    });
  }

  listenToField(
    { callback: reasonCallback, block: reasonBlock },
    readReason,
    ({ kind, request, origin, reason, named, shown }) =>
      kind === "deny"
        ? deny(requests, request, origin, sentence(prose(reason, 500)))
        : press(requests, request, origin, { override: reason, named, shown }),
  );
  listenToField({ callback: nameCallback, block: nameBlock }, readName, ({ request, origin, manner, shown }) =>
    press(requests, request, origin, { ...manner, shown }),
  );
  listenToField(
    { callback: whenCallback, block: whenBlock },
    (form) => readPickedTime(form, clock.now()),
    ({ request, origin, at }) => move(requests, request, origin, at),
  );
  listenToField(
    { callback: deferCallback, block: whenBlock },
    (form) => readDeferral(form, clock.now()),
    ({ request, origin, at, reason }) =>
      defer(requests, request, origin, { until: at, reason: sentence(prose(reason, 500)) }),
  );
  listenToField(
    { callback: narrowCallback, block: narrowBlock },
    readNarrower,
    ({ request, origin, stay, amount, reason }) =>
      narrow(requests, request, origin, { stay, amount, reason: sentence(prose(reason, 500)) }),
  );
  listenToField({ callback: countCallback, block: countBlock }, readCount, ({ request, origin, count, shown }) =>
    press(requests, request, origin, { counted: count, shown }),
  );

  bolt.view(revealCallback, async ({ body, ack }) => {
    const { view, user } = SubmissionBody.parse(body);
    // Erase before the modal closes: a closed modal must mean that the secret is gone.
    await eraseNoted(app, view.private_metadata, memberOf(user.id));
    await timed(() => ack());
  });
}

/** An error under the first field keeps the modal open with all its values. */
function busyIn(view: OpenView): Record<string, string> {
  const first = Object.keys(view.state?.values ?? {})[0] ?? "target";
  return { [first]: busy };
}
