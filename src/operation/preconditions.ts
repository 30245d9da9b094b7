import { characters, type PlainText } from "../process/plain-text.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
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

/** The preconditions as people read them. */
export function factsOfPreconditions(preconditions: Preconditions): Fact[] {
  return Object.values(preconditions).map(({ value, label, text, decides }) => {
    const says = decides ?? (isUnknown(value) ? "unknown" : undefined);
    return { label, value: text, ...(says && { decides: says }) };
  });
}

/** True if the platform did not name the value, or a part of it. */
function isUnknown(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.includes(null));
}
