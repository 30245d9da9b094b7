import * as z from "zod";
import { Origin } from "../engine/answers/origin.ts";
import type { Counted } from "../engine/requests/bulk/count.ts";
import { plain, section, type View } from "../views/blocks.ts";
import { limits } from "../views/limits.ts";
import { unmarked } from "../views/text.ts";

export const countCallback = "count";
export const countBlock = "count";

const Metadata = z.object({ request: z.string(), count: z.number(), origin: Origin });

/** Asks how many they are: who approves many has read that, and did not press by a slip. */
export function countView({ request, count, press, loss }: Counted, origin: Origin): View {
  return {
    type: "modal",
    callback_id: countCallback,
    private_metadata: JSON.stringify({ request, count, origin } satisfies z.input<typeof Metadata>),
    title: plain("How many?", limits.view.title),
    submit: plain("Go on", limits.view.submit),
    close: plain("Not now", limits.view.close),
    blocks: [
      section(`:warning: *${press}?*\n${loss}`),
      {
        type: "input",
        block_id: countBlock,
        label: plain(
          `Type ${count} to ${unmarked(press.charAt(0).toLowerCase() + press.slice(1))}`,
          limits.input.label,
        ),
        element: { type: "plain_text_input", action_id: "value", max_length: 20 },
      },
    ],
  };
}

const State = z.record(z.string(), z.record(z.string(), z.looseObject({ value: z.string().nullish() })));

/** The request that is confirmed by the number that was typed; what is wrong with it, in words; null where it is not of ours. */
export function readCount(view: { private_metadata: string; state: unknown }) {
  const metadata = Metadata.safeParse(parseJson(view.private_metadata)).data;
  if (!metadata) return null;
  const typed = State.safeParse(view.state).data?.[countBlock]?.value?.value ?? "";
  const said = typed.replaceAll(/[\s,.']/g, "");
  if (said === String(metadata.count)) return metadata;
  return { wrong: `Type the number ${metadata.count}. Nothing was done.` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
