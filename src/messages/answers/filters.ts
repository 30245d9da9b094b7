import { searchEntries } from "../../members/access/resolve.ts";
import { type InputError, wrongInput } from "../../operation/errors.ts";
import { matching } from "../../operation/matching.ts";
import type { Entry } from "../../operation/target.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { listing } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";

/** The entries that match all filters. `projects`: the projects to match against; null means the rows' own project names. */
export async function filterEntries(
  entries: Entry[],
  { text, status, project }: { text?: string | undefined; status?: string | undefined; project?: string | undefined },
  known: { states: readonly string[]; projects: () => Promise<Entry[] | null> },
): Promise<Entry[]> {
  const states = status === undefined ? null : matchStates(status, entries, known.states);
  const ofRows = entries.map(({ project: name }) => ({ id: characters(name), name, aliases: [] }));
  const projects = project === undefined ? null : matchProjects(project, (await known.projects()) ?? ofRows);
  return searchEntries(entries, text ?? "")
    .filter((entry) => states === null || statesOf(entry).some((state) => states.has(state)))
    .filter((entry) => projects === null || projects.has(characters(entry.project).toLowerCase()));
}

/** All states of an entry, folded for comparison. */
function statesOf(entry: Entry): string[] {
  return [entry.state, ...(entry.states ?? [])].map(folded);
}

/**
 * The states that a typed word matches, whole or by its beginning ("stop"). Throws an InputError that lists the known states when none
 * matches.
 */
export function matchStates(typed: string, entries: Entry[], states: readonly string[]): Set<string> {
  const known = [...new Set([...states.map(folded), ...entries.flatMap(statesOf)])].sort();
  const wanted = folded(typedState(typed));
  const exact = known.filter((state) => state === wanted);
  const found = exact.length > 0 ? exact : known.filter((state) => state.startsWith(wanted));
  if (found.length > 0) return new Set(found);
  throw unknownFilter("status", `Status: there is no “${typed}”. It can be`, known, "or");
}

/** A typed status in the words that the rows have. Members type the platform's own word too: "pending_payment" is "awaiting payment". */
export function typedState(typed: string): string {
  const words = stateWords(asEnum(typed));
  return words === folded(typed) ? typed.replaceAll("_", " ") : words;
}

/** A typed status as the platform writes its own words. */
export function asEnum(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(" ", "_");
}

/**
 * The lower-case names of the projects that a typed name, slug or id matches, whole or by its beginning. Throws an InputError that lists
 * the known ones when none matches.
 */
function matchProjects(typed: string, all: Pick<Entry, "id" | "name" | "aliases">[]): Set<string> {
  const found = matching(typed, all, ({ id, name, aliases }) => [id, name, ...aliases]);
  if (found.length > 0) return new Set(found.map(({ name }) => characters(name).toLowerCase()));
  const names = [...new Set(all.map(({ name }) => name))].sort();
  throw unknownFilter("project", `Project: there is no “${typed}”. There is`, names, "and");
}

/** True for "all", which removes a filter, also one that is the channel's default. */
export function isAll(typed: unknown): boolean {
  return typeof typed === "string" && typed.trim().toLowerCase() === "all";
}

const mostNamed = 20;

/** The error for a filter value that no row can have; it lists the possible values. */
export function unknownFilter(field: string, words: string, known: PlainText[], last: string): InputError {
  const more = known.length > mostNamed ? ["others"] : [];
  const named = listing([...known.slice(0, mostNamed), ...more], last);
  return wrongInput(field, plainly`${words} ${named || "none at all"}.`);
}

function folded(text: string): string {
  return text.trim().replaceAll("_", " ").toLowerCase();
}
