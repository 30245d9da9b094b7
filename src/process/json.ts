/** The value of a text from outside; undefined where it is no JSON, which has no such value. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON text of a value with the keys of each object sorted, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sorted) ?? "null";
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** JSON can only write half of a surrogate pair as an escape; this also finds whole pairs that are escaped. */
const surrogate = /\\ud[89a-f]/i;

/** A whole number of 16 digits or more may be above 2^53, and would be read as another one: two ids could become the same. */
const longNumber = /[[:,\s]-?\d{16,}/;

/** Levels of lists and objects. No answer has ten, and a very deep one overflows the stack of all that walks through it. */
const mostLevels = 100;

/**
 * Parses JSON from outside, and replaces each half surrogate pair with U+FFFD. URLs, keys and indexes refuse such halves, so the same
 * event or name would fail each time it arrives. `digits`: a whole number that JavaScript cannot hold becomes its digits as text. Throws
 * a SyntaxError on invalid JSON, and on more than 100 levels.
 */
export function parseJson(text: string, { digits = false }: { digits?: boolean } = {}): unknown {
  if (isDeep(text)) throw new SyntaxError("The JSON has too many levels");
  const value: unknown = digits && longNumber.test(text) ? JSON.parse(text, digitsKept) : JSON.parse(text);
  return surrogate.test(text) ? wellFormed(value) : value;
}

function digitsKept(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? "";
  return typeof value === "number" && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}

/** True if a JSON text has a number beyond those that JavaScript can hold: it would be sent as another one. False if it is no JSON. */
export function hasHugeNumber(text: string): boolean {
  let isHuge = false;
  const look = (_: string, value: unknown): unknown => {
    isHuge ||= typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
    return value;
  };
  try {
    if (!isDeep(text)) JSON.parse(text, look);
  } catch {
    return false;
  }
  return isHuge;
}

const [quote, backslash] = [0x22, 0x5c];
const isOpening = (code: number) => code === 0x5b || code === 0x7b;
const isClosing = (code: number) => code === 0x5d || code === 0x7d;

function isDeep(text: string): boolean {
  let levels = 0;
  let isInText = false;
  for (let at = 0; at < text.length && levels <= mostLevels; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInText = !isInText;
    else if (isInText) at += code === backslash ? 1 : 0;
    else if (isOpening(code)) levels += 1;
    else if (isClosing(code)) levels -= 1;
  }
  return levels > mostLevels;
}

/** Like `parseJson`, for callers that parse themselves: gives JSON text. Text that is not JSON stays unchanged. */
export function wellFormedJson(text: string): string {
  if (!surrogate.test(text)) return text;
  try {
    return JSON.stringify(parseJson(text));
  } catch {
    return text;
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}
