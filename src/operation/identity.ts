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
  /** The customer to whom it is resold, as words in mrkdwn. Absent for a kind that is not resold. */
  soldTo?: (row: T) => string;
  /** Facts that differ between two rows of one name. They are shown where no address does that. */
  apart: ((row: T) => Fact[]) | Lacking;
  /** The words for a location whose names no catalogue has. */
  placeName?: (location: string) => PlainText;
  /** Reads facts that the row lacks by a call of its own: an address that has its own route. Null where this row needs none. */
  elsewhere?: (client: ApiClient<A>, row: T) => Promise<Partial<Identity>> | null;
}

/** The facts of one resource, as far as they are known. */
export interface Identity {
  project: { id: string; name: PlainText } | null;
  /** Its kind belongs to projects, and the platform did not say to which one. */
  projectIs?: "not shown" | undefined;
  /** Its first address; null if it has none, the platform did not tell it, or its kind has no addresses. */
  address: string | null;
  /** "unread": a call for it failed, or was not made; "not shown": no answer of the platform has it. */
  addressIs: "read" | "none" | "unread" | "not shown" | "not of this kind";
  hostname: PlainText | null;
  /** As the platform's row has it: this is compared. */
  location: string | null;
  soldTo?: string | undefined;
  /** The name by which cards call the location; null if it was not looked up. */
  place: PlainText | null;
  /** As they were read: they never change. Absent where the name is of one row alone. */
  apart?: Fact[] | undefined;
}

interface Identified<A extends ApiName, T> {
  identity: IdentityFacts<A, T>;
}

/** The facts that the row itself has: no call. */
export function identityIn<A extends ApiName, T>({ identity }: Identified<A, T>, row: T): Identity {
  const { project, address, hostname, location, soldTo, apart, placeName, elsewhere } = identity;
  const where = typeof location === "function" ? location(row) || null : null;
  const said = typeof address === "function" ? address(row) : null;
  const found = said || null;
  const isUnread = elsewhere !== undefined || said === undefined;
  const without = typeof address !== "function" ? "not of this kind" : isUnread ? "unread" : "none";
  return {
    ...projectIn(project, row),
    address: found,
    addressIs: found === null ? without : "read",
    hostname: typeof hostname === "function" ? hostname(row) || null : null,
    location: where,
    place: (where !== null && placeName?.(where)) || null,
    ...(soldTo ? { soldTo: soldTo(row) } : {}),
    ...(typeof apart === "function" ? { apart: apart(row) } : {}),
  };
}

function projectIn<T>(project: IdentityFacts<ApiName, T>["project"], row: T): Pick<Identity, "project" | "projectIs"> {
  if (typeof project !== "function") return { project: null };
  const own = project(row);
  return own === null ? { project: null, projectIs: "not shown" } : { project: own };
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
    const { projectIs, ...all } = { ...known, ...read };
    // A page that was read and has no address says that there is none; without a page nobody has said anything.
    const without = read && "address" in read ? "none" : "not shown";
    return {
      ...all,
      ...(projectIs && all.project === null ? { projectIs } : {}),
      addressIs: all.address === null ? without : "read",
    };
  } catch {
    return known;
  }
}

/** The beginning of the id: of two rows with one name it is the only sure difference. */
export function idFact(id: string): Fact {
  return { label: "Id", value: code(id.slice(0, 8)) };
}

const notShown = "not shown by the platform";

/** The facts as people read them. A project that has no name of its own here is the target itself. */
export function identityFacts(identity: Identity): Fact[] {
  const {
    project,
    projectIs = null,
    address,
    addressIs,
    hostname,
    location,
    place,
    soldTo = null,
    apart = [],
  } = identity;
  const addresses = {
    read: code(address ?? ""),
    none: "none",
    unread: "could not be read",
    "not shown": notShown,
    "not of this kind": null,
  };
  const rows: [string, string | null][] = [
    ["Sold to", soldTo],
    ["Project", project?.name ? code(project.name) : projectIs && notShown],
    ["Address", addresses[addressIs]],
    ["Host name", hostname && code(hostname)],
    ["Location", location && prose(place ?? location, 100)],
  ];
  const known = rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
  return address === null ? [...known, ...apart] : known;
}

/** The same in one line: "in project `Production` · address `192.0.2.10` · host name `db.example.com` · location Frankfurt". */
export function identityWords(identity: Identity, name: PlainText): string {
  const facts = identityFacts({ ...identity, hostname: identity.hostname === name ? null : identity.hostname });
  return facts
    .map(({ label, value }) => `${label === "Project" && identity.project ? "in project" : lowerFirst(label)} ${value}`)
    .join(" · ");
}
