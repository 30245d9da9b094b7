import { decode } from "./entities.js";

const reference = /<([^<>\n]+)>/y;
const dateToken = /^date\^(\d+)\^([^^]*)(?:\^(.+))?$/;

/**
 * Reads what Slack writes in angle brackets at `at`: a link, a mention, a broadcast or a date.
 * @returns the node and where the text goes on, or undefined when it is only a bracket
 */
export function readReference(source, at) {
  reference.lastIndex = at;
  const match = reference.exec(source);
  if (!match) return undefined;
  const node = toNode(match[1]);
  return node && { node, next: reference.lastIndex };
}

/** The address when a click on it can do no harm, else undefined. */
export function safeUrl(url) {
  return /^(https?:\/\/|mailto:|tel:)/i.test(url) ? url : undefined;
}

function toNode(body) {
  const [target, label] = splitLabel(body);
  if (/^@[A-Z0-9]+$/.test(target)) return { type: "user", id: target.slice(1), label };
  if (/^#[A-Z0-9]+$/.test(target)) return { type: "channel", id: target.slice(1), label };
  if (target.startsWith("!")) return toSpecial(target.slice(1), label);
  const url = safeUrl(decode(target));
  return url && { type: "link", url, label: label ?? url.replace(/^(mailto|tel):/i, "") };
}

function toSpecial(target, label) {
  if (/^(channel|here|everyone)$/.test(target)) return { type: "broadcast", range: target };
  if (target.startsWith("subteam^")) return { type: "usergroup", id: target.slice(8), label };
  const date = dateToken.exec(target);
  if (!date) return { type: "text", text: label ?? `<!${target}>` };
  return {
    type: "date",
    ts: Number(date[1]),
    format: decode(date[2]),
    url: date[3] && safeUrl(decode(date[3])),
    fallback: label ?? "",
  };
}

function splitLabel(body) {
  const bar = body.indexOf("|");
  return bar < 0 ? [body, undefined] : [body.slice(0, bar), decode(body.slice(bar + 1))];
}
