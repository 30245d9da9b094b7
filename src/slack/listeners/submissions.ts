import type { App } from "@slack/bolt";
import type { Origin } from "../../messages/origin.ts";
import { eraseNoted } from "../../messages/secrets.ts";
import { ownValue } from "../../process/own-value.ts";
import { deny, press } from "../../requests/decide.ts";
import { askForRest } from "../../requests/facets/bulk/decide.ts";
import { defer } from "../../requests/facets/defer/steps.ts";
import { narrow } from "../../requests/facets/narrow/steps.ts";
import { move } from "../../requests/facets/schedule/change.ts";
import { prose, sentence } from "../../views/text.ts";
import { busy, enqueue, isLetIn } from "../dispatch.ts";
import { modalRefusal, unreadable } from "../forms/faults.ts";
import { submitForm } from "../forms/form.ts";
import { formCallback } from "../forms/submission.ts";
import { type OpenView, type ShownView, SubmissionBody, shownView } from "../payloads.ts";
import {
  againCallback,
  countCallback,
  deferCallback,
  nameCallback,
  narrowCallback,
  type RefusedValue,
  readCount,
  readDeferral,
  readName,
  readNarrower,
  readPickedTime,
  readReason,
  readTimeAgain,
  reasonCallback,
  whenCallback,
} from "../question-modals.ts";
import { goneView, revealCallback } from "../reveal.ts";
import type { ListenerApp } from "../slack-app.ts";

/** The answer that keeps a modal open; null closes it. */
type Refusal = ReturnType<typeof modalRefusal> | null;

/** Submitted modals. */
export function listenToSubmissions(bolt: App, app: ListenerApp): void {
  const { requests, clock, memberOf, timed } = app;

  const modals: Record<string, (view: OpenView, form: ShownView) => Promise<Refusal>> = {
    [formCallback]: async (view, form) => {
      const submitted = submitForm(app, form);
      if ("faults" in submitted) return modalRefusal(view, submitted.faults);
      const faults = await submitted.check();
      if (faults) return modalRefusal(view, faults);
      return enqueue(app, submitted.origin, submitted.run) ? null : modalRefusal(view, [{ field: "", message: busy }]);
    },
    [reasonCallback]: asking(readReason, ({ kind, request, origin, reason, named, shown }) =>
      kind === "deny"
        ? deny(requests, request, origin, sentence(prose(reason, 500)))
        : press(requests, request, origin, { override: reason, named, shown }),
    ),
    [nameCallback]: asking(readName, ({ request, origin, manner, shown }) =>
      press(requests, request, origin, { ...manner, shown }),
    ),
    [whenCallback]: asking(
      (form) => readPickedTime(form, clock.now()),
      ({ request, origin, at }) => move(requests, request, origin, at),
    ),
    [againCallback]: asking(
      (form) => readTimeAgain(form, clock.now()),
      ({ request, origin, at }) => askForRest(requests, request, origin, { at }),
    ),
    [deferCallback]: asking(
      (form) => readDeferral(form, clock.now()),
      ({ request, origin, at, reason }) =>
        defer(requests, request, origin, { until: at, reason: sentence(prose(reason, 500)) }),
    ),
    [narrowCallback]: asking(readNarrower, ({ request, origin, stay, amount, reason }) =>
      narrow(requests, request, origin, { stay, amount, reason: sentence(prose(reason, 500)) }),
    ),
    [countCallback]: asking(readCount, ({ request, origin, count, shown }) =>
      press(requests, request, origin, { counted: count, shown }),
    ),
    // Erase before the modal closes: a closed modal must mean that the secret is gone.
    [revealCallback]: async ({ private_metadata: id }, { by }) => {
      const gone = await eraseNoted(app, id, by.member);
      return gone && { response_action: "update", view: goneView(gone) };
    },
  };

  bolt.view(/^/, async ({ body, ack }) => {
    const { view, user } = SubmissionBody.parse(body);
    const form = shownView(view, { member: memberOf(user.id), slackUser: user.id });
    const submit = ownValue(modals, view.callback_id);
    const refusal = submit ? await submit(view, form) : modalRefusal(view, [unreadable]);
    await timed(() => (refusal ? ack(refusal) : ack()));
  });

  /** A modal that asks for a value or two: it refuses a wrong one below its field, and `run` goes on with any other. */
  function asking<T extends { origin: Origin }>(
    read: (form: ShownView) => T | RefusedValue | null,
    run: (given: T) => Promise<unknown>,
  ): (view: OpenView, form: ShownView) => Promise<Refusal> {
    return async (view, form) => {
      const given = read(form);
      if (!given) return modalRefusal(view, [unreadable]);
      if ("wrong" in given) return modalRefusal(view, [{ field: given.at, message: given.wrong }]);
      const enqueued = enqueue(app, given.origin, async () => {
        if (await isLetIn(app, given.origin)) await run(given);
      });
      return enqueued ? null : modalRefusal(view, [{ field: "", message: busy }]);
    };
  }
}
