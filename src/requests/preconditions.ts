import { isDeepStrictEqual } from "node:util";
import * as z from "zod";

/** A precondition as it was shown. Records of older versions have its words alone. */
const ShownPrecondition = z.object({ value: z.json().optional(), label: z.string(), text: z.string() });
export const ShownPreconditions = z.record(z.string(), ShownPrecondition);
export type ShownPreconditions = z.infer<typeof ShownPreconditions>;

const OldFacts = z.array(z.object({ label: z.string(), value: z.string() }));

/** Older versions stored a list of labels and texts. */
export function upcastFacts(facts: unknown): ShownPreconditions {
  return Object.fromEntries(OldFacts.parse(facts).map(({ label, value }) => [label, { label, text: value }]));
}

/**
 * Returns a sentence about each precondition that has another value now. One that is missing has changed, and so has one that is new: the
 * decision did not rest on it.
 */
export function preconditionChanges(was: ShownPreconditions, now: ShownPreconditions): string[] {
  const [before, after] = isOld(was) ? [byLabel(was), byLabel(now)] : [was, now];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [one, other] = [before[key], after[key]];
    if (one && other && isDeepStrictEqual(one.value, other.value)) return [];
    const [then, since] = [one?.text ?? "nothing", other?.text ?? "nothing"];
    const label = one?.label ?? other?.label ?? key;
    return [then === since ? `*${label}* changed.` : `*${label}* was ${then} and is now ${since}.`];
  });
}

/** The same for a target of a bulk request: its row in the list shows less than its own page, which a change cannot be read from. */
export function rowChanges(row: ShownPreconditions, now: ShownPreconditions): string[] {
  const labels = new Set(Object.values(now).map(({ label }) => label));
  const keys = Object.keys(row).filter((key) => !isOld(row) || labels.has(key));
  const seen = isOld(row) ? byLabel(now) : now;
  return preconditionChanges(pick(row, keys), pick(seen, keys));
}

function isOld(preconditions: ShownPreconditions): boolean {
  return Object.values(preconditions).some(({ value }) => value === undefined);
}

/** The words are all that an older version compared. */
function byLabel(preconditions: ShownPreconditions): ShownPreconditions {
  return Object.fromEntries(
    Object.values(preconditions).map(({ label, text }) => [label, { label, text, value: text }]),
  );
}

function pick(preconditions: ShownPreconditions, keys: readonly string[]): ShownPreconditions {
  return Object.fromEntries(Object.entries(preconditions).filter(([key]) => keys.includes(key)));
}
