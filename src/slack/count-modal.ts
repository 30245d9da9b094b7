import * as z from "zod";
import { Origin } from "../messages/origin.ts";
import { readJson } from "../process/json.ts";
import { plainly } from "../process/plain-text.ts";
import type { CountModalValue } from "../requests/facets/bulk/view.ts";
import { plain, section, type View } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { limits } from "../views/limits.ts";
import { lowerFirst, prose } from "../views/text.ts";
import { actedBy, onlyValue, type ShownView } from "./payloads.ts";

export const countCallback = "count";
export const countBlock = "count";

const Metadata = z.object({ request: z.string(), count: z.number(), origin: Origin });

/** A modal that asks for the number of machines. Typing it proves that the member has read it, and did not press by mistake. */
export function countView({ request, count, press, loss, at }: CountModalValue, origin: Origin): View {
  return {
    type: "modal",
    callback_id: countCallback,
    private_metadata: JSON.stringify({ request, count, origin } satisfies z.input<typeof Metadata>),
    title: plain("How many?", limits.view.title),
    submit: plain("Go on", limits.view.submit),
    close: plain("Not now", limits.view.close),
    blocks: [
      section(`:warning: *${prose(press)}${at === null ? "" : ` ${moment(at)}`}?*\n${loss}`),
      {
        type: "input",
        block_id: countBlock,
        label: plain(plainly`Type ${count} to ${at === null ? lowerFirst(press) : "schedule it"}`, limits.input.label),
        element: { type: "plain_text_input", action_id: "value", max_length: 20 },
      },
    ],
  };
}

/** The request to confirm, or an error sentence for a wrong number; null if the modal is not ours. */
export function readCount(view: Pick<ShownView, "private_metadata" | "state" | "by">) {
  const metadata = Metadata.safeParse(readJson(view.private_metadata)).data;
  if (!metadata) return null;
  const typed = onlyValue(view, countBlock)?.value ?? "";
  const digits = typed.replaceAll(/[\s,.']/g, "");
  if (digits === String(metadata.count)) return actedBy(metadata, view.by);
  return { wrong: `Type the number ${metadata.count}. Nothing was done.` };
}
