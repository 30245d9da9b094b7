import { InputError } from "../operation/errors.ts";
import { nearest } from "../operation/nearest.ts";
import type { Entry, Listed } from "../operation/target.ts";
import type { ApiName } from "../platform/http/errors.ts";
import { clip, oneLine } from "../views/text.ts";
import type { Directory, Viewer } from "./directory.ts";
import { standsIn, type Words } from "./words.ts";

export type Match = { kind: "one"; entry: Entry } | { kind: "many"; entries: Entry[] } | { kind: "none" };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const shortestPrefix = 8;

/** `name`: what the directory calls it; null where the id itself was given. `near`: nothing is called so, and these may be meant. */
export type Target =
  | { is: "id"; id: string; name: string | null }
  | { is: "several"; found: { id: string; name: string | null }[] }
  /** `at`: which of several words fits more than one. */
  | { is: "many"; entries: Entry[]; near: boolean; at?: number };

/**
 * Finds what a member means by a target: an id as it is, also within a pasted address, a name by their directory, which is read anew before
 * "there is none" is said. What is only near is offered, never taken. `several`: words that may mean one thing each, where they mean none
 * together.
 */
export async function resolveTarget<A extends ApiName>(
  directory: Directory,
  viewer: Viewer<A>,
  kind: Listed<A>,
  typed: string,
  { topic, several = [] }: { topic: string; several?: readonly string[] },
): Promise<Target> {
  const id = idIn(typed);
  if (id) return { is: "id", id, name: null };
  const find = (entries: readonly Entry[]) => targetIn(entries, typed) ?? severalIn(entries, several);
  const known = find((await directory.listing(viewer, kind)).entries);
  if (known) return known;
  const { entries } = await directory.listing(viewer, kind, { fresh: true });
  const found = find(entries);
  if (found) return found;
  const near = nearEntries(entries, typed);
  if (near.length > 0) return { is: "many", entries: near, near: true };
  const unknown = unknownOf(entries, several) ?? typed;
  throw new InputError([
    {
      field: "target",
      message: `You have no ${kind.label} called “${clip(oneLine(unknown), 100)}”. Give its ${kind.foundBy} or id, or the first ${shortestPrefix} characters of its id. /${topic} help shows all there is.`,
    },
  ]);
}

/** All that a target may mean: what is called so, else what each of its words is called where all are called something. */
export function entriesMeant(entries: readonly Entry[], typed: string, several: readonly string[] = []): Entry[] {
  const match = matchTarget(entries, idIn(typed) ?? typed);
  if (match.kind !== "none") return match.kind === "one" ? [match.entry] : match.entries;
  const each = several.map((word) => entriesMeant(entries, word));
  return each.every((meant) => meant.length > 0) ? each.flat() : [];
}

/** The things that a text names, each with the place of the word that names it first: their names as they are, and beginnings of ids. */
export function entriesNamedIn(entries: readonly Entry[], { words, whole }: Words): { entry: Entry; at: number }[] {
  const named = byNameOf(entries);
  const byWord = words.flatMap((word, at) => {
    const folded = word.toLowerCase();
    const begun = isIdPart.test(folded) ? entries.filter(({ id }) => id.toLowerCase().startsWith(folded)) : [];
    return [...(named.get(folded) ?? []), ...begun].map((entry) => ({ entry, at }));
  });
  // Where it stands in the text is not told by a word: it comes behind those of which it is.
  const odd = entries.filter(({ name }) => standsIn(name.normalize(), whole));
  return [...byWord, ...odd.map((entry) => ({ entry, at: words.length }))];
}

const isIdPart = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

function targetIn(entries: readonly Entry[], typed: string): Target | null {
  const match = matchTarget(entries, typed);
  if (match.kind === "one") return { is: "id", id: match.entry.id, name: match.entry.name };
  return match.kind === "many" ? { is: "many", entries: match.entries, near: false } : null;
}

/** Words side by side that mean one thing each; one that is named twice is meant once. */
function severalIn(entries: readonly Entry[], words: readonly string[]): Target | null {
  const each = words.map((word) => matchTarget(entries, word));
  if (each.length < 2 || each.some(({ kind }) => kind === "none")) return null;
  const at = each.findIndex(({ kind }) => kind === "many");
  const open = each[at];
  if (open?.kind === "many") return { is: "many", entries: open.entries, near: false, at };
  const found = each.flatMap((one) => (one.kind === "one" ? [[one.entry.id, one.entry] as const] : []));
  return { is: "several", found: [...new Map(found).values()].map(({ id, name }) => ({ id, name })) };
}

/** The first word that means nothing, where others do. */
function unknownOf(entries: readonly Entry[], words: readonly string[]): string | undefined {
  const unknown = words.filter((word) => matchTarget(entries, word).kind === "none");
  return unknown.length < words.length ? unknown[0] : undefined;
}

const address = /^(?:https?:\/\/|[\w.-]+\/)\S*$/i;
const anyUuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** The id that was given as it is, or the last one in an address that was pasted from the panel or the platform; null for a name. */
export function idIn(typed: string): string | null {
  if (uuid.test(typed)) return typed.toLowerCase();
  return address.test(typed) ? ([...typed.matchAll(anyUuid)].at(-1)?.[0].toLowerCase() ?? null) : null;
}

