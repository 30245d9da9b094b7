import { isIP } from "node:net";
import { type EventSubject, newestEvents, searchTermsOf, subjectsIn } from "../../alerts/event-log.ts";
import { isServiceEnd } from "../../alerts/events.ts";
import { idIn, matchTarget } from "../../members/access/resolve.ts";
import { oneOnly } from "../../members/resources/finder.ts";
import { knownResources, type RefusedList, readResources, withoutRefused } from "../../members/resources/resources.ts";
import { wrongInput } from "../../operation/errors.ts";
import { namesMeant, nearest, sameName } from "../../operation/matching.ts";
import { type Entry, indexedKindOf } from "../../operation/target.ts";
import { isForbidden } from "../../platform/http/errors.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { clip, listing, oneLine } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { customer } from "../reseller/customer.ts";
import { homeKinds, isAllRead, refusedSentences } from "./home-kinds.ts";

// Alerts are about customers, orders, services, documents and images. What an admin typed of these is stored by the id by which events name
// it: a name may be that of several, or be another one tomorrow, and no event names an address of an own machine.

const kinds = { ...homeKinds, reseller: [...homeKinds.reseller, indexedKindOf(customer)] };

/** Milliseconds after which a list is read again. */
export const old = 10 * 60_000;
/** How many of the newest events are searched for a typed name. */
const eventsSearched = 200;

/** A resource in a list, or a stored one that no list has. */
interface SubjectRow {
  /** The kind, as it is typed before a name; empty for a stored one. */
  noun: string;
  subject: EventSubject;
  entry: Entry;
}

/** The resources of a member's own lists that alerts can be about. */
export interface SubjectLists {
  rows: readonly SubjectRow[];
  /** By the id of events, in small letters: a service is in the list of its kind, and among all. */
  byId: ReadonlyMap<string, readonly SubjectRow[]>;
  refused: RefusedList[];
  /** False where a list could not be read: then nobody knows that a name is nothing. */
  isWhole: boolean;
  /** True where a list failed that the platform does not refuse. */
  isIncomplete: boolean;
}

/** Reads the lists that are older than so many milliseconds. */
export async function readSubjectLists(
  context: AppContext,
  member: string,
  { olderThan }: { olderThan: number },
): Promise<SubjectLists> {
  const { failed, refused } = await readResources(context, member, kinds, { olderThan });
  const parts = withoutRefused(await knownResources(context, member, kinds), refused);
  const rows = parts.flatMap(({ noun, entries }) =>
    entries.map((entry) => ({ noun, entry, subject: subjectOf(entry) })),
  );
  return {
    rows,
    byId: Map.groupBy(rows, ({ subject }) => subject.about.toLowerCase()),
    refused,
    isWhole: failed.length === 0 && isAllRead(parts, []),
    isIncomplete: failed.some((error) => !isForbidden(error)),
  };
}

function subjectOf({ id, name, inEvents }: Entry): EventSubject {
  // Alerts show a customer by the word of events alone: a channel must not read the name or the address of an admin's list.
  return inEvents === undefined ? { about: id, name: characters(name) } : { about: inEvents, name: null };
}

/** The name of a subject for a member who may see it: that of their lists, else the stored one. */
export function nameNow({ byId }: Pick<SubjectLists, "byId">, { about, name }: EventSubject): string {
  const [row] = byId.get(about.toLowerCase()) ?? [];
  return row?.subject.name ?? name ?? about;
}

/** True where the member's own lists have it. A word that is no id is one of theirs if one of their resources is called so. */
export function isListed({ rows, byId }: Pick<SubjectLists, "rows" | "byId">, { about, name }: EventSubject): boolean {
  return byId.has(about.toLowerCase()) || (name === null && rowsCalled(rows, about).length > 0);
}

