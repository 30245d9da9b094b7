import { parseCode, parseInline } from "./inline.js";

const listItem = /^(\s*)([•◦▪▸–-]|\d{1,3}[.)])[ \t]+(.*)$/;

/**
 * Slack's mrkdwn as blocks: paragraph, quote, pre and item, each with inline nodes. Nothing here touches a page.
 * `verbatim` is the text object's own flag.
 */
export function parseMrkdwn(source, { verbatim = false } = {}) {
  return parseBlocks(source.replace(/\r\n?/g, "\n"), { verbatim, quoted: false });
}

function parseBlocks(source, options) {
  const blocks = [];
  let lines = [];
  let at = 0;

  function endParagraph() {
    if (lines.length) blocks.push({ type: "paragraph", children: joinLines(lines, options) });
    lines = [];
  }

  while (at < source.length) {
    const line = lineAt(source, at);
    const quote = options.quoted ? undefined : readQuote(source, at, options);
    if (quote) {
      endParagraph();
      blocks.push(quote.block);
      at = quote.next;
      continue;
    }
    const fence = readFence(source, at, line);
    if (fence) {
      if (fence.before) lines.push(fence.before);
      endParagraph();
      blocks.push({ type: "pre", children: parseCode(fence.content) });
      at = fence.next;
      continue;
    }
    const item = listItem.exec(line);
    if (item) {
      endParagraph();
      blocks.push({ type: "item", depth: depthOf(item[1]), marker: item[2], children: parseInline(item[3], options) });
    } else lines.push(line);
    at += line.length + 1;
  }
  endParagraph();
  return blocks;
}

function readQuote(source, at, { verbatim }) {
  const rest = source.slice(at);
  const whole = /^(?:>|&gt;){3} ?/.exec(rest);
  const quoted = { verbatim, quoted: true };
  if (whole)
    return {
      block: { type: "quote", children: parseBlocks(rest.slice(whole[0].length), quoted) },
      next: source.length,
    };
  const lines = [];
  let next = at;
  while (next < source.length) {
    const line = lineAt(source, next);
    const mark = /^(?:>|&gt;) ?/.exec(line);
    if (!mark) break;
    lines.push(line.slice(mark[0].length));
    next += line.length + 1;
  }
  if (!lines.length) return undefined;
  return { block: { type: "quote", children: parseBlocks(lines.join("\n"), quoted) }, next };
}

function readFence(source, at, line) {
  const open = line.indexOf("```");
  if (open < 0) return undefined;
  const start = at + open + 3;
  const end = source.indexOf("```", start);
  if (end < 0 || !source.slice(start, end).trim()) return undefined;
  const after = end + 3;
  return {
    before: line.slice(0, open),
    content: source.slice(start, end).replace(/^\n|\n$/g, ""),
    next: source[after] === "\n" ? after + 1 : after,
  };
}

function joinLines(lines, options) {
  return lines.flatMap((line, index) => {
    const nodes = parseInline(line, options);
    return index ? [{ type: "break" }, ...nodes] : nodes;
  });
}

function lineAt(source, at) {
  const end = source.indexOf("\n", at);
  return source.slice(at, end < 0 ? source.length : end);
}

function depthOf(indent) {
  return Math.min(4, Math.floor(indent.replace(/\t/g, "    ").length / 2));
}
