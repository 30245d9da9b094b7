import { parseMarkdownInline } from "./markdown-inline.js";

const fence = /^\s{0,3}(```+|~~~+)/;
const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Standard Markdown (the `markdown` block) as the same kind of nodes that mrkdwn gives, with headings, rules and tables. */
export function parseMarkdown(source) {
  const lines = source.replace(/\r\n?/g, "\n").split("\n");
  const blocks = [];
  let paragraph = [];
  let at = 0;

  function add(block, next) {
    if (paragraph.length) blocks.push({ type: "paragraph", children: joinLines(paragraph) });
    paragraph = [];
    if (block) blocks.push(block);
    at = next;
  }

  while (at < lines.length) {
    const line = lines[at];
    const found = readFence(lines, at) ?? readLine(line, at) ?? readQuote(lines, at) ?? readTable(lines, at);
    if (found) add(found.block, found.next);
    else if (!line.trim()) add(undefined, at + 1);
    else {
      paragraph.push(line);
      at++;
    }
  }
  add(undefined, at);
  return blocks;
}

function readLine(line, at) {
  const title = heading.exec(line);
  if (title)
    return {
      block: { type: "heading", level: title[1].length, children: parseMarkdownInline(title[2]) },
      next: at + 1,
    };
  if (rule.test(line)) return { block: { type: "rule" }, next: at + 1 };
  const entry = item.exec(line);
  if (!entry) return undefined;
  const [, indent, bullet, tick, text] = entry;
  const marker = tick === undefined ? bullet.replace(/^[-*+]$/, "•") : tick === " " ? "☐" : "☑";
  const depth = Math.min(4, Math.floor(indent.replace(/\t/g, "    ").length / 2));
  return { block: { type: "item", depth, marker, children: parseMarkdownInline(text) }, next: at + 1 };
}

function readFence(lines, at) {
  const open = fence.exec(lines[at]);
  if (!open) return undefined;
  let end = at + 1;
  while (end < lines.length && !lines[end].trimStart().startsWith(open[1])) end++;
  const text = lines.slice(at + 1, end).join("\n");
  return { block: { type: "pre", children: [{ type: "text", text }] }, next: end + 1 };
}

function readQuote(lines, at) {
  let next = at;
  while (next < lines.length && /^\s{0,3}>/.test(lines[next])) next++;
  if (next === at) return undefined;
  const inner = lines.slice(at, next).map((line) => line.replace(/^\s{0,3}> ?/, ""));
  return { block: { type: "quote", children: parseMarkdown(inner.join("\n")) }, next };
}

function readTable(lines, at) {
  const head = lines[at];
  if (!head.includes("|") || !lines[at + 1]?.includes("-") || !tableRule.test(lines[at + 1])) return undefined;
  let next = at + 2;
  while (next < lines.length && lines[next].includes("|")) next++;
  const rows = [head, ...lines.slice(at + 2, next)].map((line) => cells(line).map((cell) => parseMarkdownInline(cell)));
  return { block: { type: "table", align: cells(lines[at + 1]).map(alignment), rows }, next };
}

function cells(line) {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignment(cell) {
  if (/^:-+:$/.test(cell)) return "center";
  return cell.endsWith(":") ? "right" : "left";
}

function joinLines(lines) {
  return lines.flatMap((line, index) => {
    const nodes = parseMarkdownInline(line.trim());
    return index ? [{ type: "break" }, ...nodes] : nodes;
  });
}
