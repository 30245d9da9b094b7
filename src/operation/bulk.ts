import type { ApiName } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { Fact, Preconditions, Review } from "./answer.ts";
import type { CallContext } from "./call-context.ts";
import type { Refusal } from "./errors.ts";
import type { Identity } from "./identity.ts";
import type { Entry, ProjectRef } from "./target.ts";

/** The targets of a bulk command: the typed name of each, or a filter on the list. */
export type BulkSelection = { names: string[] } | { where: ListFilter };

/** A filter on a list, as in `/vps list`; `all` filters nothing out. */
export interface ListFilter {
  text?: string | undefined;
  status?: string | undefined;
  project?: string | undefined;
  all?: true | undefined;
}

/** The preconditions of one target in a bulk request. */
export interface BulkPreconditions {
  /** A change in any of these voids this target alone, not the whole bulk. */
  preconditions: Preconditions;
  price: Review["price"];
  /** Headings under which the request warns of the targets that have them: "Cancelled, and not kept by this". */
  warnings?: readonly string[];
  /** The platform would refuse this target: it is left out of the request. */
  refusal?: Refusal | null;
}

/** One target of a bulk request, as the list showed it. */
export interface BulkTarget extends Omit<BulkPreconditions, "refusal" | "warnings">, Identity {
  id: string;
  name: PlainText;
  state: string;
}

/** The data of a bulk request, read from the rows of the list: one call for each page, and for each row only if its price is on no list. */
export interface BulkRead {
  targets: BulkTarget[];
  /** The names of the chosen resources that the platform would refuse. */
  leftOut: PlainText[];
  /** True if all the entries that exist were chosen. */
  all: boolean;
  /** Same as `Act.kinds`, of all targets. */
  kinds: string[];
  /** Same as `Act.input`. */
  input: Record<string, unknown>;
  described: Fact[];
  reason: string;
  /** "Reboot". */
  verb: PlainText;
  /** The loss, price or change of each target, as a sentence; null if the verb says it all. */
  each: string | null;
  /** Nothing is lost, charged or interrupted: it needs no question that one target would not need. */
  harmless: boolean;
  /** Same as `Act.unlisted`, of all targets. */
  unlisted: readonly string[];
  /** The names of the targets that the request warns of, by their heading. */
  warnings: ReadonlyMap<string, { name: PlainText }[]>;
  /** Facts that only the requester sees. */
  personal: Fact[];
  /** Same as `Act.relocations`, over all targets. */
  relocations(ruled: readonly ProjectRef[]): Promise<Relocation[]>;
}

/** Finds the moves from one project into another that an act makes, for one target or many. */
export type RelocationFinder<A extends ApiName, T, I> = (
  call: CallContext<A> & { targets: T[]; input: I },
  ruled: readonly ProjectRef[],
) => Promise<Relocation[]>;

export interface BulkCall {
  /** The input as `accept` returned it. */
  input: Record<string, unknown>;
  /** The ids that are known already; null reads the whole list. */
  ids: readonly string[] | null;
  /** Picks the wanted entries, in the order in which they are done. */
  pick(entries: Entry[]): Entry[] | Promise<Entry[]>;
}

/** Declares what happens to each target, which a bulk request states. */
export interface BulkDeclaration<A extends ApiName, T, I> {
  /** The loss or price, as a sentence; the change if it is `harmless`. `labels`: the names of the chosen values. */
  each: (input: I, targets: readonly T[], labels: ReadonlyMap<string, PlainText>) => string;
  harmless?: true;
  /** Returns the preconditions of each target, in the same order. It may read more for all together, and the price of each. */
  rows?: (call: CallContext<A> & { targets: T[]; input: I }) => BulkPreconditions[] | Promise<BulkPreconditions[]>;
  /** Facts that only the requester sees: a balance. */
  personal?: (call: CallContext<A>) => Promise<Fact[]>;
}

/** A move of resources from one project into another: the approval rules of both projects apply to it. */
export interface Relocation {
  /** Null if the platform does not name it. */
  from: ProjectRef | null;
  to: ProjectRef;
  /** The nouns of the commands that act on the moved resources. */
  nouns: string[];
}

/** Removes duplicates, and moves that end in the same project. */
export function distinctRelocations(relocations: readonly Relocation[]): Relocation[] {
  const moved = relocations.filter(({ from, to }) => from?.id !== to.id);
  return [...new Map(moved.map((one) => [JSON.stringify([one.from?.id ?? null, one.to.id, one.nouns]), one])).values()];
}
