import type { Session } from "./access.ts";
import type { Directory } from "./directory.ts";
import { InputFault } from "./faults.ts";
import type { Entry, Listed } from "./operation.ts";

export type Match = { kind: "one"; entry: Entry } | { kind: "many"; entries: Entry[] } | { kind: "none" };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const shortestPrefix = 8;

export type Target = { is: "id"; id: string } | { is: "many"; entries: Entry[] };

/** Finds what a member means by a target: an id as it is, a name by their directory, which is read anew before "there is none" is said. */
export async function resolveTarget(
  directory: Directory,
  session: Session,
  kind: Listed,
  typed: string,
): Promise<Target> {
  if (uuid.test(typed)) return { is: "id", id: typed.toLowerCase() };
  const { member } = session.actor;
  const known = matchTarget((await directory.listing(member, session.client, kind)).entries, typed);
  const match =
    known.kind === "none"
      ? matchTarget((await directory.listing(member, session.client, kind, { fresh: true })).entries, typed)
      : known;
  if (match.kind === "one") return { is: "id", id: match.entry.id };
  if (match.kind === "many") return { is: "many", entries: match.entries };
  throw new InputFault([
    {
      field: "target",
      message: `You have no ${kind.label} called “${typed}”. Give its name, host name, address or id, or the first ${shortestPrefix} characters of its id.`,
    },
  ]);
}

/**
 * Exact first (name, host name, address, id), then without regard to case, then an id's prefix of at least 8 characters;
 * never a guess between two.
 */
export function matchTarget(entries: Entry[], typed: string): Match {
  const wanted = typed.trim();
  const exact = entries.filter(
    (entry) => entry.id === wanted || entry.name === wanted || entry.aliases.includes(wanted),
  );
  if (exact.length > 0) return matchOf(exact);
  const lower = wanted.toLowerCase();
  const loose = entries.filter((entry) =>
    [entry.name, entry.id, ...entry.aliases].some((text) => text.toLowerCase() === lower),
  );
  if (loose.length > 0 || wanted.length < shortestPrefix) return matchOf(loose);
  return matchOf(entries.filter((entry) => entry.id.startsWith(lower)));
}

function matchOf(entries: Entry[]): Match {
  const [first] = entries;
  if (!first) return { kind: "none" };
  return entries.length === 1 ? { kind: "one", entry: first } : { kind: "many", entries };
}

/** Entries whose name, host name, address or id holds the text; those that begin with it first. */
export function searchEntries(entries: Entry[], query: string): Entry[] {
  const wanted = query.trim().toLowerCase();
  const named = entries.map((entry) => ({
    entry,
    texts: [entry.name, entry.id, ...entry.aliases].map((text) => text.toLowerCase()),
  }));
  const found = named.filter(({ texts }) => texts.some((text) => text.includes(wanted)));
  const begins = (texts: string[]) => (texts.some((text) => text.startsWith(wanted)) ? 0 : 1);
  return found
    .sort((a, b) => begins(a.texts) - begins(b.texts) || a.entry.name.localeCompare(b.entry.name))
    .map(({ entry }) => entry);
}
