import { may } from "../members/access/access.ts";
import { type BindingApp, bind } from "../members/access/bound.ts";
import { entriesNamedIn } from "../members/access/resolve.ts";
import { splitWords } from "../members/access/words.ts";
import { isShow } from "../members/resources/finder.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Entry } from "../operation/target.ts";
import { SigningSecretMissing } from "../platform/http/client.ts";
import { isForbidden } from "../platform/http/errors.ts";

/** A resource of a member, and the operation that shows it. */
export interface MentionedResource {
  operation: PlatformOperation;
  entry: Entry;
}

/**
 * The member's resources that a text mentions: exact words only, from their own name index; each once, in the order of mention.
 * `unread`: the kinds that could not be read. `refused`: the kinds whose list the platform refuses, in the plural.
 */
export async function mentionedResources(
  app: BindingApp,
  text: string,
  member: string,
): Promise<{ resources: MentionedResource[]; unread: string[]; refused: string[] }> {
  const links = await app.identities.links(member);
  const shows = app.registry.all.filter(isShow).filter((operation) => may(links, operation));
  const kinds = await Promise.all(shows.map((operation) => listed(app, operation, member)));
  const { words, whole } = splitWords(text);
  const found = kinds.flatMap(({ operation, entries }) =>
    entriesNamedIn(entries, { words, whole }).map(({ entry, at }) => ({ operation, entry, at })),
  );
  found.sort((a, b) => a.at - b.at || generality(a) - generality(b));
  const byId = new Map<string, MentionedResource>();
  for (const { operation, entry } of found) if (!byId.has(entry.id)) byId.set(entry.id, { operation, entry });
  const lacking = (why: "unread" | "refused") =>
    kinds.flatMap((kind) => (kind.lacks === why ? [kind.operation.target] : []));
  const unread = lacking("unread").map((target) => target?.label ?? "");
  const refused = lacking("refused").map((target) => target?.plural ?? "");
  return { resources: [...byId.values()], unread, refused };
}

interface ListedKind {
  operation: PlatformOperation;
  entries: Entry[];
  /** Why it has no entries, where it may have some. */
  lacks?: "unread" | "refused";
}

async function listed(app: BindingApp, operation: PlatformOperation, member: string): Promise<ListedKind> {
  try {
    const bound = await bind(app, operation, member);
    return { operation, entries: (await bound.listing()).entries };
  } catch (error) {
    if (error instanceof Refusal || error instanceof SigningSecretMissing) return { operation, entries: [] };
    // An unreadable kind must not hide the resources of the others.
    return { operation, entries: [], lacks: isForbidden(error) ? "refused" : "unread" };
  }
}

/**
 * 1 for an entry of a kind that also lists resources of other kinds (its rows have a type), else 0. The other kind knows more about it.
 */
export function generality({
  operation,
  entry,
}: Pick<MentionedResource, "operation"> & { entry: Pick<Entry, "type"> }): number {
  return entry.type !== undefined && !operation.target?.among ? 1 : 0;
}
