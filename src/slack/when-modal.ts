import * as z from "zod";
import { Origin } from "../messages/origin.ts";
import { InputError } from "../operation/errors.ts";
import { readScheduledTime } from "../operation/schedule-input.ts";
import { readJson } from "../process/json.ts";
import { decisionNoun, type Request, titleOf } from "../requests/request.ts";
import { context, plain, section, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";
import { actedBy, onlyValue, type ShownView } from "./payloads.ts";

export const whenCallback = "when";
export const whenBlock = "when";

const Metadata = z.object({ request: z.string(), origin: Origin });

/** A modal that asks for the time at which a request shall run. */
export function whenView(
  request: Pick<Request, "id" | "verb" | "target" | "command" | "schedule" | "state" | "mode" | "ruling">,
  origin: Origin,
): View {
  const { id, schedule, state, mode, ruling } = request;
  const decision = decisionNoun(request);
  const anew = `Each ${decision} is for the old time. With a new time, the request needs a new ${decision} before it runs.`;
  return {
    type: "modal",
    callback_id: whenCallback,
    private_metadata: JSON.stringify({ request: id, origin } satisfies z.input<typeof Metadata>),
    title: plain(schedule ? "Move it" : "Do it later", limits.view.title),
    submit: plain(schedule ? "Move" : "Schedule", limits.view.submit),
    close: plain("Not now", limits.view.close),
    blocks: [
      section(`*${titleOf(request)}*`),
      {
        type: "input",
        block_id: whenBlock,
        label: plain("When?", limits.input.label),
        hint: plain("In your time zone, at most 30 days ahead.", limits.input.hint),
        element: {
          type: "datetimepicker",
          action_id: "value",
          ...(schedule ? { initial_date_time: Math.floor(schedule.at / 1000) } : {}),
        },
      },
      ...(mode === "peer" || (ruling.passkey && state === "scheduled") ? [context(anew)] : []),
    ],
  };
}

/** The picked time (milliseconds since the epoch) and its request, or an error sentence; null if the modal is not ours. */
export function readPickedTime(view: Pick<ShownView, "private_metadata" | "state" | "by">, now: number) {
  const metadata = Metadata.safeParse(readJson(view.private_metadata));
  const seconds = onlyValue(view, whenBlock)?.selected_date_time ?? null;
  if (!metadata.success) return null;
  if (seconds === null) return { wrong: "Pick a date and a time." };
  try {
    readScheduledTime({ at: new Date(seconds * 1000).toISOString() }, { now, zone: "UTC" });
  } catch (error) {
    if (error instanceof InputError) return { wrong: error.message };
    throw error;
  }
  return { ...actedBy(metadata.data, view.by), at: seconds * 1000 };
}
