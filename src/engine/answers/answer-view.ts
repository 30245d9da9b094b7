import * as z from "zod";
import { type Block, type Message, plain, section, type View } from "../../views/blocks.ts";
import { fitted } from "../../views/fit.ts";
import { limits } from "../../views/limits.ts";
import { withoutKinds } from "../../views/plain.ts";
import { searchBlock } from "./menus.ts";
import type { Origin } from "./origin.ts";

type Asked = Pick<Origin, "home" | "channel" | "thread">;

/** The modals that show what comes of a press on the Home tab, or of a shortcut, have this callback. */
export const answerCallback = "answer";

/** Where what is done in such a modal is told to all: the place of the message that it is about. */
const Place = z.object({ channel: z.string().nullable(), thread: z.string().nullable() });

const onlyInMessages = new Set(["data_table", "data_visualization", "plan"]);

/** The blocks of a message as a modal or the Home tab can show them. */
export function viewBlocks(message: Message): Block[] {
  const { blocks } = withoutKinds(fitted(message), onlyInMessages);
  // Rows that stand one below the other are long: the search that opens one is not looked for at their end.
  const isSearch = ({ block_id: id }: Block) => id === searchBlock;
  return [...blocks.filter(isSearch), ...blocks.filter((block) => !isSearch(block))];
}

/** A message as a modal, which remembers where it was asked for. */
export function answerView(message: Message, { home, channel, thread }: Asked): View {
  return {
    type: "modal",
    callback_id: answerCallback,
    private_metadata: home ? "" : JSON.stringify({ channel, thread } satisfies z.input<typeof Place>),
    title: plain("Rackbell", limits.view.title),
    close: plain("Close", limits.view.close),
    blocks: viewBlocks(message),
  };
}

/** What stands in the modal until the answer is there. */
export function waitingAnswer(asked: Asked): View {
  const text = ":hourglass_flowing_sand: One moment…";
  return answerView({ text, blocks: [section(text)] }, asked);
}

/** Where such a modal was asked for; null on the Home tab. */
export function placeOfAnswer(metadata: string): z.infer<typeof Place> | null {
  return metadata === "" ? null : Place.parse(JSON.parse(metadata));
}
