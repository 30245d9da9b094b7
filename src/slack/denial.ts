import * as z from "zod";
import { Origin } from "../engine/answers/origin.ts";
import { plain, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";

export const denialCallback = "denial";

const Metadata = z.object({ request: z.string(), origin: Origin });
const reasonBlock = "reason";
const mostReason = 500;

/** Asks an approver why a request is denied: the reason is told to who asked, in the thread, and kept. */
export function denialView(request: string, origin: Origin): View {
  return {
    type: "modal",
    callback_id: denialCallback,
    private_metadata: JSON.stringify({ request, origin } satisfies z.input<typeof Metadata>),
    title: plain("Deny the request", limits.view.title),
    submit: plain("Deny", limits.view.submit),
    close: plain("Not now", limits.view.close),
    blocks: [
      {
        type: "input",
        block_id: reasonBlock,
        label: plain("Why?", limits.input.label),
        hint: plain("Everybody who sees the request reads it.", limits.input.hint),
        element: {
          type: "plain_text_input",
          action_id: "value",
          multiline: true,
          min_length: 2,
          max_length: mostReason,
        },
      },
    ],
  };
}

const State = z.record(z.string(), z.record(z.string(), z.looseObject({ value: z.string().nullish() })));

/** What was said, and of which request; null where it is not a denial of ours. */
export function readDenial(view: { private_metadata: string; state: unknown }) {
  const metadata = Metadata.safeParse(parseJson(view.private_metadata));
  const state = State.safeParse(view.state);
  const reason = state.data?.[reasonBlock]?.value?.value?.trim();
  return metadata.success && reason ? { ...metadata.data, reason: reason.slice(0, mostReason) } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
