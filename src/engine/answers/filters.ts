import { InputError } from "../../operation/errors.ts";
import { meant } from "../../operation/meant.ts";
import type { Entry } from "../../operation/target.ts";
import { listing } from "../../views/text.ts";
import { searchEntries } from "../resolve.ts";

/** Those of a list that fit all that is said of them. `projects`: what a project is matched against; null for the rows' own. */
export async function narrowed(
  entries: Entry[],
  { text, status, project }: { text?: string | undefined; status?: string | undefined; project?: string | undefined },
  known: { states: readonly string[]; projects: () => Promise<Entry[] | null> },
): Promise<Entry[]> {
  const states = status === undefined ? null : matchStates(status, entries, known.states);
  const ofRows = entries.map(({ project: name }) => ({ id: name, name, aliases: [] }));
  const projects = project === undefined ? null : matchProjects(project, (await known.projects()) ?? ofRows);
  return searchEntries(entries, text ?? "")
    .filter((entry) => states === null || statesOf(entry).some((state) => states.has(state)))
    .filter((entry) => projects === null || projects.has(entry.project.toLowerCase()));
}

/** Every word that says how an entry is. */
function statesOf(entry: Entry): string[] {
  return [entry.state, ...(entry.states ?? [])].map(folded);
}

/** The states that a typed word means: all of it, or its beginning ("stop"). A word that no row could have is an error that names those that exist. */
function matchStates(typed: string, entries: Entry[], states: readonly string[]): Set<string> {
  const known = [...new Set([...states.map(folded), ...entries.flatMap(statesOf)])].sort();
  const wanted = folded(typed);
  const exact = known.filter((state) => state === wanted);
  const found = exact.length > 0 ? exact : known.filter((state) => state.startsWith(wanted));
  if (found.length > 0) return new Set(found);
  throw unknown("status", `Status: there is no “${typed}”. It can be`, known, "or");
}

/** The projects, by their names in lower case, that a typed name, slug or id means, whole or by its beginning. One that does not exist is an error that names those that do. */
function matchProjects(typed: string, all: Pick<Entry, "id" | "name" | "aliases">[]): Set<string> {
  const found = meant(typed, all, ({ id, name, aliases }) => [id, name, ...aliases]);
  if (found.length > 0) return new Set(found.map(({ name }) => name.toLowerCase()));
  const names = [...new Set(all.map(({ name }) => name))].sort();
  throw unknown("project", `Project: there is no “${typed}”. There is`, names, "and");
}

/** "all" takes a filter away, also one that is the channel's default. */
export function isAll(typed: unknown): boolean {
  return typeof typed === "string" && typed.trim().toLowerCase() === "all";
}

const mostNamed = 20;

/** What no row could have, with what there is. */
export function unknown(field: string, words: string, known: string[], last: string): InputError {
  const more = known.length > mostNamed ? ["others"] : [];
  const named = listing([...known.slice(0, mostNamed), ...more], last);
  return new InputError([{ field, message: `${words} ${named || "none at all"}.` }]);
}

function folded(text: string): string {
  return text.trim().replaceAll("_", " ").toLowerCase();
}
