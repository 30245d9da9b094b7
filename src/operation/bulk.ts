import type { ApiName } from "../platform/http/errors.ts";
import type { Fact, Review } from "./answer.ts";
import type { Asking } from "./asking.ts";
import type { Entry } from "./target.ts";

/** Which of its targets an operation is meant for, where it is not one: each by a word of its own, or all that a filter leaves. */
export type Several = { names: string[] } | { where: Where };

/** What narrows a list, as in `/vps list`; `all` narrows nothing. */
export interface Where {
  text?: string | undefined;
  status?: string | undefined;
  project?: string | undefined;
  all?: true | undefined;
}

/** What is pinned of one of many. */
export interface Pinned {
  /** A change in any of these voids this one alone. */
  material: Fact[];
  price: Review["price"];
}

/** One of many, as the list showed it. */
export interface BulkTarget extends Pinned {
  id: string;
  name: string;
  state: string;
  project: string;
}

/** What an operation on many is made of, read from rows of the list: a call for each page, and none for each row. */
export interface BulkRead {
  targets: BulkTarget[];
  /** Whether these are all that there is. */
  all: boolean;
  /** As `Act.input`. */
  input: Record<string, unknown>;
  described: Fact[];
  reason: string;
  /** "Reboot". */
  verb: string;
  /** What is lost or charged with each, as a sentence; null where nothing is. */
  each: string | null;
  /** For the requester's eyes alone. */
  personal: Fact[];
}

export interface BulkCall<A extends ApiName> extends Asking<A> {
  /** As `accept` gave it. */
  input: Record<string, unknown>;
  /** Those whose ids are known already; null where the whole list is read. */
  ids: readonly string[] | null;
  /** Those that are meant, in their order. */
  pick(entries: Entry[]): Entry[] | Promise<Entry[]>;
}

/** An operation that can be done to many in one request. */
export interface Bulk<A extends ApiName> {
  read(call: BulkCall<A>): Promise<BulkRead>;
}

/** What makes it one: what is lost or charged with each of them. */
export interface BulkDeclaration<A extends ApiName, T, I> {
  each: (input: I) => string;
  /** What is pinned of each; may read more for all of them together. */
  rows: (call: Asking<A> & { targets: T[]; input: I }) => Pinned[] | Promise<Pinned[]>;
  /** For the requester's eyes alone: a balance. */
  personal?: (call: Asking<A>) => Promise<Fact[]>;
}