/** The one of the stored subjects that was typed, by its present name; its stored name counts where no list has it. */
export function findStoredSubject(
  { byId }: SubjectLists,
  stored: readonly EventSubject[],
  { typed, field }: { typed: string; field: string },
): EventSubject | null {
  const same = stored.find(({ about }) => about.toLowerCase() === typed.toLowerCase());
  if (same) return same;
  const rows = stored.flatMap((subject) => byId.get(subject.about.toLowerCase()) ?? unlistedRow(subject));
  const found = onlyOne(rowsCalled(rows, typed), { typed, field });
  return stored.find(({ about }) => about.toLowerCase() === found?.about.toLowerCase()) ?? null;
}

/**
 * The one of all resources and of the events of 30 days that was typed: by its present name, else by one that it had. Throws an InputError
 * for several; null for none.
 */
export async function findSubject(
  context: AppContext,
  lists: SubjectLists,
  { typed, field }: { typed: string; field: string },
): Promise<EventSubject | null> {
  const logged = await loggedRows(context, typed);
  const others = logged.filter(({ subject, isOver }) => !isOver && !lists.byId.has(subject.about.toLowerCase()));
  const present = [...rowsCalled(lists.rows, typed), ...others];
  const found = onlyOne(present.length > 0 ? present : logged, { typed, field });
  if (found === null) return null;
  // The button of an alert gives the id, and its alert has the name of the event.
  const same = logged.find(({ subject }) => subject.about.toLowerCase() === typed.toLowerCase());
  const name = same?.subject.name ?? nameNow(lists, found);
  return { about: found.about, name: name === found.about ? null : name };
}

/** The resource of the events that have this whole id, as the button of an alert gives it: no list is read for it. Null for a name. */
export async function subjectOfId(context: AppContext, id: string): Promise<EventSubject | null> {
  if (idIn(id) === null) return null;
  const rows = await loggedRows(context, id);
  return rows.find(({ subject }) => subject.about.toLowerCase() === id.toLowerCase())?.subject ?? null;
}

/** The rows of all that events name so, the newest first. `isOver`: the newest event of that name is the end of its service. */
async function loggedRows(context: AppContext, typed: string): Promise<(SubjectRow & { isOver: boolean })[]> {
  const meant = namesMeant(typed).map((one) => one.toLowerCase());
  const events = await Promise.all(meant.map((about) => newestEvents(context, { about, limit: eventsSearched })));
  const rows = events.flat().flatMap((event) =>
    subjectsIn(event.data)
      .filter(({ names }) => names.some((one) => meant.includes(one.toLowerCase())))
      .map(({ about, name }) => ({ ...unlistedRow({ about, name }), isOver: isServiceEnd(event) })),
  );
  return [...Map.groupBy(rows, ({ subject }) => subject.about.toLowerCase()).values()].flatMap(([row]) => row ?? []);
}

function unlistedRow(subject: EventSubject): SubjectRow {
  const { about, name } = subject;
  const entry: Entry = { id: about, name: name ?? about, aliases: [], state: "", project: "", detail: "" };
  return { noun: "", subject, entry };
}

/** The rows that a typed text means: a name, host name, address or id, also after the noun of its kind. */
function rowsCalled(rows: readonly SubjectRow[], typed: string): SubjectRow[] {
  const found = rowsMatching(rows, typed);
  if (found.length > 0) return found;
  const words = typed.toLowerCase();
  const nouns = [...new Set(rows.map(({ noun }) => noun))].filter((noun) => noun && words.startsWith(`${noun} `));
  return nouns.flatMap((noun) =>
    rowsMatching(
      rows.filter((row) => row.noun === noun),
      typed.slice(noun.length + 1),
    ),
  );
}

function rowsMatching(rows: readonly SubjectRow[], typed: string): SubjectRow[] {
  const match = matchTarget(
    rows.map(({ entry }) => entry),
    idIn(typed) ?? typed,
  );
  if (match.kind === "none") return [];
  const ids = new Set((match.kind === "one" ? [match.entry] : match.entries).map(({ id }) => id));
  return rows.filter(({ entry }) => ids.has(entry.id));
}

