import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Act } from "../operation/act.ts";
import type { Review } from "../operation/answer.ts";
import type { Identity } from "../operation/identity.ts";
import type { Risk } from "../operation/risk.ts";
import { PlainText } from "../plain-text.ts";
import { code, prose } from "../views/text.ts";

/** A precondition as it was shown. Records of older versions have its words alone. */
const ShownPrecondition = z.object({ value: z.json().optional(), label: z.string(), text: z.string() });
export const ShownPreconditions = z.record(z.string(), ShownPrecondition);
export type ShownPreconditions = z.infer<typeof ShownPreconditions>;

/** The facts of an `Identity`, as they were shown. */
export const StoredIdentity = z.object({
  hostname: PlainText.nullable(),
  address: z.string().nullable(),
  addressIs: z.enum(["read", "none", "unread", "not of this kind"]),
  location: z.string().nullable(),
});

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
    return [then === since ? `*${label}* changed.` : `*${label}* changed: it was ${then} and is ${since} now.`];
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

/**
 * Returns a sentence if the price that a person decided on is another one now. Most operations name it as a precondition, too, and that
 * says more; this one holds if an author forgot it. A price that was not named cannot change.
 */
export function priceChanges(was: Review["price"], now: Review["price"]): string[] {
  if (was === null || was === "unknown") return [];
  const isSame = typeof now === "object" && now?.amount === was.amount && now.currency === was.currency;
  return isSame ? [] : ["Its price changed."];
}

/** Facts by which people recognised the resource when they decided. Null: unknown at that time. */
interface ShownIdentity extends Pick<Identity, "hostname" | "address" | "location"> {
  name: PlainText | null;
  /** The id is null if only the name was stored. */
  project: { id: string | null; name: PlainText } | null;
}

/**
 * Compares a resource with the one that was approved, and returns sentences about the differences. Its name may belong to another machine
 * now, and a machine may have moved to a protected project. A renamed project stays the same.
 */
export function identityChanges(
  was: ShownIdentity,
  now: Pick<Act, "target" | "identity" | "project">,
  risk: Risk,
): string[] {
  const name = now.target?.name ?? "";
  const { hostname = null, location = null, address = null, addressIs } = now.identity ?? {};
  // A restart harms a machine that has another address no more than before. What erases a disk must meet the machine that was shown.
  const isSameMachine = risk !== "destroy" || addressIs === "unread" || was.address === null || was.address === address;
  const isSamePlace = risk !== "destroy" || location === null || was.location === null || was.location === location;
  const project = now.identity?.project ?? now.project;
  // The row of such a kind names no project, and its own page was not read again.
  const isUnread = project === null && addressIs === "unread";
  return [
    ...(was.name === null || was.name === name
      ? []
      : [`It was called ${code(was.name)} and is called ${code(name)} now.`]),
    ...(was.hostname === null || was.hostname === hostname
      ? []
      : [`Its host name was ${code(was.hostname)} and is ${code(hostname ?? "no host name")} now.`]),
    ...(isSameMachine
      ? []
      : [`Its address was ${code(was.address ?? "")} and is ${code(address ?? "no address")} now.`]),
    ...(isSamePlace ? [] : [`It was in ${prose(was.location ?? "")} and is in ${prose(location ?? "")} now.`]),
    ...(was.project === null || isUnread || isSameProject(was.project, project)
      ? []
      : [`It was in ${code(was.project.name)} and is in ${code(project?.name ?? "no project")} now.`]),
  ];
}

/** The identity that a request stored. */
export function identityOf({
  target,
  identity,
}: {
  target: { name: PlainText } | null;
  identity: Omit<ShownIdentity, "name"> | null;
}): ShownIdentity {
  const { hostname = null, project = null, address = null, location = null } = identity ?? {};
  return { name: target?.name ?? null, hostname, project, address, location };
}

function isSameProject(was: NonNullable<ShownIdentity["project"]>, now: Act["project"]): boolean {
  return was.id === null ? was.name === now?.name : was.id === now?.id;
}
