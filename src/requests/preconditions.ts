import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import type { Act } from "../operation/act.ts";
import { decisive, type Review } from "../operation/answer.ts";
import { unlistedKey } from "../operation/caution.ts";
import type { Identity } from "../operation/identity.ts";
import type { Risk } from "../operation/risk.ts";
import { PlainText } from "../process/plain-text.ts";
import { code, prose } from "../views/text.ts";

export const StoredFact = z.object({ label: z.string(), value: z.string(), decides: z.enum(decisive).optional() });

/** A precondition as it was shown. */
const ShownPrecondition = z.object({
  value: z.json(),
  label: z.string(),
  text: z.string(),
  decides: z.enum(decisive).optional(),
  unread: z.literal(true).optional(),
});
export const ShownPreconditions = z.record(z.string(), ShownPrecondition);
export type ShownPreconditions = z.infer<typeof ShownPreconditions>;

/** The facts of an `Identity`, as they were shown. */
export const StoredIdentity = z.object({
  hostname: PlainText.nullable(),
  address: z.string().nullable(),
  projectIs: z.literal("not shown").optional(),
  addressIs: z.enum(["read", "none", "unread", "not shown", "not of this kind"]),
  location: z.string().nullable(),
  place: PlainText.nullable(),
  soldTo: z.string().optional(),
  apart: z.array(StoredFact).optional(),
});

/**
 * Returns a sentence about each precondition that has another value now. One that is missing has changed, and so has one that is new: the
 * decision did not rest on it. Beside one that was not read, before or now, no change can be seen: a failed read would void the decision.
 */
export function preconditionChanges(before: ShownPreconditions, after: ShownPreconditions): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [one, other] = [before[key], after[key]];
    if (one?.unread || other?.unread) return [];
    if (one && other && isDeepStrictEqual(one.value, other.value)) return [];
    const [then, since] = [one?.text ?? "nothing", other?.text ?? "nothing"];
    const label = one?.label ?? other?.label ?? key;
    return [then === since ? `*${label}* changed.` : `*${label}* changed: it was ${then} and is ${since} now.`];
  });
}

/**
 * The same for a target of a bulk request: its row in the list shows less than its own page, which a change cannot be read from. Its states are
 * in both.
 */
export function rowChanges(row: ShownPreconditions, now: ShownPreconditions): string[] {
  const inRow = Object.entries(now).filter(([key]) => key in row || key === unlistedKey);
  return preconditionChanges(row, Object.fromEntries(inRow));
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
interface ShownIdentity extends Pick<Identity, "hostname" | "address" | "location" | "place"> {
  name: PlainText | null;
  project: { id: string; name: PlainText } | null;
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
  const { hostname = null, addressIs } = now.identity ?? {};
  const project = now.identity?.project ?? now.project;
  // The row of such a kind names no project, and its own page was not read again.
  const isUnread = project === null && isAddressUnknown(addressIs);
  return [
    ...(was.name === null || was.name === name
      ? []
      : [`It was called ${code(was.name)} and is called ${code(name)} now.`]),
    ...(was.hostname === null || was.hostname === hostname
      ? []
      : [`Its host name was ${code(was.hostname)} and is ${code(hostname ?? "no host name")} now.`]),
    // A restart harms a machine that has another address no more than before. What erases a disk must meet the machine that was shown.
    ...(risk === "destroy" ? machineChanges(was, now.identity) : []),
    ...(was.project === null || isUnread || was.project.id === project?.id
      ? []
      : [`It was in ${code(was.project.name)} and is in ${code(project?.name ?? "no project")} now.`]),
  ];
}

function isAddressUnknown(is: Identity["addressIs"] | undefined): boolean {
  return is === "unread" || is === "not shown";
}

function machineChanges(was: ShownIdentity, now: Act["identity"]): string[] {
  const { location = null, place = null, address = null, addressIs } = now ?? {};
  const isSameMachine = isAddressUnknown(addressIs) || was.address === null || was.address === address;
  const isSamePlace = location === null || was.location === null || was.location === location;
  return [
    ...(isSameMachine
      ? []
      : [`Its address was ${code(was.address ?? "")} and is ${code(address ?? "no address")} now.`]),
    ...(isSamePlace
      ? []
      : [`It was in ${prose(was.place ?? was.location ?? "")} and is in ${prose(place ?? location)} now.`]),
  ];
}
