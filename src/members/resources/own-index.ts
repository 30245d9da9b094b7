import { Refusal } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import type { Entry, IndexedEntries, IndexedKind } from "../../operation/target.ts";
import { type ApiName, isForbidden } from "../../platform/http/errors.ts";
import { type Clock, sleep } from "../../process/clock.ts";
import { inProject, requireSession, type Session, type SessionApp } from "../access/access.ts";
import type { NameIndex } from "../access/name-index.ts";
import { allows } from "../identities/link.ts";

/** Milliseconds to wait for a list that was never read before. */
const patience = 2_300;

/** The parts of the app that find out which resources a member's own keys list. */
export interface OwnIndexApp extends SessionApp {
  nameIndex: NameIndex;
}

/** The member's session of that API, if the key may read; null without such a key, while the platform rejects it, or when it is overdue. */
export async function readingSession<A extends ApiName>(
  app: SessionApp,
  member: string,
  api: A,
): Promise<Session<A> | null> {
  const links = await app.identities.links(member);
  // The lists of a rejected key may contain what it can no longer see.
  const { [api]: link } = links;
  if (!link || link.rejectedAt !== null || !allows(links, toRead[api])) return null;
  try {
    return await requireSession(app, member, api);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const toRead = {
  customer: { api: "customer", scope: "read" },
  reseller: { api: "reseller", scope: "read" },
} as const;

/** The entries of a list, or why there are none: the platform refuses the list, or it could not be read in time. */
type TimedEntries = Entry[] | "refused" | "late";

/** `reading`: a list that was never read is read; otherwise no call is made. `fresh`: each list is read again, as the name index allows. */
interface Reading {
  reading: boolean;
  fresh?: boolean;
}

async function readEntries<A extends ApiName>(
  { nameIndex, clock }: OwnIndexApp,
  session: Session<A>,
  kind: IndexedKind<A>,
  { reading, fresh = false }: Reading,
): Promise<TimedEntries> {
  if (!reading) {
    const { at, entries } = nameIndex.known(session, kind);
    return at === null ? "late" : entries;
  }
  return entriesInTime(clock, nameIndex.listing(session, kind, { fresh }));
}

/** Waits for a list as long as a member would. Never rejects. */
export function entriesInTime(clock: Clock, listing: Promise<IndexedEntries>): Promise<TimedEntries> {
  const read = listing.then(
    ({ entries }) => entries,
    (error): TimedEntries => (isForbidden(error) ? "refused" : "late"),
  );
  return Promise.race([read, sleep(clock, patience).then((): TimedEntries => "late")]);
}

/** The session in the member's project, and one without a project: the key lists more than the project that they chose. */
async function openSessions<A extends ApiName>(app: OwnIndexApp, member: string, api: A): Promise<Session<A>[]> {
  const session = await readingSession(app, member, api);
  if (!session) return [];
  return session.actor.project === null ? [session] : [session, inProject[api](session, null)];
}

/** A lookup in the lists of a member's own keys, which asks for each list at most once. */
export function lookAmongOwn(app: OwnIndexApp, member: string, how: Reading) {
  let incomplete = false;
  const lists = new Map<string, Promise<ReadonlyMap<string, Entry>>>();

  async function readById(entries: Promise<TimedEntries>): Promise<ReadonlyMap<string, Entry>> {
    const found = await entries;
    incomplete ||= found === "late";
    return new Map(Array.isArray(found) ? found.map((entry) => [entry.id, entry]) : []);
  }

  function once(name: string, read: () => Promise<TimedEntries>): Promise<ReadonlyMap<string, Entry>> {
    const byId = lists.get(name) ?? readById(read());
    lists.set(name, byId);
    return byId;
  }

  /** A resource of two kinds, such as a machine among all services, has the entry of the kind that comes first. */
  async function addListed<A extends ApiName>(
    found: Map<string, { rank: number; entry: Entry }>,
    { ids, rank, api, kind }: { ids: readonly string[]; rank: number; api: A; kind: IndexedKind<A> | null },
  ): Promise<void> {
    if (!kind) return;
    for (const session of await openSessions(app, member, api)) {
      if (ids.every((id) => found.has(id))) return;
      const name = `${api} ${kind.noun} ${session.actor.project?.id ?? ""}`;
      const listed = await once(name, () => readEntries(app, session, kind, how));
      const isBetter = ({ id }: Entry) => rank < (found.get(id)?.rank ?? Number.POSITIVE_INFINITY);
      const entries = ids.flatMap((id) => listed.get(id) ?? []).filter(isBetter);
      for (const entry of entries) found.set(entry.id, { rank, entry });
    }
  }

  return {
    /** The entries of the given ids among the targets of these operations, by id. A list that could not be read contributes none. */
    async listed(
      ids: readonly string[],
      operations: readonly PlatformOperation[],
    ): Promise<ReadonlyMap<string, Entry>> {
      const found = new Map<string, { rank: number; entry: Entry }>();
      await Promise.all(
        operations.map((operation, rank) =>
          operation.api === "customer"
            ? addListed(found, { ids, rank, api: operation.api, kind: operation.target })
            : addListed(found, { ids, rank, api: operation.api, kind: operation.target }),
        ),
      );
      return new Map([...found].map(([id, { entry }]) => [id, entry]));
    },
    /** True when a list could not be read in time. */
    isIncomplete: () => incomplete,
  };
}
