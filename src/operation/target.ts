import type { ApiName } from "../platform/http/errors.ts";
import type { Page } from "../platform/http/pages.ts";
import type { ClientOf } from "../platform/platform.ts";
import type { Cell } from "../views/table.ts";

/** A thing that can be found by name: the row that the directory keeps of it. */
export interface Entry {
  id: string;
  name: string;
  /** Every other text that means it: host name, addresses. */
  aliases: string[];
  /** Short state for lists and pickers, such as "running". */
  state: string;
  project: string;
  /** One line of what it is, for pickers. */
  detail: string;
  /** Other words that say how it is, to filter by: a machine's billing state. */
  states?: string[];
  /** What sort of its kind it is, for kinds that are a part of another: a service's type. */
  type?: string;
  /** What a list shows of it beside name, state and project, by the columns' headings; `detail` otherwise. */
  columns?: Record<string, Cell>;
  /** What is wrong with it, in a few words of our own, where somebody should look after it. */
  trouble?: string;
  /** The next day that matters, as the platform writes it, and what happens then. */
  due?: { at: string; what: "to be renewed" | "ends" | "to be paid" };
  /** When it was ordered, while it is not there yet: as the platform writes it. */
  awaitedSince?: string;
}

/** Every entry of one kind that a key can see, and when that was read. */
export interface Listing {
  entries: Entry[];
  /** Milliseconds since the epoch. */
  at: number;
}

/** Figures of use in percent: what each is called, and how they are read; null for one that cannot be read now. */
export interface Usage<A extends ApiName> {
  labels: Readonly<Record<string, string>>;
  read(client: ClientOf[A], id: string): Promise<Record<string, number | null>>;
}

/** A kind of resource that operations act on, of one API. */
export interface TargetKind<A extends ApiName, T> {
  /** The noun of the command language: "vps". */
  noun: string;
  /** What a person calls one: "VPS". */
  label: string;
  /** Several of them, where that is not the label with an s. */
  plural?: string;
  /** What one is found by beside its id, in words: "name, host name"; its name where nothing is said. */
  foundBy?: string;
  /** The panel has a page of its own for it, found by its id. */
  inPanel?: boolean;
  /** The command that shows how one is: what has one is found by a search over everything, can be a favourite and be watched. */
  card?: string;
  /** What it uses of what it has, where the contract names the fields. */
  usage?: Usage<A>;
  /** It belongs to a project, so that it can be looked for in one. */
  inProjects?: boolean;
  /** It is a part of another kind, whose pages hold it among the rest: those entries of that type. */
  among?: { kind: TargetKind<A, T>; type: string };
  /** The states that one can have, whether or not one has it now. */
  states?: readonly string[];
  /** What a filter by project is matched against; the rows' own projects otherwise. */
  projects?: Listed<A>;
  /** Rows that a page may have at most. */
  pageSize: number;
  list(client: ClientOf[A], query: { page: number; limit: number }): Promise<Page<T>>;
  read(client: ClientOf[A], id: string): Promise<T>;
  entry(row: T): Entry;
  /** What a refusal with 404 means while the id itself is right ("no machine yet"); null when it is not. */
  missing?(row: T): string | null;
}

/** A target kind as the directory sees it: pages of entries. */
export interface Listed<A extends ApiName> {
  noun: string;
  label: string;
  plural: string;
  foundBy: string;
  inPanel: boolean;
  states: readonly string[];
  projects: Listed<A> | null;
  card: string | null;
  usage: Usage<A> | null;
  inProjects: boolean;
  pageSize: number;
  among?: { kind: Listed<A>; type: string };
  entries(client: ClientOf[A], query: { page: number; limit: number }): Promise<Page<Entry>>;
  /** Reads one by its id. */
  look(client: ClientOf[A], id: string): Promise<Entry>;
}

/** The target of an operation that has none; of whichever API. */
export const noTarget = {
  noun: "",
  label: "",
  pageSize: 1,
  list: async () => ({ rows: [], pagination: { page: 1, limit: 1, total: 0, pages: 0 } }),
  read: async () => null,
  entry: () => ({ id: "", name: "", aliases: [], state: "", project: "", detail: "" }),
} satisfies TargetKind<ApiName, null>;

export function listedOf<A extends ApiName, T>(kind: TargetKind<A, T>): Listed<A> {
  return {
    noun: kind.noun,
    label: kind.label,
    plural: kind.plural ?? `${kind.label}s`,
    foundBy: kind.foundBy ?? "name",
    inPanel: kind.inPanel ?? false,
    states: kind.states ?? [],
    projects: kind.projects ?? null,
    card: kind.card ?? null,
    usage: kind.usage ?? null,
    inProjects: kind.inProjects ?? false,
    pageSize: kind.pageSize,
    ...(kind.among ? { among: { kind: listedOf(kind.among.kind), type: kind.among.type } } : {}),
    async entries(client, query) {
      const { rows, pagination } = await kind.list(client, query);
      return { pagination, rows: rows.map((row) => kind.entry(row)) };
    },
    look: async (client, id) => kind.entry(await kind.read(client, id)),
  };
}
