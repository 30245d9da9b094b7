import { InputError } from "../../operation/errors.ts";
import { foldedName, idMark, lookingAlike, namesMeant, nearest, uuid } from "../../operation/matching.ts";
import { type Entry, type IndexedEntries, type IndexedKind, unreadRows } from "../../operation/target.ts";
import { type ApiName, PlatformRefused } from "../../platform/http/errors.ts";
import { oncePer } from "../../process/once-per.ts";
import { byCharacters, characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { duration } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { asShown, clip, count, dotted, oneLine } from "../../views/text.ts";
import type { IndexViewer, NameIndex } from "./name-index.ts";
import { occursIn, type Words } from "./words.ts";

export type Match = { kind: "one"; entry: Entry } | { kind: "ambiguous"; entries: Entry[] } | { kind: "none" };

const shortestPrefix = 8;

/** `name` is the name in the index; null when an id was typed. `near`: no name matches, and the entries have similar names. */
export type Target =
  | { is: "id"; id: string; name: PlainText | null }
  | { is: "several"; found: { id: string; name: PlainText | null }[] }
  /** `at`: index of the typed word that matches several entries, or none (`near`). `unread`: rows of the list that could not be read. */
  | { is: "ambiguous"; entries: Entry[]; near: boolean; at?: number; unread?: number };

/**
 * Finds the resource that a member typed: an id as it is (also within a pasted address), else a name from the index. The index is read
 * again before a name is refused. Similar names are offered, never taken. `several`: words that are tried one by one if together they
 * match nothing.
 */
export async function resolveTarget<A extends ApiName>(
  nameIndex: NameIndex,
  viewer: IndexViewer<A>,
  kind: IndexedKind<A>,
  typed: string,
  { topic, several, now }: { topic: string; several: readonly string[]; now: number },
): Promise<Target> {
  const id = idIn(typed);
  if (id) return { is: "id", id, name: null };
  const find = (entries: readonly Entry[]) => targetIn(entries, typed) ?? severalIn(entries, several);
  const known = find((await nameIndex.listing(viewer, kind)).entries);
  if (known) return known;
  const list = await nameIndex.listing(viewer, kind, { fresh: true });
  const { entries } = list;
  const found =
    find(entries) ?? find([...entries, ...(await findByName(nameIndex, viewer, kind, [typed, ...several]))]);
  if (found) return found;
  const unknown = unknownOf(entries, several) ?? typed;
  const at = several.indexOf(unknown);
  const near = nearEntries(entries, unknown);
  if (near.length > 0)
    return { is: "ambiguous", entries: near, near: true, unread: doubtfulRows(list), ...(at < 0 ? {} : { at }) };
  throw new InputError([
    {
      field: "target",
      message: plainly`${nothingFound(doubtfulRows(list))} ${kind.label} called “${clip(oneLine(unknown), 100)}”. ${readWords(kind.plural, list, now)} Give its ${kind.foundBy} or id, or the first ${shortestPrefix} characters of its id. /${topic} help shows all commands.`,
    },
  ]);
}

/** Each name costs a call, so that the platform is not asked for the names of a long pasted list. */
const mostAsked = 5;

/**
 * Asks the platform for these names, if the spec has a route that finds by an exact name: the list may be older than the resource. Puts
 * the entries that it finds into the name index.
 */
export async function findByName<A extends ApiName>(
  nameIndex: NameIndex,
  viewer: IndexViewer<A>,
  kind: IndexedKind<A>,
  typed: readonly string[],
): Promise<Entry[]> {
  const names = new Set(typed.flatMap((text) => namesMeant(text)));
  const found = await Promise.all(
    [...names].slice(0, mostAsked).map((name) => kind.find(viewer.client, name).catch(noneIfRefused)),
  );
  for (const entry of found.flat()) nameIndex.add(viewer, kind, entry.id, async () => entry);
  return found.flat();
}

/** The platform may refuse the name itself, such as one that is too long. The list was read, so the member still gets an answer. */
function noneIfRefused(error: unknown): Entry[] {
  if (error instanceof PlatformRefused) return [];
  throw error;
}

/** The age of the list in which a name was not found. */
export function readWords(plural: string, list: IndexedEntries, now: number): string {
  const age = now - list.at;
  const all = count(list.entries.length + list.unnamed, plural, plural);
  const doubt = unreadDoubt(doubtfulRows(list));
  return `Rackbell read the list of your ${all} ${age < 5_000 ? "just now" : `${duration(age)} ago`}.${doubt}`;
}

/** The beginning of the sentence that a name was not found in a list: where rows of it could not be read, it may be there. */
export function nothingFound(unread: number): string {
  return unread > 0 ? "Rackbell finds no" : "You have no";
}

/** How many rows of a list may have the name that was not found: they cannot be read, or show no name or type. */
function doubtfulRows(list: IndexedEntries): number {
  return unreadRows(list) + list.entries.filter(({ nameless }) => nameless).length;
}

/** " 2 rows cannot be read, or show no name or type: it may be one of them."; empty where all do. */
export function unreadDoubt(unread: number): string {
  if (unread === 0) return "";
  const rows =
    unread === 1
      ? "One row cannot be read, or shows no name or type: it may be that one."
      : `${unread} rows cannot be read, or show no name or type: it may be one of them.`;
  return ` ${rows}`;
}

/** The entries that a typed target can mean: those that match it, else those that match its words, if every word matches. */
export function entriesMeant(entries: readonly Entry[], typed: string, several: readonly string[] = []): Entry[] {
  const match = matchTarget(entries, idIn(typed) ?? typed);
  if (match.kind !== "none") return match.kind === "one" ? [match.entry] : match.entries;
  const each = several.map((word) => entriesMeant(entries, word));
  return each.every((meant) => meant.length > 0) ? each.flat() : [];
}

/** The resources that a text mentions by name or by the beginning of an id. `at` is the index of the first word that mentions it. */
export function entriesNamedIn(entries: readonly Entry[], { words, whole }: Words): { entry: Entry; at: number }[] {
  const byWord = words.flatMap((word, at) => {
    const folded = word.toLowerCase();
    const begun = isIdPart.test(folded) ? entries.filter(({ id }) => id.toLowerCase().startsWith(folded)) : [];
    return [...entriesNamed(entries, word), ...begun].map((entry) => ({ entry, at }));
  });
  // A name with blanks or marks has no word index, so it sorts behind the others.
  const odd = entries.filter(({ name }) => occursIn(name, whole));
  return [...byWord, ...odd.map((entry) => ({ entry, at: words.length }))];
}

const isIdPart = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/;

function targetIn(entries: readonly Entry[], typed: string): Target | null {
  const match = matchTarget(entries, typed);
  if (match.kind === "one") return { is: "id", id: match.entry.id, name: match.entry.name };
  return match.kind === "ambiguous" ? { is: "ambiguous", entries: match.entries, near: false } : null;
}

/** Matches each word with one entry; an entry that is typed twice counts once. Null unless there are two words and all match. */
function severalIn(entries: readonly Entry[], words: readonly string[]): Target | null {
  const each = words.map((word) => matchTarget(entries, word));
  if (each.length < 2 || each.some(({ kind }) => kind === "none")) return null;
  const at = each.findIndex(({ kind }) => kind === "ambiguous");
  const open = each[at];
  if (open?.kind === "ambiguous") return { is: "ambiguous", entries: open.entries, near: false, at };
  const found = each.flatMap((one) => (one.kind === "one" ? [[one.entry.id, one.entry] as const] : []));
  return { is: "several", found: [...new Map(found).values()].map(({ id, name }) => ({ id, name })) };
}

/** The first of several words that matches no entry, if another word matches one. */
function unknownOf(entries: readonly Entry[], words: readonly string[]): string | undefined {
  const unknown = words.filter((word) => matchTarget(entries, word).kind === "none");
  return unknown.length < words.length ? unknown[0] : undefined;
}

const address = /^(?:https?:\/\/|[\w.-]+\/)\S*$/i;
const anyUuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** The typed id, or the last id in an address pasted from the panel or the platform; null for a name. */
export function idIn(typed: string): string | null {
  if (uuid.test(typed)) return typed.toLowerCase();
  return address.test(typed) ? ([...typed.matchAll(anyUuid)].at(-1)?.[0].toLowerCase() ?? null) : null;
}

/** Nobody reads a longer list of suggestions. */
const mostNear = 10;
const shortestNear = 2;

/** Suggestions: names that begin with the typed text, else names that differ from it by a typing slip. */
export function nearEntries(entries: readonly Entry[], typed: string): Entry[] {
  const wanted = asShown(typed, "").toLowerCase();
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
  return entries.filter((entry) => namesOf(entry).some((name) => names.has(foldedName(name)))).slice(0, mostNear);
}

const longestNear = 60;

/** A slip changes the length by a few letters at most. Skipping the other names saves costly comparisons. */
function isAsLong(name: string, wanted: string): boolean {
  return Math.abs(name.length - wanted.length) <= Math.max(1, wanted.length / 3);
}

/**
 * Exact match first, as the texts are shown (name, host name, address, id), then without case, then by the first 8 or more characters of an
 * id; each of the names that the typed text can mean in its turn. Never guesses between two.
 */
export function matchTarget(entries: readonly Entry[], typed: string): Match {
  for (const name of namesMeant(typed)) {
    const match = matchName(entries, name);
    if (match.kind !== "none") return match;
  }
  return { kind: "none" };
}

function matchName(entries: readonly Entry[], exact: string): Match {
  const folded = exact.toLowerCase();
  const named = entriesNamed(entries, exact);
  const ways: (() => readonly Entry[])[] = [
    () => named.filter((entry) => namesOf(entry).includes(asShown(exact))),
    () => named,
    () => (folded.length < shortestPrefix ? [] : entries.filter(({ id }) => id.toLowerCase().startsWith(folded))),
  ];
  for (const matches of ways) {
    const found = [...new Map(matches().map((entry) => [entry.id, entry])).values()];
    const [entry, second] = found;
    if (entry && second) return { kind: "ambiguous", entries: found };
    if (entry) return { kind: "one", entry };
  }
  return { kind: "none" };
}

/**
 * Entries by each of their folded names: for 10,000 entries that takes some 20 ms, in which everybody waits. An array for each name would
 * take more memory than the rest of the list, and few names have two entries.
 */
const byNameOf = oncePer((entries: readonly Entry[]) => {
  const names = new Map<string, Entry | Entry[]>();
  for (const entry of entries) {
    for (const name of new Set([entry.id, entry.name, ...entry.aliases].map(foldedName))) {
      const same = names.get(name);
      if (Array.isArray(same)) same.push(entry);
      else names.set(name, same ? [same, entry] : entry);
    }
  }
  return names;
});

function entriesNamed(entries: readonly Entry[], name: string): Entry[] {
  return [byNameOf(entries).get(foldedName(name)) ?? []].flat();
}

function namesOf({ id, name, aliases }: Entry): string[] {
  return [id, name, ...aliases].map((each) => asShown(each));
}

/** Entries whose name, host name or address contains the text, or whose id begins with it. Texts that begin with it come first. */
export function searchEntries(entries: Entry[], query: string): Entry[] {
  const wanted = asShown(query, "").toLowerCase();
  const named = entries.map((entry) => ({
    entry,
    texts: [entry.name, ...entry.aliases, ...idMeant(entry, wanted)].map((text) => asShown(text).toLowerCase()),
  }));
  const found = named.filter(({ texts }) => texts.some((text) => text.includes(wanted)));
  const begins = (texts: string[]) => (texts.some((text) => text.startsWith(wanted)) ? 0 : 1);
  return found
    .sort((a, b) => begins(a.texts) - begins(b.texts) || byCharacters(a.entry.name, b.entry.name))
    .map(({ entry }) => entry);
}

/** Short texts such as "db" occur in many ids by chance. Only the whole id, or its first 8 or more characters, count. */
function idMeant({ id }: Entry, wanted: string): string[] {
  const own = id.toLowerCase();
  return own === wanted || (wanted.length >= shortestPrefix && own.startsWith(wanted)) ? [id] : [];
}

/** Adds the beginning of the id to entries that otherwise look the same. */
export function disambiguated(entries: readonly Entry[]): Entry[] {
  const alike = lookingAlike(entries, ({ name, detail, project }) => [name, detail, project]);
  return entries.map((entry) => {
    if (!alike.has(entry)) return entry;
    const id = idMark(entry.id);
    return {
      ...entry,
      // In front: a button or a menu cuts the end of a long line.
      detail: dotted([id, entry.detail]),
      ...(entry.columns ? { columns: { ...entry.columns, Id: id } } : {}),
    };
  });
}

/** Slack cuts the end of a button's label, and the detail there tells resources of one name apart: the name leaves it so much room. */
const mostOfDetail = 45;

/** Labels of buttons, each for one of the resources, of which no two look the same. */
export function labelledApart(entries: readonly Entry[]): { id: string; label: PlainText }[] {
  const shown = entries.map((entry) => ({ ...entry, ...partsOfLabel(entry), project: "" }));
  return disambiguated(shown).map((entry) => {
    const { name, detail } = partsOfLabel(entry);
    return { id: entry.id, label: dotted([name, detail]) };
  });
}

function partsOfLabel(entry: Entry): Pick<Entry, "name" | "detail"> {
  const detail = clip(entry.detail, mostOfDetail);
  return { name: clip(entry.name, limits.button.text - " · ".length - characters(detail).length), detail };
}
