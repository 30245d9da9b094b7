import * as z from "#zod";
import type { Effect } from "../../operation/effects.ts";
import type { ReplacedSecret } from "../../operation/interrupts.ts";
import { hasHugeNumber, parseJson } from "../../process/json.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { mentionsSecret } from "../../process/secret-parts.ts";
import { code } from "../../views/text.ts";
import { powerEffects, powers } from "./power.ts";

/** The loss by an action that no specification describes. It comes before the name, whose length would cut it off in a dialog. */
export function unknownAction(action: PlainText, name: string): string {
  return `${code(action)} is the provider's own action: it may erase data or cost money, perhaps without a way back. Rackbell does not know its effect on ${name}.`;
}

/** The description of `readParams` for a form. */
export const paramsWords =
  "name=value pairs, or a JSON object. Numbers, true and false are sent as such, a value in quotes as text";

/** A pair's end: the next pair, or the end of the text. */
const end = String.raw`(?<!\s)(?=\s+[\w.-]+=|\s*$)`;
const pairName = /\s*([\w.-]+)=/y;
/** Phones write marks of their own, and close with any of the same family. */
const quotedValues = ['"“”„‟', "'‘’‚‛", "`"].map(
  (marks) => new RegExp(String.raw`[${marks}]((?:\\[\s\S]|[^\\${marks}])*)[${marks}]${end}`, "y"),
);
const bareValue = new RegExp(String.raw`[\s\S]*?${end}`, "y");

/**
 * Reads the parameters of a provider's verb: a JSON object, or `name=value` pairs on one or several lines, whose values may contain blanks.
 * A number, true or false is one, unless it is in quotes. Null if the text is neither.
 */
export function readParams(text: string): Record<string, unknown> | null {
  if (text.trim().startsWith("{")) return readObject(text);
  const pairs = readPairs(text);
  return pairs && objectOf(pairs.map(({ name, value, quoted }) => [name, quoted ? value : scalarOf(value)]));
}

/** The same, with pairs whose values are always text, as variables, paths and a file's mode: `mode=644` is octal. */
export function readTexts(text: string): Record<string, unknown> | null {
  if (text.trim().startsWith("{")) return readObject(text);
  const pairs = readPairs(text);
  return pairs && objectOf(pairs.map(({ name, value }) => [name, value]));
}

/** The pairs with their values, without the quotes round a whole value. Null if the text is no list of pairs. */
function readPairs(text: string): { name: string; value: string; quoted: boolean }[] | null {
  const pairs: { name: string; value: string; quoted: boolean }[] = [];
  for (let at = 0; text.slice(at).trim() !== ""; ) {
    const [begun, name] = matchAt(pairName, text, at) ?? [];
    if (begun === undefined || name === undefined) return null;
    at += begun.length;
    const quoted = quotedValues.map((pattern) => matchAt(pattern, text, at)).find((match) => match !== null);
    const [whole = "", inside] = quoted ?? matchAt(bareValue, text, at) ?? [];
    at += whole.length;
    const value = inside === undefined ? whole.trim() : inside.replaceAll(/\\(["“”„‟'‘’‚‛`\\])/g, "$1");
    pairs.push({ name, value, quoted: inside !== undefined });
  }
  return pairs.length > 0 ? pairs : null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Null if a name comes twice. A name such as `__proto__` is a name like any other. */
function objectOf(entries: [string, unknown][]): Record<string, unknown> | null {
  const names = new Set(entries.map(([name]) => name));
  return names.size === entries.length ? Object.fromEntries(entries) : null;
}

/** Only a number that is written as JSON writes it: `007`, `1.20` and an id of twenty digits are text. */
function scalarOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** A phone's quotes are no JSON: where they make the text unreadable, they are read as plain ones. */
function writingsOf(text: string): string[] {
  return [text, text.replaceAll(/[“”„‟]/g, '"')];
}

/** The error of a JSON text with a number that would be sent as another one. */
const hugeNumberWords =
  "a number above 9007199254740991 cannot be sent exactly. Put it in quotes to send its digits as text.";

/** A check of a text for `readParams`. `words`: how to write it. */
export function checkParams(words: string, read: (text: string) => unknown = readParams) {
  return (text: string | undefined, { addIssue }: { addIssue(error: string): void }): void => {
    if (text === undefined) return;
    if (writingsOf(text).some(hasHugeNumber)) addIssue(hugeNumberWords);
    else if (read(text) === null) addIssue(words);
  };
}

function readObject(text: string): Record<string, unknown> | null {
  for (const written of writingsOf(text)) {
    try {
      const value: unknown = parseJson(written);
      if (typeof value === "object" && value !== null) return { ...value };
    } catch {
      // The next way of reading it is tried.
    }
  }
  return null;
}

/** A provider's verbs with a well-known effect. */
export const plainPower: readonly string[] = ["start", "stop", "restart"];

/** The effects of a provider's own verb. Nobody knows those of an unknown one, so it may switch the machine. */
function verbEffects(action: string): readonly Effect[] {
  if (action === "start" || action === "stop" || action === "restart") return powerEffects(action);
  return [{ aspect: "power", through: ["stopped", "paused", "running"], to: [] }];
}

const guessedSecret: ReplacedSecret = { secret: "password or key", maker: "The provider", guessed: true };

/** The input and form of a provider's verb, with its parameters. `listed` names the command that lists the verbs; `readings` are those that only read. */
export function providerAction(listed: string, readings: readonly string[]) {
  return {
    verb: ({ action }: { action: string }) => `Run ${action} on`,
    phrase: "Run a provider action",
    effects: ({ input: { action } }: { input: { action: string } }) =>
      readings.includes(action) ? [] : verbEffects(action),
    interrupts: ({ action }: { action: string }) =>
      action === "stop" || action === "restart" ? powers[action].interrupts : null,
    replaces: ({ input: { action } }: { input: { action: string } }) => (mentionsSecret(action) ? guessedSecret : null),
    input: z.object({
      action: z
        .string()
        .regex(/^[\w.:-]{1,100}$/, "an action is one word of letters, digits, dots and hyphens.")
        .meta({ title: "Action", description: listed }),
      params: z
        .string()
        .max(3_000)
        .optional()
        .superRefine(checkParams("write name=value pairs, or a JSON object."))
        .meta({
          title: "Parameters",
          format: "lines",
          description: `${paramsWords}. No secrets: they are shown.`,
        }),
    }),
  };
}
