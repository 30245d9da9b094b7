// members/resources/: the resources that a member's keys can see, of all kinds and from the name index; favourites, search and watches.

import type { IndexedKind } from "../../operation/target.ts";
import { type ApiName, isForbidden } from "../../platform/http/errors.ts";
import type { LoggedApp } from "../../storage/foundation.ts";
import { backgroundAllowedAt } from "../access/background-rate.ts";
import type { BindingApp } from "../access/bound.ts";
import type { PartialList } from "../access/name-index.ts";
import { readingSession } from "./own-index.ts";

/** The parts of the app with which members list, find and watch their resources. */
export type ResourcesApp = LoggedApp & BindingApp;

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

/** A list that the platform refuses to the member's key. */
export interface RefusedList extends Pick<KindList, "api" | "noun"> {
  plural: string;
}

/** `refused`: a module is off, or the key may not list this. All lists of a key are not refused, but failed: then nothing is known. */
export interface ReadResult {
  read: number;
  failed: unknown[];
  refused: RefusedList[];
}

/** The entries read so far of the kinds that the member may see; makes no call. */
export async function knownResources(
  app: ResourcesApp,
  member: string,
  { customer, reseller }: Kinds,
): Promise<KindList[]> {
  const parts = await Promise.all([
    knownOf(app, member, "customer", customer),
    knownOf(app, member, "reseller", reseller),
  ]);
  return parts.flat();
}

/**
 * Reads the lists that are not in memory, are older than so many milliseconds (a large list less often), or were read before the key's last
 * write. Returns how many it read, and the errors. Reads nothing with a key that has few calls left.
 */
export async function readResources(
  app: ResourcesApp,
  member: string,
  { customer, reseller }: Kinds,
  options: { olderThan: number },
): Promise<ReadResult> {
  const [own, sold] = await Promise.all([
    readOf(app, member, "customer", customer, options),
    readOf(app, member, "reseller", reseller, options),
  ]);
  return {
    read: own.read + sold.read,
    failed: [...own.failed, ...sold.failed],
    refused: [...own.refused, ...sold.refused],
  };
}

/** The lists without those that the platform refuses, which will never be read. */
export function withoutRefused(parts: KindList[], refused: RefusedList[]): KindList[] {
  const isRefused = ({ api, noun }: KindList) => refused.some((one) => one.api === api && one.noun === noun);
  return parts.filter((part) => part.at !== null || !isRefused(part));
}

async function knownOf<A extends ApiName>(
  app: ResourcesApp,
  member: string,
  api: A,
  kinds: IndexedKind<A>[],
): Promise<KindList[]> {
  const session = await readingSession(app, member, api);
  if (!session) return [];
  return kinds.map((kind) => ({ api, noun: kind.noun, ...app.nameIndex.known(session, kind) }));
}

const noFailure = () => [];
const failureIn = (error: unknown) => [error];

async function readOf<A extends ApiName>(
  app: ResourcesApp,
  member: string,
  api: A,
  kinds: IndexedKind<A>[],
  { olderThan }: { olderThan: number },
): Promise<ReadResult> {
  const { nameIndex, clock, identities } = app;
  const { [api]: link } = await identities.links(member);
  // Asking again tells the member why nothing is listed, and finds out when the platform accepts the key again.
  const rejected =
    link && link.rejectedAt !== null ? await identities.refresh(member, api).then(noFailure, failureIn) : [];
  if (rejected.length > 0) return { read: rejected.length, failed: rejected, refused: [] };
  const session = await readingSession(app, member, api);
  if (!session || backgroundAllowedAt(session.client.budget()) !== null) return { read: 0, failed: [], refused: [] };
  const wroteAt = await nameIndex.lastWrite(session);
  const old = kinds.filter((kind) => {
    const at = nameIndex.known(session, kind).at ?? 0;
    return clock.now() - at > olderThan || at <= wroteAt;
  });
  const read = await Promise.allSettled(old.map((kind) => nameIndex.listing(session, kind, { fresh: true })));
  const errors = read.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  const refused = old.filter((_, at) => read[at]?.status === "rejected" && isForbidden(read[at].reason));
  if (refused.length === kinds.length) return { read: old.length, failed: errors, refused: [] };
  return {
    read: old.length,
    failed: errors.filter((error) => !isForbidden(error)),
    refused: refused.map(({ noun, plural }) => ({ api, noun, plural })),
  };
}
