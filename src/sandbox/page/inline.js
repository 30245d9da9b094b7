import { emoji } from "./emoji.js";
import { decode } from "./entities.js";
import { readReference } from "./references.js";

const marks = { "*": "bold", _: "italic", "~": "strike" };
const shortcode = /:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/y;
const address = /https?:\/\/[^\s<>|]+/iy;
const hostName =
  /(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|io|dev|app|info|biz|eu|uk|us|de|es|fr|it|nl|ch|at|pt|pl|cloud|host|online|site|tech|xyz)(?![\w.-]*\w)(?:\/[^\s<>|]*)?/iy;
const wordCharacter = /[\p{L}\p{N}_]/u;

/**
 * One line of mrkdwn as nodes: text, marks with children, code, links, mentions, dates, emoji.
 * `verbatim` leaves bare addresses and host names as they are typed.
 */
export function parseInline(source, { verbatim = false, within = "" } = {}) {
  const nodes = [];
  let text = "";
  let at = 0;

  function add(node, next) {
    if (text) nodes.push({ type: "text", text: decode(text) });
    text = "";
    nodes.push(node);
    at = next;
  }

  while (at < source.length) {
    const found =
      readCode(source, at) ??
      readReference(source, at) ??
      readMark(source, at, { verbatim, within }) ??
      readEmoji(source, at) ??
      (verbatim ? undefined : readAddress(source, at));
    if (found) add(found.node, found.next);
    else text += source[at++];
  }
  if (text) nodes.push({ type: "text", text: decode(text) });
  return nodes;
}

/** Code and preformatted text: only what stands in angle brackets is read. */
export function parseCode(source) {
  const nodes = [];
  let text = "";
  let at = 0;
  while (at < source.length) {
    const found = readReference(source, at);
    if (!found) {
      text += source[at++];
      continue;
    }
    if (text) nodes.push({ type: "text", text: decode(text) });
    text = "";
    nodes.push(found.node);
    at = found.next;
  }
  if (text) nodes.push({ type: "text", text: decode(text) });
  return nodes;
}

/** Plain text with its emoji shortcodes shown as emoji. */
export function parsePlain(source) {
  const nodes = [];
  let from = 0;
  for (let at = 0; at < source.length; at++) {
    const found = readEmoji(source, at);
    if (!found) continue;
    if (at > from) nodes.push({ type: "text", text: source.slice(from, at) });
    nodes.push(found.node);
    from = found.next;
    at = from - 1;
  }
  if (from < source.length) nodes.push({ type: "text", text: source.slice(from) });
  return nodes;
}

function readCode(source, at) {
  if (source[at] !== "`") return undefined;
  const end = source.indexOf("`", at + 1);
  if (end <= at + 1) return undefined;
  return { node: { type: "code", children: parseCode(source.slice(at + 1, end)) }, next: end + 1 };
}

function readMark(source, at, { verbatim, within }) {
  const mark = source[at];
  const type = marks[mark];
  if (!type || within.includes(mark) || !opens(source, at)) return undefined;
  const end = closing(source, at);
  if (end < 0) return undefined;
  const children = parseInline(source.slice(at + 1, end), { verbatim, within: within + mark });
  return { node: { type, children }, next: end + 1 };
}

function opens(source, at) {
  const before = source[at - 1] ?? " ";
  const after = source[at + 1] ?? " ";
  return !wordCharacter.test(before) && !/\s/.test(after) && after !== source[at];
}

function closing(source, start) {
  const mark = source[start];
  let at = start + 1;
  while (at < source.length) {
    const skipped = readCode(source, at) ?? readReference(source, at);
    if (skipped) {
      at = skipped.next;
      continue;
    }
    const after = source[at + 1] ?? " ";
    const closes = source[at] === mark && at > start + 1 && !/\s/.test(source[at - 1]);
    if (closes && after !== mark && (after === "_" || !wordCharacter.test(after))) return at;
    at++;
  }
  return -1;
}

function readEmoji(source, at) {
  if (source[at] !== ":") return undefined;
  shortcode.lastIndex = at;
  const match = shortcode.exec(source);
  const unicode = match && emoji(match[1]);
  return unicode ? { node: { type: "emoji", name: match[1], unicode }, next: shortcode.lastIndex } : undefined;
}

function readAddress(source, at) {
  if (/[\w@./-]/.test(source[at - 1] ?? " ")) return undefined;
  const raw = matchAt(address, source, at);
  if (raw) return link(raw, "", at);
  const host = matchAt(hostName, source, at);
  return host && link(host, "http://", at);
}

function link(raw, scheme, at) {
  const kept = raw.replace(/(?:&[lg]t;.*|[.,;:!?)'"*_~`\]]+)$/, "");
  const label = decode(kept);
  return { node: { type: "link", url: scheme + label, label }, next: at + kept.length };
}

function matchAt(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
