// engine/things/: what a member's keys can see, over all kinds at once and as it is already known; which of it they keep as favourites.
// May import: engine/, engine/*, operation/, views/, identities/, platform/*, storage/, the clock.

import type { Clock } from "../../clock.ts";
import { allows } from "../../identities/link.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Listed } from "../../operation/target.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import type { Access, Session } from "../access.ts";
import type { Directory, Known } from "../directory.ts";
import { againAt } from "../reading-pace.ts";

/** Kinds of things, by the API that has them. */
export interface Kinds {
  customer: Listed<"customer">[];
  reseller: Listed<"reseller">[];
}

/** What is known of one kind. */
export interface Part extends Known {
  api: ApiName;
  noun: string;
}

export interface Reading {
  read: number;
  failed: unknown[];
}

const toRead = {
  customer: { api: "customer", scope: "read" },
  reseller: { api: "reseller", scope: "read" },
} as const;

/** The estate of a member, as their own keys show it. */
export interface Things {
  /** What is known by now of the kinds that the member may see: calls nothing. */
  known(member: string, kinds: Kinds): Promise<Part[]>;
  /**
   * Reads what is not known yet, and what is older than so many milliseconds (a large listing not again and again). Answers with how
   * many were read, and what went wrong; reads nothing with a key that has few calls left.
   */
  read(member: string, kinds: Kinds, options: { olderThan: number }): Promise<Reading>;
}

export function createThings(deps: { access: Access; directory: Directory; clock: Clock }): Things {
  const { access, directory, clock } = deps;

  /** Null where the member has no key of the API that may read, or must link it anew first. */
  async function sessionOf<A extends ApiName>(member: string, api: A): Promise<Session<A> | null> {
    const links = await access.links(member);
    if (!allows(links, toRead[api])) return null;
    try {
      return await access.session(member, api);
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  async function knownOf<A extends ApiName>(member: string, api: A, kinds: Listed<A>[]): Promise<Part[]> {
    const session = await sessionOf(member, api);
    if (!session) return [];
    return kinds.map((kind) => ({ api, noun: kind.noun, ...directory.known(session, kind) }));
  }

  async function readOf<A extends ApiName>(
    member: string,
    api: A,
    kinds: Listed<A>[],
    { olderThan }: { olderThan: number },
  ): Promise<Reading> {
    const session = await sessionOf(member, api);
    if (!session || againAt(session.client.budget()) !== null) return { read: 0, failed: [] };
    const old = kinds.filter((kind) => clock.now() - (directory.known(session, kind).at ?? 0) > olderThan);
    const read = await Promise.allSettled(old.map((kind) => directory.listing(session, kind, { fresh: true })));
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
