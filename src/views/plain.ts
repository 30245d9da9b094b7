import { type Block, context, type Message, paragraphs, section, type View } from "./blocks.ts";
import { chartLines } from "./chart.ts";
import { planLines } from "./plan.ts";
import { tableLines } from "./table.ts";
import { anyOf, dotted, escapeText } from "./text.ts";

/**
 * Block kinds that a workspace may lack, so each has a plain form: those that came with Slack in 2026, and a form's field for a file, which
 * needs the optional scope `files:read`.
 */
const richKinds = new Set(["data_table", "data_visualization", "plan", "alert", "file_input"]);

function kindOf(block: Block): string {
  return block.type === "input" && block.element.type === "file_input" ? block.element.type : block.type;
}

/** Said where a member would hand over a file. */
export const noFilesTaken =
  "I take no files here: the scope `files:read` is not granted. An admin can install me again with it, and restart me.";

/** The newer kinds among blocks, each once. */
export function richKindsIn(blocks: readonly Block[]): string[] {
  return [...new Set(blocks.map(kindOf))].filter((type) => richKinds.has(type));
}

/** The same message or view with `kinds` in their plain forms. */
export function withoutKinds<M extends Message | View>(shown: M, kinds: ReadonlySet<string>): M {
  return { ...shown, blocks: shown.blocks.flatMap((block) => (kinds.has(kindOf(block)) ? plainForm(block) : [block])) };
}

/** The content of a block as blocks that every workspace has. */
export function plainForm(block: Block): Block[] {
  if (block.type === "input" && block.element.type === "file_input")
    return [context(`*${block.label.text}*: ${noFilesTaken}`)];
  if (block.type === "alert") return [section(`:warning: ${block.text.text}`)];
  if (block.type === "markdown") return paragraphs(markdownLines(block.text));
  const lines = plainLines(block);
  return lines.length > 0 ? paragraphs(lines) : [block];
}

/** The content of a newer block as lines of mrkdwn; empty for kinds with a text of their own. */
export function plainLines(block: Block): string[] {
  if (block.type === "data_table") return tableLines(block);
  if (block.type === "data_visualization") return chartLines(block);
  if (block.type === "plan") return planLines(block);
  return [];
}

/** Standard Markdown, as the guide writes it, in mrkdwn. A code block stays one piece, since a section's end inside would leave it open. */
function markdownLines(text: string): string[] {
  // Each fence ends one part and begins the next; behind an opening one is the name of the language.
  return text.split(/^```/m).flatMap((part, at) => {
    if (at % 2 === 1) return [escapeText(`\`\`\`${part.replace(/^.*/, "")}\`\`\``)];
    return part
      .trim()
      .split("\n")
      .filter((line) => !/^\|[\s|:-]+$/.test(line))
      .map(markdownLine);
  });
}

function markdownLine(line: string): string {
  const [, title] = /^#+ (.+)$/.exec(line) ?? [];
  if (title !== undefined) return `*${inlineMarks(title.replaceAll("**", ""))}*`;
  if (line.startsWith("|")) return dotted(line.split(/(?<!\\)\|/).map((cell) => inlineMarks(cell.trim())));
  return inlineMarks(line.replace(/^(\s*)- /, "$1• "));
}

const codeMark = /(`[^`]*`)/u;
const linkMark = /\[([^[\]]+)\]\((https?:[^\s()]+)\)/u;
const addressMark = /(<https?:[^\s<>]+>)/u;
const boldMark = /(\*\*)/u;
const italicsMark = /((?<! )\*|\*(?! ))/u;
/** Slack would read these as its own markup. */
const specials = /[&<>]/u;
const inline = anyOf(codeMark, linkMark, addressMark, boldMark, italicsMark, specials);

function inlineMarks(text: string): string {
  return text.replaceAll(
    inline,
    (whole: string, code?: string, shown?: string, url?: string, address?: string, bold?: string, italics?: string) => {
      if (code !== undefined) return escapeText(code);
      if (shown !== undefined) return `<${url}|${inlineMarks(shown)}>`;
      if (address !== undefined) return address;
      if (bold !== undefined) return "*";
      return italics === undefined ? escapeText(whole) : "_";
    },
  );
}
