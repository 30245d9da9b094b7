import * as z from "zod";
import { Origin } from "../engine/answers/origin.ts";
import type { Request } from "../engine/requests/request.ts";
import { titleOf } from "../engine/requests/view.ts";
import { InputError } from "../operation/errors.ts";
import { readWhen } from "../operation/when.ts";
import { context, plain, section, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";

export const whenCallback = "when";
export const whenBlock = "when";

const Metadata = z.object({ request: z.string(), origin: Origin });

/** Asks when something that is planned is to be done instead. */
export function whenView(
  request: Pick<Request, "id" | "verb" | "target" | "command" | "planned" | "mode">,
  origin: Origin,
): View {
  const { id, planned, mode } = request;
  const anew =
    "What others approved, they approved for the time that it had: moved, it must be approved anew, and is not done before.";
  return {
    type: "modal",
    callback_id: whenCallback,
    private_metadata: JSON.stringify({ request: id, origin } satisfies z.input<typeof Metadata>),
    title: plain(planned ? "Move it" : "Do it later", limits.view.title),
    submit: plain(planned ? "Move" : "Put it off", limits.view.submit),
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
          ...(planned ? { initial_date_time: Math.floor(planned.at / 1000) } : {}),
        },
      },
      ...(mode === "peer" ? [context(anew)] : []),
    ],
  };
}

const State = z.record(z.string(), z.record(z.string(), z.looseObject({ selected_date_time: z.number().nullish() })));

/** The time that was picked (milliseconds since the epoch) and for which request, or what is wrong with it; null where it is not of ours. */
export function readPickedTime(view: { private_metadata: string; state: unknown }, now: number) {
  const metadata = Metadata.safeParse(parseJson(view.private_metadata));
  const seconds = State.safeParse(view.state).data?.[whenBlock]?.value?.selected_date_time ?? null;
  if (!metadata.success) return null;
  if (seconds === null) return { wrong: "Pick a date and a time." };
  try {
    readWhen({ at: new Date(seconds * 1000).toISOString() }, { now, zone: "UTC" });
  } catch (error) {
    if (error instanceof InputError) return { wrong: error.message };
    throw error;
  }
  return { ...metadata.data, at: seconds * 1000 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
