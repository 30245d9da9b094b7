import { emoji } from "./emoji.js";
import { decode } from "./entities.js";
import { readReference, safeUrl } from "./references.js";

const marks = [
  { type: "bold", pattern: /(\*\*|__)(?=\S)(.+?)(?<=\S)\1/y },
  { type: "strike", pattern: /(~~)(?=\S)(.+?)(?<=\S)\1/y },
  { type: "italic", pattern: /(\*|(?<![\p{L}\p{N}])_)(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/uy },
];
const code = /(`+)(.+?)\1/y;
const labelled = /!?\[([^\]]*)\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/y;
const address = /https?:\/\/[^\s<>|)]+/iy;
const shortcode = /:([a-z0-9_+'-]+):/y;
const escaped = /\\([\\`*_{}[\]()#+\-.!~|<>:])/y;

/** One line of standard Markdown as inline nodes. */
export function parseMarkdownInline(source) {
  const nodes = [];
  let text = "";
  let at = 0;
  while (at < source.length) {
    const plain = matchAt(escaped, source, at);
    const found = plain ? undefined : readNode(source, at);
    if (plain) {
      text += plain[1];
      at += 2;
    } else if (found) {
      if (text) nodes.push({ type: "text", text: decode(text) });
      text = "";
      nodes.push(found.node);
      at = found.next;
    } else text += source[at++];
  }
  if (text) nodes.push({ type: "text", text: decode(text) });
  return nodes;
}

function readNode(source, at) {
  const span = matchAt(code, source, at);
  if (span) return ends(span, at, { type: "code", children: [{ type: "text", text: decode(span[2].trim()) }] });
  const link = matchAt(labelled, source, at);
  const url = link && safeUrl(link[2]);
  if (url) return ends(link, at, { type: "link", url, label: decode(link[1] || link[2]) });
  const reference = readReference(source, at);
  if (reference) return reference;
  for (const { type, pattern } of marks) {
    const match = matchAt(pattern, source, at);
    if (match) return ends(match, at, { type, children: parseMarkdownInline(match[2]) });
  }
  const bare = /\w/.test(source[at - 1] ?? " ") ? undefined : matchAt(address, source, at);
  if (bare) {
    const kept = bare[0].replace(/[.,;:!?'"]+$/, "");
    return { node: { type: "link", url: kept, label: kept }, next: at + kept.length };
  }
  const named = matchAt(shortcode, source, at);
  const unicode = named && emoji(named[1]);
  return unicode ? ends(named, at, { type: "emoji", name: named[1], unicode }) : undefined;
}

function ends(match, at, node) {
  return { node, next: at + match[0].length };
}

function matchAt(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}
