import type { PracticeSlack } from "../../src/sandbox/slack/server.ts";
import { isObject } from "../../src/sandbox/slack/wire/json.ts";

/** Marks that somebody put into a text of theirs: they mention, link, end code marks, format, and turn the direction of writing. */
export const wild =
  " <!channel> <https://evil.example|Approve here> `x :skull_and_crossbones: *shout* \u202egnp. & _so_";

interface Shown {
  text: string;
  isMrkdwn: boolean;
}

/** The faults of everything that the app shows from now on: markup that is not its own, open code marks, and escapes where none belong. */
export function readMarkup(slack: PracticeSlack): () => string[] {
  const found = new Set<string>();
  slack.onChange(({ shown }) => {
    if (!shown || ("ts" in shown && shown.user !== slack.botUserId)) return;
    const texts = [...("ts" in shown ? [{ text: shown.text, isMrkdwn: true }] : []), ...textsIn(shown)];
    for (const { text, isMrkdwn } of texts)
      for (const fault of isMrkdwn ? faultsOfMrkdwn(text) : faultsOfPlain(text)) found.add(fault);
  });
  return () => [...found];
}

/** Every text of a message or view below its blocks, with the way in which Slack reads it. Entered values are their member's. */
function textsIn(value: unknown): Shown[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const { type, text } = value;
  if (typeof text === "string" && typeof type === "string")
    return type === "mrkdwn" ? [{ text, isMrkdwn: true }] : type === "message" ? textsIn(value.blocks) : plainOf(text);
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" && plainFields.has(name) ? plainOf(inner) : textsIn(inner),
  );
}

function plainOf(text: string): Shown[] {
  return [{ text, isMrkdwn: false }];
}

const plainFields = new Set(["alt_text", "caption", "title", "x_label", "y_label", "accessibility_label"]);

const ownMarkup =
  /<(?:!date\^\d+\^[^<>|]*\|[^<>]*|@[UW]\w+|#C\w+(?:\|[^<>]*)?|!subteam\^S\w+(?:\|[^<>]*)?|(?:https?|slack|mailto):[^<>]*)>/g;

const faults: readonly [string, RegExp][] = [
  ["a link of somebody else", /<https:\/\/evil/],
  ["characters that turn the direction of writing", /[\u202a-\u202e\u2066-\u2069\u200b]/],
];

export function faultsOfMrkdwn(text: string): string[] {
  const withoutCode = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
  return [
    ...named(text, faults),
    ...named(text.replaceAll(/^>/gm, "").replaceAll(ownMarkup, ""), [["markup that is not the app's", /[<>]/]]),
    ...named(withoutCode, [
      ["an open code mark", /`/],
      ["an emoji of somebody else", /:skull_and_crossbones:/],
      ["a format of somebody else", /(?<![\p{L}\p{N}])(?:\*shout\*|_so_)/u],
    ]),
  ];
}

export function faultsOfPlain(text: string): string[] {
  return named(text, [...faults.slice(1, 2), ["an escape in plain text", /&(?:lt|gt|amp);/]]);
}

function named(text: string, patterns: readonly [string, RegExp][]): string[] {
  return patterns.flatMap(([fault, pattern]) => (pattern.test(text) ? [`${fault}: ${text.slice(0, 400)}`] : []));
}

/** The fields in which people and the platform write freely. */
const writtenFields = /name|label|title|description|message|reason|^text$|model|^os$|error|^specs$/i;

/** An answer of the platform with wild texts wherever people and the platform write freely; ids, states and amounts stay. */
export function withWildTexts(value: unknown, field = ""): unknown {
  if (typeof value === "string") return isWritten(value, field) ? `${value}${wild}` : value;
  if (Array.isArray(value)) return value.map((one) => withWildTexts(one, field));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withWildTexts(inner, name)]));
}

const machineText = /^(?:https?:\/\/\S*|\d{4}-\d{2}-\d{2}T.*|[\d.]+)$/;

function isWritten(value: string, field: string): boolean {
  return (value.includes(" ") || writtenFields.test(field)) && value !== "" && !machineText.test(value);
}
