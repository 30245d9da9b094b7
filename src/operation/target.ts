import type { ApiClient } from "../platform/http/client.ts";
import type { Endpoint } from "../platform/http/endpoint.ts";
import { type ApiName, PlatformRefused } from "../platform/http/errors.ts";
import { type ListPage, largestPage, readAllPages } from "../platform/http/pages.ts";
import type { UnreadRow } from "../platform/http/unread.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { TableCell } from "../views/table.ts";
import { listing } from "../views/text.ts";
import { withUnseen } from "./errors.ts";
import { type IdentityFacts, identityIn } from "./identity.ts";

/** A project by id, with its current name. */
export interface ProjectRef {
  id: string;
  name: PlainText;
}

/** One resource in the name index. */
export interface Entry {
  id: string;
  name: PlainText;
  /** Other texts that find it: host name, addresses. */
  aliases: PlainText[];
  /** The word by which events name it, if that is not its id. */
  inEvents?: string;
  /** Short state for lists and pickers, such as "running". */
  state: string;
  /** The name of its project; empty if its row does not name it. */
  project: PlainText;
  /** The id of that project; absent if its row does not name it. */
  projectId?: string;
  /** Null or absent if it has none. */
  hostname?: PlainText | null;
  /** One descriptive line, for pickers. */
  detail: PlainText;
  /** Other states to filter by, such as a machine's billing state. */
  states?: string[];
  /** The type within its kind, if a kind is a subset of another: a service's type. */
  type?: string;
  /** The cells of a list by column heading, beside name, state and project; `detail` by default. */
  columns?: Record<string, TableCell>;
  /** Its row has no name of its own, so that the name is made from its id. */
  nameless?: boolean;
  /** A problem that somebody should look at, in a few words of our own. */
  trouble?: string;
  /** The next important day, as the platform writes it, and the event on it. */
  due?: { at: string; what: "due for renewal" | "ends" | "due for payment" };
  /** The time of the order while the resource does not exist yet, as the platform writes it. */
  awaitedSince?: string;
}

/** An entry as a kind declares it: its project and host name are those of its identity. */
export type OwnEntry = Omit<Entry, "project" | "projectId" | "hostname">;

