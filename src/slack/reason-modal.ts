import * as z from "zod";
import { Origin } from "../messages/origin.ts";
import { looksSecret } from "../operation/reason.ts";
import { readJson } from "../process/json.ts";
import { askedBecause } from "../requests/facets/agent/view.ts";
import { lossText, type Request, titleOf } from "../requests/request.ts";
import { paragraphs, plain, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";
import { actedBy, onlyValue, type ShownView } from "./payloads.ts";

export const reasonCallback = "reason";

/** The acts that need a reason: denying a request, and the emergency override. */
const kinds = ["deny", "override"] as const;
export type ReasonKind = (typeof kinds)[number];

const Metadata = z.object({ kind: z.enum(kinds), request: z.string(), origin: Origin });
export const reasonBlock = "reason";
const mostReason = 500;

const words: Record<ReasonKind, { title: string; submit: string; hint: string }> = {
  deny: { title: "Deny the request", submit: "Deny", hint: "Everybody who sees the request reads it." },
  override: {
    title: "Run without approval",
    submit: "Run it now",
    hint: "It runs at once when you send this. The channel sees it, the audit log keeps it, and another admin must review it.",
  },
};

/** A modal that asks for a reason, which is shown with the outcome and stored. `request` is null if storage was too slow to name it. */
export function reasonView(
  kind: ReasonKind,
  { id, request }: { id: string; request: Request | null },
  origin: Origin,
): View {
  const { title, submit, hint } = words[kind];
  return {
    type: "modal",
    callback_id: reasonCallback,
    private_metadata: JSON.stringify({ kind, request: id, origin } satisfies z.input<typeof Metadata>),
    title: plain(title, limits.view.title),
    submit: plain(submit, limits.view.submit),
    close: plain("Not now", limits.view.close),
    blocks: [
      ...(request ? paragraphs([`*${titleOf(request)}* · ${askedBecause(request)}`, lossText(request)]) : []),
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

/** The reason and its request, or an error sentence; null if the modal is not ours. */
export function readReason(view: Pick<ShownView, "private_metadata" | "state" | "by">) {
  const metadata = Metadata.safeParse(readJson(view.private_metadata));
  if (!metadata.success) return null;
  const reason = onlyValue(view, reasonBlock)?.value?.trim() ?? "";
  if (reason === "") return { wrong: "Say why." };
  if (looksSecret(reason)) return { wrong: "That looks like a key, and everybody would read it here. Revoke it." };
  return { ...actedBy(metadata.data, view.by), reason: reason.slice(0, mostReason) };
}
