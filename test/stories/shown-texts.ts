import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import type { PracticeSlack } from "../../src/sandbox/slack/server.ts";
import { isObject } from "../../src/sandbox/slack/wire/json.ts";
import { code, prose, unmarked } from "../../src/views/text.ts";
import { faultsOf } from "../texts.ts";

/**
 * Reads every message, modal and Home that the app shows from now on, as it was at any time. The result gives the faults of their words,
 * outside code marks and outside the words that people typed and the platform sent.
 */
export function readTexts(slack: PracticeSlack, platform: PracticePlatform): () => string[] {
  const texts = new Set<string>();
  const answers = new Set<string>();
  platform.onAnswer((body) => answers.add(body));
  slack.onChange(({ shown }) => {
    if (shown && (!("ts" in shown) || shown.user === slack.botUserId))
      for (const text of textsShown(shown)) texts.add(text);
  });
  return () => {
    const suspected = [...texts].filter((text) => !isClean(text));
    if (suspected.length === 0) return [];
    const foreign = asShown([
      ...[...answers].flatMap(bodyTexts),
      ...platform.reseller.deliveries().flatMap((delivery) => platformTexts(delivery)),
      ...slack.deliveries().flatMap(({ payload }) => typedTexts(payload)),
    ]);
    return suspected.flatMap((text) => faultsOf(withoutForeign(text, foreign)));
  };
}

/** Most texts of a story were shown by another one before it. */
const clean = new Set<string>();

function isClean(text: string): boolean {
  if (clean.has(text)) return true;
  if (faultsOf(text).length > 0) return false;
  clean.add(text);
  return true;
}

const plainFields = new Set(["alt_text", "caption", "title", "label", "x_label", "y_label"]);

/** Every text that a message or a view shows, its menus, dialogs and charts too. A line of rich text is one text. */
function textsShown(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsShown);
  if (!isObject(value)) return [];
  if (value.type === "rich_text_preformatted" || value.type === "rich_text_quote") return [];
  if (value.type === "rich_text_section" && Array.isArray(value.elements))
    return [value.elements.map(richWords).join("")];
  return Object.entries(value).flatMap(([name, inner]) => {
    // Slack converts no time in a dialog, and its reader's zone is unknown: each time there names its own.
    if (name === "confirm") return textsShown(inner).map((text) => text.replaceAll(/\d\d:\d\d UTC\b/g, "then"));
    if (typeof inner !== "string") return textsShown(inner);
    return name === "text" || plainFields.has(name) ? [inner] : [];
  });
}

function richWords(element: unknown): string {
  if (!isObject(element) || element.type === "emoji") return "";
  const { type, text, style } = element;
  if (type !== "text" && type !== "link") return "Ana";
  const said = typeof text === "string" ? text : "X";
  return isObject(style) && style.code === true ? `\`${said}\`` : said;
}

function bodyTexts(body: string): string[] {
  try {
    return platformTexts(JSON.parse(body));
  } catch {
    return [body];
  }
}

const namingFields = /name|label|title|description|message|reason|text|model|content|version|path/;

/** Texts that the platform wrote: names, and anything of several words. Its states are single words, which the app has to translate. */
function platformTexts(value: unknown, field = ""): string[] {
  if (typeof value === "string") return value.includes(" ") || namingFields.test(field) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((inner) => platformTexts(inner, field));
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => platformTexts(inner, name)) : [];
}

/** Texts that people wrote, out of the payloads that Slack delivered: commands and their values, messages, filled fields. */
function typedTexts(payload: unknown): string[] {
  if (!isObject(payload)) return [];
  const { command, text, event, message, view, state } = payload;
  const messages = [event, message].filter(isObject).filter(({ bot_id, app_id }) => (bot_id ?? app_id) === undefined);
  const said = messages.flatMap((one) => [one.text, ...textsShown(one.attachments)]);
  const values = [view, { state }].filter(isObject).flatMap((one) => valuesIn(one.state));
  const written = [...(command === undefined ? [] : [text]), ...said, ...values];
  return written.flatMap((one) => (typeof one === "string" ? [one, ...partsOf(one)] : []));
}

function valuesIn(state: unknown): string[] {
  if (!isObject(state)) return [];
  return Object.entries(state).flatMap(([name, inner]) => {
    if (typeof inner === "string") return name === "value" ? [inner] : [];
    return valuesIn(inner);
  });
}

/** The values of a command, and its words with an underscore, which an answer may repeat one by one. */
function partsOf(command: string): string[] {
  const parts = command.matchAll(/"([^"]+)"|=(\S+)|([^\s=]+_\S+)/g);
  return [...parts].flatMap(([, quoted, value, word]) => quoted ?? value ?? word ?? []);
}

/** Texts of others as the app shows them, the longest first, so that no part of one is left. */
function asShown(foreign: string[]): string[] {
  const forms = foreign.flatMap((text) => [
    text,
    prose(text),
    unmarked(code(text)),
    text.trim(),
    ...text.split("\n").map((line) => prose(line)),
  ]);
  return [...new Set(forms)].filter((text) => text.length > 3).sort((a, b) => b.length - a.length);
}

/** Each text of others as one word. */
function withoutForeign(text: string, foreign: readonly string[]): string {
  return foreign.reduce((rest, one) => (rest.includes(one) ? rest.replaceAll(one, "X") : rest), text);
}
