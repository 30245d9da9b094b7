import type { ApiClient } from "../platform/http/client.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import { code, lowerFirst, prose } from "../views/text.ts";
import type { Fact } from "./answer.ts";

/** The sentence that says why a kind of resource has no such fact. */
type Lacking = `${string} ${string}.`;

/**
 * The facts by which people know a resource, beside its name: how each is read off a row, or the sentence that says why this kind has none.
 * Without one of them a kind does not compile.
 */
export interface IdentityFacts<A extends ApiName, T> {
  project: ((row: T) => { id: string; name: PlainText } | null) | Lacking;
  /** Undefined where the row does not say it. */
  address: ((row: T) => string | null | undefined) | Lacking;
  hostname: ((row: T) => PlainText | null) | Lacking;
  location: ((row: T) => string | null) | Lacking;
  /** The words for a location whose names no catalogue has. */
  placeName?: (location: string) => PlainText;
  /** Reads facts that the row lacks by a call of its own: an address that has its own route. Null where this row needs none. */
  elsewhere?: (client: ApiClient<A>, row: T) => Promise<Partial<Identity>> | null;
}

/** The facts of one resource, as far as they are known. */
export interface Identity {
  project: { id: string; name: PlainText } | null;
  /** Its first address; null if it has none, the platform did not tell it, or its kind has no addresses. */
  address: string | null;
  addressIs: "read" | "none" | "unread" | "not of this kind";
  hostname: PlainText | null;
  /** As the platform's row has it: this is compared. */
  location: string | null;
  /** The name by which cards call the location; null if it was not looked up. */
  place: PlainText | null;
}

interface Identified<A extends ApiName, T> {
  identity: IdentityFacts<A, T>;
}

/** The facts that the row itself has: no call. */
export function identityIn<A extends ApiName, T>({ identity }: Identified<A, T>, row: T): Identity {
  const { project, address, hostname, location, placeName, elsewhere } = identity;
  const where = typeof location === "function" ? location(row) || null : null;
  const said = typeof address === "function" ? address(row) : null;
  const found = said || null;
  const isUnread = elsewhere !== undefined || said === undefined;
  const without = typeof address !== "function" ? "not of this kind" : isUnread ? "unread" : "none";
  return {
    project: typeof project === "function" ? project(row) : null,
    address: found,
    addressIs: found === null ? without : "read",
    hostname: typeof hostname === "function" ? hostname(row) || null : null,
    location: where,
    place: (where !== null && placeName?.(where)) || null,
  };
}

/** The same with what only a call reads. One that fails leaves the address unread, and says so: it must not keep anybody from deciding. */
export async function readIdentity<A extends ApiName, T>(
  kind: Identified<A, T>,
  client: ApiClient<A>,
  row: T,
): Promise<Identity> {
  const known = identityIn(kind, row);
  if (known.addressIs !== "unread" || !kind.identity.elsewhere) return known;
  try {
    const read = await kind.identity.elsewhere(client, row);
    const all = { ...known, ...read };
    return { ...all, addressIs: all.address === null ? "none" : "read" };
  } catch {
    return known;
  }
}

/** The facts as people read them. A project that has no name of its own here is the target itself. */
export function identityFacts(identity: Identity): Fact[] {
  const { project, address, addressIs, hostname, location, place } = identity;
  const addresses = { read: code(address ?? ""), none: "none", unread: "could not be read", "not of this kind": null };
  const rows: [string, string | null][] = [
    ["Project", project?.name ? code(project.name) : null],
    ["Address", addresses[addressIs]],
    ["Host name", hostname && code(hostname)],
    ["Location", location && prose(place ?? location, 100)],
  ];
  return rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

/** The same in one line: "in project `Production` · address `192.0.2.10` · host name `db.example.com` · location Frankfurt". */
export function identityWords(identity: Identity, name: PlainText): string {
  const facts = identityFacts({ ...identity, hostname: identity.hostname === name ? null : identity.hostname });
  return facts
    .map(({ label, value }) => `${label === "Project" ? "in project" : lowerFirst(label)} ${value}`)
    .join(" · ");
}
