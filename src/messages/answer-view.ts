import * as z from "#zod";
import { type Block, type Message, plain, textMessage, type View } from "../views/blocks.ts";
import { fitted } from "../views/fit.ts";
import { limits } from "../views/limits.ts";
import { withoutKinds } from "../views/plain.ts";
import type { Origin } from "./origin.ts";

/** Block id of the search under a list that opens a row. */
export const searchBlock = "open";

type AskedFrom = Pick<Origin, "home" | "channel" | "thread">;

/** Callback id of the modals that show the answer to a press on the Home tab, or to a shortcut. */
export const answerCallback = "answer";

/** The channel and thread for public results of an act in such a modal: those of the message that it is about. */
const Place = z.object({ channel: z.string().nullable(), thread: z.string().nullable() });

/** Slack takes these blocks in messages alone: it would refuse the whole view. */
const onlyInMessages = new Set(["data_table", "data_visualization", "plan", "markdown"]);

/** The blocks of a message as a modal or the Home tab can show them. */
export function viewBlocks(message: Message): Block[] {
  const { blocks } = fitted(withoutKinds(message, onlyInMessages), limits.view);
  // A modal stacks the rows, and a search at their end would be overlooked.
  const isSearch = ({ block_id: id }: Block) => id === searchBlock;
  return [...blocks.filter(isSearch), ...blocks.filter((block) => !isSearch(block))];
}

/** A message as a modal, with the requester's channel and thread in its metadata. */
export function answerView(message: Message, { home, channel, thread }: AskedFrom): View {
  return {
    type: "modal",
    callback_id: answerCallback,
    private_metadata: home ? "" : JSON.stringify({ channel, thread } satisfies z.input<typeof Place>),
    title: plain("Rackbell", limits.view.title),
    close: plain("Close", limits.view.close),
    blocks: viewBlocks(message),
  };
}

/** The content of the modal until the answer arrives. */
export function waitingAnswer(asked: AskedFrom): View {
  return answerView(textMessage(":hourglass_flowing_sand: One moment…"), asked);
}

/** The place that `answerView` stored; null for the Home tab. */
export function placeOfAnswer(metadata: string): z.infer<typeof Place> | null {
  return metadata === "" ? null : Place.parse(JSON.parse(metadata));
}