/** The subject of these rows; null for none. Throws an InputError where they are of several. */
function onlyOne(rows: readonly SubjectRow[], { typed, field }: { typed: string; field: string }): EventSubject | null {
  const each = [...Map.groupBy(rows, ({ subject }) => subject.about.toLowerCase()).values()].flatMap(
    ([row]) => row ?? [],
  );
  const [only, second] = each;
  if (second) throw oneOnly(typed, each.map(markOf), field);
  return only?.subject ?? null;
}

/** Longer than the usual eight characters: a machine may be named by those of another. */
const markLength = 13;

/** A subject that no list has is found by its whole id alone. */
function markOf({ noun, entry }: SubjectRow): PlainText {
  return noun === "" ? entry.id : plainly`${noun} ${entry.id.slice(0, markLength)}`;
}

/** True for an address. No event names that of an own machine, so a mute or a filter by one that nobody knows would cover nothing. */
export function isAddress(typed: string): boolean {
  return namesMeant(typed).some((one) => isIP(one) !== 0);
}

/** The sentences that nothing is called so, with the names that are near to it. */
export async function nothingCalledSo(context: AppContext, lists: SubjectLists, typed: string): Promise<PlainText> {
  const { rows, refused, isWhole } = lists;
  const logged = await newestEvents(context, { limit: eventsSearched });
  const names = [
    ...rows.map(({ entry }) => characters(entry.name)),
    ...logged.flatMap(({ data }) => searchTermsOf(data)),
  ];
  const near = nearest(typed, names).map((name) => `“${name}”`);
  const meant = near.length > 0 ? ` Did you mean ${listing(near, "or")}?` : "";
  const nothing = plainly`“${clip(oneLine(typed), 60)}”: none of your resources${isWhole ? "" : " that Rackbell could read"}, and no event of the last 30 days.`;
  const lacking = refusedSentences(refused).map((words) => ` ${words}`);
  return plainly`Nothing is called ${nothing}${meant}${lacking.join("")}`;
}

/**
 * The words of a filter as events have them: of a customer the own id. Throws an InputError for one that finds a resource and is in no event,
 * such as an address. `unknown`: sentences about those that are nothing yet.
 */
export async function wordsOfEvents(
  context: AppContext,
  lists: SubjectLists,
  { typed: all, field }: { typed: readonly string[]; field: string },
): Promise<{ words: string[]; unknown: PlainText[] }> {
  const unknown: PlainText[] = [];
  const words: string[] = [];
  for (const typed of all) {
    const rows = rowsCalled(lists.rows, typed);
    const isLogged = (await loggedRows(context, typed)).length > 0;
    const [named] = rows.flatMap(({ subject, entry }) => [subject.name, entry.hostname, subject.about]).filter(Boolean);
    const isNothing = rows.length === 0 && !isLogged;
    if (isNothing && isAddress(typed)) throw wrongInput(field, await nothingCalledSo(context, lists, typed));
    if (isNothing && lists.isWhole) unknown.push(await nothingCalledSo(context, lists, typed));
    const customers = rows.filter(({ entry }) => entry.inEvents !== undefined);
    // A customer is stored by another word than what was typed, so it must be the only one that this can mean.
    const own = customers.length > 0 ? onlyOne(rows, { typed, field })?.about : undefined;
    if (!own && !isNothing && !(isLogged && !isAddress(typed)) && !rows.some((row) => isWordOf(row, typed)))
      throw wrongInput(field, plainly`Events do not have “${clip(oneLine(typed), 60)}”. ${instead(named)}`);
    words.push(own ?? typed);
  }
  return { words, unknown };
}

function isWordOf({ subject, entry }: SubjectRow, typed: string): boolean {
  return [subject.about, subject.name, entry.hostname].some((one) => one && sameName(one, typed));
}

function instead(name: PlainText | null | undefined): PlainText {
  return name ? plainly`Write “${name}”, which they have.` : "Write a name or an id.";
}
