import { hash } from "node:crypto";
import { canonicalJson } from "../process/json.ts";
import { characters, type PlainText } from "../process/plain-text.ts";
import { moment } from "../views/format.ts";
import { clipMarkup, code } from "../views/text.ts";
import type { Fact, Json, Precondition, Preconditions } from "./answer.ts";

export function nameIs(label: string, name: PlainText): Precondition {
  return { value: characters(name), label, text: code(name) };
}

/** `none`: the words for a time that the platform does not name. */
export function timeIs(label: string, at: string | null | undefined, none = "unknown"): Precondition {
  if (!at) return { value: null, label, text: none };
  // Two routes may write the same moment in two ways.
  const value = new Date(at).getTime();
  return { value: Number.isNaN(value) ? at : value, label, text: moment(at) };
}

/** For what the platform shows in its own layout: its words are all that can be compared. */
export function textIs(label: string, text: string): Precondition {
  return { value: text, label, text };
}

const unshown = "not shown by the platform";

/** In place of a fact that the platform leaves out. */
export function unshownFact(label: string): Fact {
  return { label, value: unshown, decides: "unknown" };
}

/** In place of a precondition whose read failed, or that the platform leaves out now. People decide knowing that it is unknown. */
export function unreadIs(label: string): Precondition {
  return { value: null, label, text: unshown, decides: "unknown", unread: true };
}

/** Characters of the words of a precondition: a section of Slack's has no more. */
const mostWords = 3_000;
/** Characters of a value that is stored as it is. */
const mostValue = 4_096;

/**
 * The preconditions with what a platform made too long cut in its words, and as a digest in its value: the request is stored, and read at
 * every press. Values that differ have digests that differ.
 */
export function boundPreconditions(preconditions: Preconditions): Preconditions {
  return Object.fromEntries(Object.entries(preconditions).map(([key, one]) => [key, bounded(one)]));
}

function bounded(precondition: Precondition): Precondition {
  const { value, text, decides } = precondition;
  const written = canonicalJson(value);
  const words = { ...precondition, text: clipMarkup(text, mostWords) };
  if (written.length <= mostValue) return words;
  return { ...words, value: hash("sha256", written, "base64url"), decides: decides ?? unknownIn(value) };
}

/** The preconditions as people read them. */
export function factsOfPreconditions(preconditions: Preconditions): Fact[] {
  return Object.values(preconditions).map(({ value, label, text, decides }) => {
    const says = decides ?? unknownIn(value);
    return { label, value: text, ...(says && { decides: says }) };
  });
}

/** "unknown" if the platform did not name the value, or a part of it. */
function unknownIn(value: Json): "unknown" | undefined {
  return value === null || (Array.isArray(value) && value.includes(null)) ? "unknown" : undefined;
}
