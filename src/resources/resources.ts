// resources/: the resources that a member's keys can see, of all kinds and from the name index; favourites, search and watches.
// May import: resources/*, audit/, notifications/, access/, operation/, identities/, views/, platform/, platform/*, storage/, the clock.

import type { Access } from "../access/access.ts";
import { backgroundAllowedAt } from "../access/background-rate.ts";
import type { NameIndex, PartialList } from "../access/name-index.ts";
import type { Clock } from "../clock.ts";
import type { IndexedKind } from "../operation/target.ts";
import type { ApiName } from "../platform/http/errors.ts";
import { readingSession } from "./own-index.ts";

/** Kinds of resources, by the API that has them. */
export interface Kinds {
  customer: IndexedKind<"customer">[];
  reseller: IndexedKind<"reseller">[];
}

/** The entries of one kind that were read so far. */
export interface KindList extends PartialList {
  api: ApiName;
  noun: string;
}

export interface ReadResult {
  read: number;
  failed: unknown[];
}

/** All resources of a member, as their own keys show them. */
export interface Resources {
  /** The entries read so far of the kinds that the member may see; makes no call. */
  known(member: string, kinds: Kinds): Promise<KindList[]>;
  /**
   * Reads the lists that are not in memory or are older than so many milliseconds (a large list less often). Returns how many it read,
   * and the errors. Reads nothing with a key that has few calls left.
   */
  read(member: string, kinds: Kinds, options: { olderThan: number }): Promise<ReadResult>;
}

export function createResources(deps: { access: Access; nameIndex: NameIndex; clock: Clock }): Resources {
  const { access, nameIndex, clock } = deps;

  async function knownOf<A extends ApiName>(member: string, api: A, kinds: IndexedKind<A>[]): Promise<KindList[]> {
    const session = await readingSession(access, member, api);
    if (!session) return [];
    return kinds.map((kind) => ({ api, noun: kind.noun, ...nameIndex.known(session, kind) }));
  }

  async function readOf<A extends ApiName>(
    member: string,
    api: A,
    kinds: IndexedKind<A>[],
    { olderThan }: { olderThan: number },
  ): Promise<ReadResult> {
    const session = await readingSession(access, member, api);
    if (!session || backgroundAllowedAt(session.client.budget()) !== null) return { read: 0, failed: [] };
    const old = kinds.filter((kind) => clock.now() - (nameIndex.known(session, kind).at ?? 0) > olderThan);
    const read = await Promise.allSettled(old.map((kind) => nameIndex.listing(session, kind, { fresh: true })));
    return { read: old.length, failed: read.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])) };
  }

  return {
    async known(member, { customer, reseller }) {
      const parts = await Promise.all([knownOf(member, "customer", customer), knownOf(member, "reseller", reseller)]);
      return parts.flat();
    },
    async read(member, { customer, reseller }, options) {
      const [own, sold] = await Promise.all([
        readOf(member, "customer", customer, options),
        readOf(member, "reseller", reseller, options),
      ]);
      return { read: own.read + sold.read, failed: [...own.failed, ...sold.failed] };
    },
  };
}
