import { invisible } from "../process/plain-text.ts";
import { type Block, section } from "./blocks.ts";
import { escapeText, packed } from "./text.ts";

/** In characters after escaping: below the limit of a section, with room for the marks. */
const mostInBlock = 2_800;
/** In characters. A longer text is no value beside others. */
const longestValue = 2_000;

/** True for text that has lines of its own, such as a file or a console's output, and for one too long for a line. */
export function isLines(value: unknown): value is string {
  return typeof value === "string" && (/[\r\n]/.test(value.trim()) || value.length > longestValue);
}

/** Foreign text with its line breaks and indents, in blocks of code: it cannot mention, link or format. Nothing is left out. */
export function preformatted(text: string): Block[] {
  const lines = visible(text).split("\n").flatMap(shortened);
  return packed(lines, "\n", mostInBlock).map((piece) => section(`\`\`\`${piece || " "}\`\`\``));
}

/** Without a trailing break, and without characters that are invisible or change the direction of writing. */
function visible(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").replace(/(?<!\n)\n+$/, "");
  return (
    lines
      .replaceAll(/(?![\n\t])\p{Cc}/gu, "")
      .replaceAll(invisible, "")
      // Three backticks would end the block, and one beside the end of it would, too.
      .replaceAll(/`{3,}|`(?=\n|$)/g, (marks) => "ˋ".repeat(marks.length))
  );
}

/** A line in escaped pieces that each fit into a block. */
function shortened(line: string): string[] {
  const escaped = escapeText(line);
  if (escaped.length <= mostInBlock) return [escaped];
  return (line.match(/.{1,500}/gsu) ?? []).map(escapeText);
}
