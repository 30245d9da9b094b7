import { type Block, type Message, paragraphs, section, type View } from "./blocks.ts";
import { chartLines } from "./chart.ts";
import { planLines } from "./plan.ts";
import { tableLines } from "./table.ts";

/** The kinds of block that came with Slack in 2026: a workspace may not have them yet, and each has its plain form. */
const richKinds = new Set(["data_table", "data_visualization", "plan", "alert"]);

/** Those kinds among blocks, each once. */
export function richKindsIn(blocks: readonly Block[]): string[] {
  return [...new Set(blocks.map(({ type }) => type))].filter((type) => richKinds.has(type));
}

/** The same message, or view, with the plain forms of the kinds that are not to be used. */
export function withoutKinds<M extends Message | View>(shown: M, kinds: ReadonlySet<string>): M {
  return { ...shown, blocks: shown.blocks.flatMap((block) => (kinds.has(block.type) ? plainForm(block) : [block])) };
}

/** What a block says, as blocks that every workspace has. */
export function plainForm(block: Block): Block[] {
  if (block.type === "alert") return [section(`:warning: ${block.text.text}`)];
  const lines = plainLines(block);
  return lines.length > 0 ? paragraphs(lines) : [block];
}

/** What a newer block says, as lines of mrkdwn; none for the kinds that say it in their own text. */
export function plainLines(block: Block): string[] {
  if (block.type === "data_table") return tableLines(block);
  if (block.type === "data_visualization") return chartLines(block);
  if (block.type === "plan") return planLines(block);
  return [];
}
