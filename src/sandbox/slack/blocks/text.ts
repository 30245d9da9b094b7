import { isObject, type Json } from "../wire/json.ts";

interface TextPart {
  text: string;
  /** True where Slack reads markup in it. */
  marked: boolean;
  /** True where Slack turns addresses into links by itself. */
  autolinked: boolean;
}

const silent = new Set(["options", "option_groups", "confirm", "initial_option", "initial_options"]);

/** Every text that blocks show, menus' options and confirm dialogs aside. */
export function textsOf(value: unknown): TextPart[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isObject(value)) return [];
  const own = ownText(value);
  const nested = Object.entries(value).filter(([name]) => !silent.has(name) && !(own && name === "text"));
  return [
    ...(own ? [own] : []),
    ...nested.flatMap(([, inner]) => (isObject(inner) || Array.isArray(inner) ? textsOf(inner) : [])),
  ];
}

/** The fields in which the newer blocks have a text that is no text object. */
const titles: Record<string, string> = {
  data_table: "caption",
  data_visualization: "title",
  plan: "title",
  task_card: "title",
};

function ownText(object: Json): TextPart | undefined {
  const { type, text } = object;
  const title = typeof type === "string" ? object[titles[type] ?? ""] : undefined;
  if (typeof title === "string") return { text: title, marked: false, autolinked: false };
  if (type === "date") return { text: String(object.fallback ?? ""), marked: false, autolinked: false };
  if (type === "user") return { text: `<@${String(object.user_id)}>`, marked: true, autolinked: false };
  if (type === "broadcast") return { text: `<!${String(object.range)}>`, marked: true, autolinked: false };
  if (type === "usergroup")
    return { text: `<!subteam^${String(object.usergroup_id)}>`, marked: true, autolinked: false };
  if (type === "link")
    return { text: `<${String(object.url)}|${String(text ?? "")}>`, marked: true, autolinked: false };
  if (typeof text !== "string") return undefined;
  if (type === "mrkdwn") return { text, marked: true, autolinked: object.verbatim !== true };
  if (type === "markdown") return { text, marked: true, autolinked: true };
  return { text, marked: false, autolinked: false };
}

const mention = /<(?:@[UW][A-Z0-9]+|!(?:channel|here|everyone)|!subteam\^[A-Z0-9]+)(?:\|[^>]*)?>/g;
const writtenLink = /<((?:https?|mailto):[^>|]+)(?:\|[^>]*)?>/g;
const address = /\bhttps?:\/\/[^\s<>|]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b(?:\/[^\s<>|]*)?/gi;

/** The mentions in a message that would notify somebody, as they are written. */
export function mentionsIn(text: string, blocks: unknown): string[] {
  const marked = textsOf(blocks).filter((part) => part.marked);
  const found = [text, ...marked.map((part) => part.text)].flatMap((said) => said.match(mention) ?? []);
  return [...new Set(found)];
}

/** The clickable parts of a message: links that were written, and addresses that Slack would make links of. */
export function linksIn(text: string, blocks: unknown): string[] {
  const inBlocks = textsOf(blocks).filter((part) => part.marked);
  const shown =
    inBlocks.length > 0 || textsOf(blocks).length > 0 ? inBlocks : [{ text, marked: true, autolinked: true }];
  return [
    ...new Set(shown.flatMap((part) => [...written(part.text), ...(part.autolinked ? automatic(part.text) : [])])),
  ];
}

function written(text: string): string[] {
  return [...text.matchAll(writtenLink)].flatMap((match) => match[1] ?? []);
}

function automatic(text: string): string[] {
  // Slack leaves code and what is already a link or a mention alone.
  return text.replace(/```[\s\S]*?```|`[^`]*`|<[^>]*>/g, " ").match(address) ?? [];
}

/** The labels of the options that a menu shows in groups, as a person reads them who opens it. */
function groupedOptions(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(groupedOptions);
  if (!isObject(value)) return [];
  const { option_groups: groups, ...rest } = value;
  const own = Array.isArray(groups)
    ? groups.flatMap((group) => textsOf(isObject(group) ? Object.values(group) : []))
    : [];
  return [...own.map(({ text }) => text), ...Object.values(rest).flatMap(groupedOptions)];
}

/** Blocks that are shown never change, and a story that waits for words reads the same ones after every change of the workspace. */
const read = new WeakMap<unknown[], string>();

/** All that a message says, in one string: its blocks if there are any, or else its text. */
export function said({ text, blocks }: { text: string; blocks: unknown[] }): string {
  if (blocks.length === 0) return text;
  const known = read.get(blocks);
  if (known !== undefined) return known;
  const words = [...textsOf(blocks).map((part) => part.text), ...groupedOptions(blocks)].join("\n");
  read.set(blocks, words);
  return words;
}