/** Every entry of one kind that a key can see, with the time of reading. */
export interface IndexedEntries {
  entries: Entry[];
  /** How many further rows it has whose id cannot be read. */
  unnamed: number;
  /** Of a kind among others: how many rows of the whole list do not say their type. Each of them may be one of this kind. */
  untyped?: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Usage figures in percent: a label for each, and the function that reads them. Null for a figure that cannot be read now. */
export interface Usage<A extends ApiName> {
  labels: Readonly<Record<string, string>>;
  read: (client: ApiClient<A>, id: string) => Promise<Record<string, number | null>>;
}

/** The states of a kind. */
interface KindStates<T> {
  /** All of them in words, including those that no entry has now. */
  all: readonly string[];
  /** The states of a row that no spec lists, in the platform's words: acts on it ask first. Empty for most. */
  unlisted: (row: T) => readonly string[];
}

/**
 * A kind of resource on one API that operations act on. What takes a client is a property, here and below: of a method's parameters the
 * compiler lets a function name more, such as a client that writes.
 */
export interface TargetKind<A extends ApiName, T> {
  /** The noun of the command language: "vps". */
  noun: string;
  /** The label of one: "VPS". */
  label: string;
  /** The plural, if it is not the label with an s. */
  plural?: string;
  /** The fields that find one beside its id, in words: "name, host name"; "name" by default. */
  foundBy?: string;
  /** The panel has a page for each, addressed by id. */
  inPanel?: boolean;
  /** The command that shows one. Kinds with a card are in the search over everything, in favourites and in watches. */
  card?: string;
  /** Reads its usage figures, if the contract names the fields. */
  usage?: Usage<A>;
  /** Its parts that end with it, beside its disk or data, in words: "add-ons". */
  lostWith?: readonly string[];
  /** Each belongs to a project, so that a list can be filtered by project. */
  inProjects?: boolean;
  /** The kinds that one may be, by the nouns of each kind's own commands; its own noun by default. The `type` of an entry says which. */
  kinds?: readonly string[];
  /** The kind is a subset of another: the entries of that type in the other kind's pages. */
  among?: { kind: TargetKind<A, T>; type: string };
  states?: KindStates<T>;
  /** The kind that a project filter is matched against; the rows' own projects by default. */
  projects?: IndexedKind<A>;
  /** The kind that has the names of the locations in its rows. */
  places?: IndexedKind<A>;
  /** Rows on a page at most; `largestPage` by default. */
  pageSize?: number;
  list: (client: ApiClient<A>, query: { page: number; limit: number }) => Promise<ListPage<T>>;
  read: (client: ApiClient<A>, id: string) => Promise<T>;
  /** The endpoints of `read`. Each operation on such a target begins with it, so they are among its routes. */
  reads?: readonly Endpoint<A, string, `GET ${string}`>[] | undefined;
  /** Asks the route that finds rows by an exact name, if the spec has one. */
  find?: (client: ApiClient<A>, name: string) => Promise<T[]>;
  entry(row: T): OwnEntry;
  /** The facts by which people know one; the entry's project and host name are of these. */
  identity: IdentityFacts<A, T>;
  /** Explains a 404 while the id is right ("no machine yet"); null if the 404 means a wrong id. */
  missing?(row: T): string | null;
}

/** A target kind as the name index sees it: pages of entries without their row type. */
export interface IndexedKind<A extends ApiName> {
  noun: string;
  label: string;
  plural: string;
  foundBy: string;
  inPanel: boolean;
  states: readonly string[];
  projects: IndexedKind<A> | null;
  card: string | null;
  usage: Usage<A> | null;
  inProjects: boolean;
  kinds?: readonly string[] | undefined;
  pageSize: number;
  among?: { kind: IndexedKind<A>; type: string };
  entries: (client: ApiClient<A>, query: { page: number; limit: number }) => Promise<ListPage<Entry>>;
  /** Reads one by its id. */
  look: (client: ApiClient<A>, id: string) => Promise<Entry>;
  /** Asks the platform for an exact name; empty if the spec has no route for that. */
  find: (client: ApiClient<A>, name: string) => Promise<Entry[]>;
}

/** The target of operations that have none, on either API. */
export const noTarget = {
  noun: "",
  label: "",
  list: async () => ({ rows: [], pagination: { page: 1, limit: 1, total: 0, pages: 0 } }),
  read: async () => null,
  entry: () => ({ id: "", name: "", aliases: [], state: "", detail: "" }),
  identity: {
    project: "Nothing exists yet.",
    address: "Nothing exists yet.",
    hostname: "Nothing exists yet.",
    location: "Nothing exists yet.",
    apart: "Nothing exists yet.",
  },
} satisfies TargetKind<ApiName, null>;

/** The entry of a row, with what its identity says. */
export function indexEntry<A extends ApiName, T>(kind: Pick<TargetKind<A, T>, "entry" | "identity">, row: T): Entry {
  const { project, hostname } = identityIn(kind, row);
  return {
    ...kind.entry(row),
    project: project?.name ?? "",
    ...(project ? { projectId: project.id } : {}),
    hostname,
  };
}

/** All rows of a kind. */
export async function readRows<A extends ApiName, T>(client: ApiClient<A>, kind: TargetKind<A, T>): Promise<T[]> {
  const { among, pageSize: limit = largestPage } = kind;
  const rows = (await readAllPages(client, (page) => kind.list(client, { page, limit }))).flat();
  return among ? rows.filter((row) => kind.entry(row).type === among.type) : rows;
}

/** The entries of a page; a row that cannot be read is an entry too, with the name that the platform gave it. */
export async function entriesSkipping<A extends ApiName, T>(
  kind: Pick<TargetKind<A, T>, "entry" | "identity">,
  client: ApiClient<A>,
  read: (client: ApiClient<A>) => Promise<ListPage<T>>,
): Promise<ListPage<Entry>> {
  const unread: UnreadRow[] = [];
  const { rows, pagination } = await read(client.skipping((row) => unread.push(row)));
  const entries = [...rows.map((row) => indexEntry(kind, row)), ...unread.map(unreadEntry)];
  return { rows: entries, pagination: { ...pagination, total: Math.max(pagination.total, entries.length) } };
}

/** True for an entry whose row does not say its type, or could not be read. */
export function isUntyped({ type }: Pick<Entry, "type">): boolean {
  return type === undefined || type === "unknown";
}

/** The state of an entry whose row is off the contract. */
export const unreadState = "not readable";

/** How many rows of a list no name or type is known of: that one is not found proves nothing then. */
export function unreadRows({ entries, unnamed, untyped = 0 }: Omit<IndexedEntries, "at">): number {
  return unnamed + untyped + entries.filter(({ state }) => state === unreadState).length;
}

function unreadEntry({ id, name, type, place, fields }: UnreadRow): Entry {
  const sent = fields.length > 0 ? `its ${listing(fields.slice(0, 3).map((field) => `“${field}”`))}` : "it";
  const trouble = `cannot be read: the platform sent ${sent} in a form that its contract does not allow`;
  return {
    id: id ?? "",
    name: name ?? id ?? `row ${place}`,
    aliases: [],
    state: unreadState,
    project: "",
    ...(type === null ? {} : { type }),
    detail: trouble,
    trouble,
  };
}

/** Reads one by its id. Both specs answer 404 for one that does not exist, and for one that the key may not see. */
export async function readOne<A extends ApiName, T>(
  kind: Pick<TargetKind<A, T>, "label" | "foundBy" | "read">,
  client: ApiClient<A>,
  id: string,
): Promise<T> {
  try {
    return await kind.read(client, id);
  } catch (error) {
    const { label, foundBy = usuallyFoundBy } = kind;
    throw isNotFound(error) ? withUnseen(error, { label, foundBy, id }) : error;
  }
}

const usuallyFoundBy = "name";

/** True if the platform has no such resource. Other codes of a 404 name a reason of their own, such as a missing game server of a right id. */
export function isNotFound(error: unknown): error is PlatformRefused {
  if (!(error instanceof PlatformRefused) || error.status !== 404) return false;
  return error.api === "reseller" || error.code === "NOT_FOUND";
}

export function indexedKindOf<A extends ApiName, T>(kind: TargetKind<A, T>): IndexedKind<A> {
  return {
    noun: kind.noun,
    label: kind.label,
    plural: kind.plural ?? `${kind.label}s`,
    foundBy: kind.foundBy ?? usuallyFoundBy,
    inPanel: kind.inPanel ?? false,
    states: kind.states?.all ?? [],
    projects: kind.projects ?? null,
    card: kind.card ?? null,
    usage: kind.usage ?? null,
    inProjects: kind.inProjects ?? false,
    kinds: kind.kinds,
    pageSize: kind.pageSize ?? largestPage,
    ...(kind.among ? { among: { kind: indexedKindOf(kind.among.kind), type: kind.among.type } } : {}),
    entries: (client, query) => entriesSkipping(kind, client, (skipping) => kind.list(skipping, query)),
    look: async (client, id) => indexEntry(kind, await readOne(kind, client, id)),
    async find(client, name) {
      const found = ((await kind.find?.(client, name)) ?? []).map((row) => indexEntry(kind, row));
      return kind.among ? found.filter(({ type }) => type === kind.among?.type) : found;
    },
  };
}