/** More would not be read. */
const mostNear = 10;
const shortestNear = 2;

/** What may be meant: names that begin with what was typed, else those that are a slip away from it. */
export function nearEntries(entries: readonly Entry[], typed: string): Entry[] {
  const wanted = typed.trim().normalize().toLowerCase();
  if (wanted.length < shortestNear || wanted.length > longestNear) return [];
  const begins = entries.filter((entry) => namesOf(entry).some((name) => name.toLowerCase().startsWith(wanted)));
  if (begins.length > 0) return begins.slice(0, mostNear);
  const names = new Set(
    nearest(
      wanted,
      [...byNameOf(entries).keys()].filter((name) => isAsLong(name, wanted)),
      mostNear,
    ),
  );
  return entries.filter((entry) => namesOf(entry).some((name) => names.has(name.toLowerCase()))).slice(0, mostNear);
}

const longestNear = 60;

/** A slip adds or drops a few letters at most: this spares comparing with all the others. */
function isAsLong(name: string, wanted: string): boolean {
  return Math.abs(name.length - wanted.length) <= Math.max(1, wanted.length / 3);
}

/**
 * Exact first (name, host name, address, id), then without regard to case, then an id's first 8 or more characters; never a
 * guess between two. Letters that look the same are the same, however they are composed.
 */
export function matchTarget(entries: readonly Entry[], typed: string): Match {
  const exact = typed.trim().normalize();
  if (exact === "") return { kind: "none" };
  const folded = exact.toLowerCase();
  const named = byNameOf(entries).get(folded) ?? [];
  const ways: (() => readonly Entry[])[] = [
    () => named.filter((entry) => namesOf(entry).includes(exact)),
    () => named,
    () => (folded.length < shortestPrefix ? [] : entries.filter(({ id }) => id.toLowerCase().startsWith(folded))),
  ];
  for (const matches of ways) {
    const found = [...new Map(matches().map((entry) => [entry.id, entry])).values()];
    const [entry, second] = found;
    if (entry && second) return { kind: "many", entries: found };
    if (entry) return { kind: "one", entry };
  }
  return { kind: "none" };
}

/** As a person means it: regardless of case, and of how letters are composed. */
export function sameName(one: string, other: string): boolean {
  const folded = (text: string) => text.trim().normalize().toLowerCase();
  return folded(one) === folded(other);
}

const byName = new WeakMap<readonly Entry[], Map<string, Entry[]>>();

/** Entries by each of their names without regard to case: made once for a listing, since a scan of 10,000 holds up everybody. */
function byNameOf(entries: readonly Entry[]): Map<string, Entry[]> {
  const known = byName.get(entries);
  if (known) return known;
  const names = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const name of new Set(namesOf(entry).map((each) => each.toLowerCase()))) {
      const same = names.get(name);
      if (same) same.push(entry);
      else names.set(name, [entry]);
    }
  }
  byName.set(entries, names);
  return names;
}

function namesOf({ id, name, aliases }: Entry): string[] {
  return [id, name, ...aliases].map((each) => each.normalize());
}

/** Entries whose name, host name or address holds the text, or whose id begins with it; those that begin with it first. */
export function searchEntries(entries: Entry[], query: string): Entry[] {
  const wanted = query.trim().toLowerCase();
  const named = entries.map((entry) => ({
    entry,
    texts: [entry.name, ...entry.aliases, ...idMeant(entry, wanted)].map((text) => text.toLowerCase()),
  }));
  const found = named.filter(({ texts }) => texts.some((text) => text.includes(wanted)));
  const begins = (texts: string[]) => (texts.some((text) => text.startsWith(wanted)) ? 0 : 1);
  return found
    .sort((a, b) => begins(a.texts) - begins(b.texts) || a.entry.name.localeCompare(b.entry.name))
    .map(({ entry }) => entry);
}

/** A few letters such as "db" stand in many ids by chance: of one, its beginning counts, as long as where a thing is named. */
function idMeant({ id }: Entry, wanted: string): string[] {
  const own = id.toLowerCase();
  return own === wanted || (wanted.length >= shortestPrefix && own.startsWith(wanted)) ? [id] : [];
}

/** Entries of one name that nothing else tells apart get the beginning of their ids. */
export function toldApart(entries: readonly Entry[]): Entry[] {
  const alike = new Map<string, number>();
  const lookOf = ({ name, detail, project }: Entry) => `${name}\n${detail}\n${project}`;
  for (const entry of entries) alike.set(lookOf(entry), (alike.get(lookOf(entry)) ?? 0) + 1);
  return entries.map((entry) => {
    if (alike.get(lookOf(entry)) === 1) return entry;
    const id = `id ${entry.id.slice(0, shortestPrefix)}…`;
    return {
      ...entry,
      detail: [entry.detail, id].filter((part) => part !== "").join(" · "),
      ...(entry.columns ? { columns: { ...entry.columns, Id: id } } : {}),
    };
  });
}
