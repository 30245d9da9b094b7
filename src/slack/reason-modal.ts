import * as z from "zod";
import { Origin } from "../engine/answers/origin.ts";
import { looksSecret } from "../operation/reason.ts";
import { plain, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";

export const reasonCallback = "reason";

/** What a reason is asked for: to deny a request, or to run it without the approval of others. */
const kinds = ["deny", "glass"] as const;
export type ReasonKind = (typeof kinds)[number];

const Metadata = z.object({ kind: z.enum(kinds), request: z.string(), origin: Origin });
export const reasonBlock = "reason";
const mostReason = 500;

const words: Record<ReasonKind, { title: string; submit: string; hint: string }> = {
  deny: { title: "Deny the request", submit: "Deny", hint: "Everybody who sees the request reads it." },
  glass: {
    title: "Run without approval",
    submit: "Run it now",
    hint: "It runs at once when you send this. It is told in the channel and kept, and another admin must look at it.",
  },
};

/** Asks why: the reason is told with what is done, and kept. */
export function reasonView(kind: ReasonKind, request: string, origin: Origin): View {
  const { title, submit, hint } = words[kind];
  return {
    type: "modal",
    callback_id: reasonCallback,
    private_metadata: JSON.stringify({ kind, request, origin } satisfies z.input<typeof Metadata>),
    title: plain(title, limits.view.title),
    submit: plain(submit, limits.view.submit),
    close: plain("Not now", limits.view.close),
    blocks: [
      {
        type: "input",
        block_id: reasonBlock,
        label: plain("Why?", limits.input.label),
        hint: plain(hint, limits.input.hint),
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

/** What was said, and of which request; what is wrong with it, in words; null where it is not of ours. */
export function readReason(view: { private_metadata: string; state: unknown }) {
  const metadata = Metadata.safeParse(parseJson(view.private_metadata));
  const state = State.safeParse(view.state);
  if (!metadata.success) return null;
  const reason = state.data?.[reasonBlock]?.value?.value?.trim() ?? "";
  if (reason === "") return { wrong: "Say why." };
  if (looksSecret(reason)) return { wrong: "That looks like a key, and everybody would read it here. Revoke it." };
  return { ...metadata.data, reason: reason.slice(0, mostReason) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
