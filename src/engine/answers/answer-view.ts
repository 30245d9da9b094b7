import { type Block, type Message, plain, section, type View } from "../../views/blocks.ts";
import { fitted } from "../../views/fit.ts";
import { limits } from "../../views/limits.ts";
import { withoutKinds } from "../../views/plain.ts";
import { searchBlock } from "./menus.ts";

/** The modals that show what comes of a press on the Home tab have this callback. */
export const answerCallback = "answer";

const onlyInMessages = new Set(["data_table", "data_visualization", "plan"]);

/** The blocks of a message as a modal or the Home tab can show them. */
export function viewBlocks(message: Message): Block[] {
  const { blocks } = withoutKinds(fitted(message), onlyInMessages);
  // Rows that stand one below the other are long: the search that opens one is not looked for at their end.
  const isSearch = ({ block_id: id }: Block) => id === searchBlock;
  return [...blocks.filter(isSearch), ...blocks.filter((block) => !isSearch(block))];
}

/** A message as a modal. */
export function answerView(message: Message): View {
  return {
    type: "modal",
    callback_id: answerCallback,
    title: plain("Rackbell", limits.view.title),
    close: plain("Close", limits.view.close),
    blocks: viewBlocks(message),
  };
}

/** What stands in the modal until the answer is there. */
export function waitingAnswer(): View {
  const text = ":hourglass_flowing_sand: One moment…";
  return answerView({ text, blocks: [section(text)] });
}
