import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Entry } from "../operation/target.ts";
import { SigningSecretMissing } from "../platform/reseller/client.ts";
import { type Access, may } from "./access.ts";
import type { Binder } from "./bound.ts";
import { entriesNamedIn } from "./resolve.ts";
import { isShow } from "./things/finder.ts";
import { wordsOf } from "./words.ts";

/** A thing of a member's, and the operation that shows it. */
export interface NamedThing {
  operation: PlatformOperation;
  entry: Entry;
}

/** Finds the things of a member's that any text names: exactly, word by word, in their own directory. */
export interface NamedThings {
  /** Each once, in the order in which they are named; `unread`: the kinds that could not be read. */
  in(text: string, member: string): Promise<{ things: NamedThing[]; unread: string[] }>;
}

export function createNamedThings(deps: { registry: Registry; access: Access; binder: Binder }): NamedThings {
  const { registry, access, binder } = deps;

  async function listed(operation: PlatformOperation, member: string) {
    try {
      const bound = await binder.bind(operation, member);
      return { operation, entries: (await bound.listing()).entries };
    } catch (error) {
      if (error instanceof Refusal || error instanceof SigningSecretMissing) return { operation, entries: [] };
      // What else there is can be found all the same.
      return { operation, entries: null };
    }
  }

  return {
    async in(text, member) {
      const links = await access.links(member);
      const shows = registry.all.filter(isShow).filter((operation) => may(links, operation));
      const kinds = await Promise.all(shows.map((operation) => listed(operation, member)));
      const { words, whole } = wordsOf(text);
      const found = kinds.flatMap(({ operation, entries }) =>
        entriesNamedIn(entries ?? [], { words, whole }).map(({ entry, at }) => ({ operation, entry, at })),
      );
      found.sort((a, b) => a.at - b.at || generality(a) - generality(b));
      const byId = new Map<string, NamedThing>();
      for (const { operation, entry } of found) if (!byId.has(entry.id)) byId.set(entry.id, { operation, entry });
      const unread = kinds.flatMap(({ operation, entries }) =>
        entries === null ? [operation.target?.label ?? ""] : [],
      );
      return { things: [...byId.values()], unread };
    },
  };
}

/** A kind whose rows have a type holds things of other kinds as well: of those the other knows more. */
export function generality({ operation, entry }: NamedThing): number {
  return entry.type !== undefined && !operation.target?.among ? 1 : 0;
}
