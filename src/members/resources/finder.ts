import { type InputError, wrongInput } from "../../operation/errors.ts";
import type { Operation, PlatformOperation } from "../../operation/operation.ts";
import { topicOf, verbWordsOf } from "../../operation/registry.ts";
import type { Entry } from "../../operation/target.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { clip, listing, oneLine } from "../../views/text.ts";
import { isKeyUsable, may, requireSession } from "../access/access.ts";
import { type BoundOperation, bind } from "../access/bound.ts";
import {
  type EntriesOf,
  firstFound,
  nothingCalled,
  searchable,
  searchedWords,
  waysToFind,
} from "../access/name-search.ts";
import { idIn, matchTarget, searchEntries } from "../access/resolve.ts";
import { linksIn } from "../identities/link.ts";
import { entriesInTime } from "./own-index.ts";
import type { ResourcesApp } from "./resources.ts";

/** A resource as it was read by its id, with the operation that shows it, bound to the member's key. */
export interface FoundResource {
  bound: BoundOperation;
  id: string;
  entry: Entry;
}

/** The search results of one kind. */
export interface KindHits {
  operation: PlatformOperation;
  label: string;
  entries: Entry[];
}

function showsOf({ registry }: ResourcesApp): PlatformOperation[] {
  return registry.all.filter(isShow);
}

/**
 * The resource that a member means by "web-1", "vps web-1" or an id. Throws an InputError for none or several. A list in memory may have the
 * name of another one: what is no longer called so, or what several seem to be called, is looked for in lists that are read again.
 */
export async function findResource(app: ResourcesApp, member: string, typed: string): Promise<FoundResource> {
  await requireUsable(app, member);
  const operations = await allowed(app, member, showsOf(app).filter(isCard));
  const words = typed.trim();
  const named = operations.find((operation) => words.toLowerCase().startsWith(`${topicOf(operation)} `));
  if (named) return ofKind(app, member, named, words.slice(topicOf(named).length + 1).trim());
  return anywhere(app, member, operations, words);
}

/**
 * Resources whose name, host name or address contains the text, or whose id begins with it. `unread`: kinds that could not be read in
 * time. `refused`: kinds whose list the platform refuses, in the plural. `unusable`: APIs whose key
 * must be linked again. Throws if that are all.
 */
export async function searchResources(
  app: ResourcesApp,
  member: string,
  text: string,
): Promise<{ hits: KindHits[]; unread: string[]; refused: string[]; unusable: ApiName[] }> {
  const unusable = await requireUsable(app, member);
  const seen = new Set<string>();
  const unread: string[] = [];
  const refused: string[] = [];
  const hits: KindHits[] = [];
  const operations = specialFirst(await allowed(app, member, showsOf(app)));
  const read = await Promise.all(
    operations.map(async (operation) => entriesInTime(app.clock, (await bind(app, operation, member)).listing())),
  );
  for (const [at, operation] of operations.entries()) {
    const label = operation.target?.label ?? "";
    const all = read[at] ?? "late";
    if (all === "late") unread.push(label);
    if (all === "refused") refused.push(operation.target?.plural ?? label);
    const entries = searchEntries(Array.isArray(all) ? all : [], text).filter(({ id }) => !seen.has(id));
    for (const { id } of entries) seen.add(id);
    if (entries.length > 0) hits.push({ operation, label, entries });
  }
  return { hits, unread, refused, unusable };
}

async function allowed(
  app: ResourcesApp,
  member: string,
  operations: PlatformOperation[],
): Promise<PlatformOperation[]> {
  const links = await app.identities.links(member);
  const usable = linksIn(links).flatMap((link) => (isKeyUsable(app, link) ? [link.api] : []));
  return operations.filter((operation) => usable.includes(operation.api) && may(links, operation));
}

/** The APIs whose key must be linked again. Without any other key there is nothing to look in: the session throws, and says why. */
async function requireUsable(app: ResourcesApp, member: string): Promise<ApiName[]> {
  const links = linksIn(await app.identities.links(member));
  const unusable = links.filter((link) => !isKeyUsable(app, link)).map(({ api }) => api);
  if (unusable.length < links.length) return unusable;
  await requireSession(app, member, unusable[0] ?? "customer");
  return [];
}

async function ofKind(
  app: ResourcesApp,
  member: string,
  operation: PlatformOperation,
  typed: string,
): Promise<FoundResource> {
  const bound = await bind(app, operation, member);
  const known = await bound.resolve(typed);
  const [found] = await stillCalled(typed, known.is === "id" ? [{ bound, id: known.id }] : []);
  if (found) return found;
  await bound.listing({ fresh: true });
  const target = await bound.resolve(typed);
  if (target.is === "id") return { bound, id: target.id, entry: await bound.look(target.id) };
  const names = target.is === "ambiguous" ? target.entries.map(({ id }) => id.slice(0, 8)) : [];
  throw oneOnly(typed, names);
}

async function anywhere(
  app: ResourcesApp,
  member: string,
  operations: PlatformOperation[],
  typed: string,
): Promise<FoundResource> {
  const bound = await Promise.all(operations.map(async (operation) => ({ bound: await bind(app, operation, member) })));
  const { open, refused } = await searchable(bound);
  const all = open.map((each) => each.bound);
  const [known, ...anew] = waysToFind(typed);
  const [found] = await stillCalled(typed, known ? await matches(all, typed, known) : []);
  if (found) return found;
  const meant = await firstFound(anew, (entriesOf) => matches(all, typed, entriesOf));
  const [only, second] = meant;
  if (only && !second) return { ...only, entry: await only.bound.look(only.id) };
  if (only)
    throw oneOnly(
      typed,
      meant.map(({ bound, id }) => `${topicOf(bound.operation)} ${id.slice(0, 8)}`),
    );
  throw wrongInput(
    "thing",
    plainly`${nothingCalled(refused)} “${clip(oneLine(typed), 100)}”. ${await searchedWords(all, refused, app.clock.now())} Give its name, host name or id, or its kind first: vps web-1.`,
  );
}

type Match = Pick<FoundResource, "bound" | "id">;

async function matches(all: BoundOperation[], typed: string, entriesOf: EntriesOf): Promise<Match[]> {
  const found = new Map<string, Match>();
  for (const bound of all) {
    const match = matchTarget(await entriesOf(bound), typed);
    const entries = match.kind === "ambiguous" ? match.entries : match.kind === "one" ? [match.entry] : [];
    // A service is listed under its own noun and among all services; it counts once.
    for (const { id } of entries) if (!found.has(id)) found.set(id, { bound, id });
  }
  return [...found.values()];
}

/** The only match, read by its id, if it is called so. */
async function stillCalled(typed: string, [only, second]: readonly Match[]): Promise<FoundResource[]> {
  if (!only || second) return [];
  const entry = await only.bound.look(only.id);
  return matchTarget([entry], idIn(typed) ?? typed).kind === "none" ? [] : [{ ...only, entry }];
}

/** A resource of two kinds is found as the more specific one: kinds that contain others come last. */
function specialFirst(operations: PlatformOperation[]): PlatformOperation[] {
  const holding = new Set(operations.map(({ target }) => target?.among?.kind.noun));
  return [...operations].sort((a, b) => Number(holding.has(a.target?.noun)) - Number(holding.has(b.target?.noun)));
}

/** True for an operation that shows one resource. */
export function isShow(operation: Operation): operation is PlatformOperation {
  return operation.api !== "app" && operation.target !== null && verbWordsOf(operation) === "show";
}

/** True for the operation of a resource's details; other operations show only a part of it. */
export function isCard({ command, target }: PlatformOperation): boolean {
  return target !== null && target.card === command;
}

/** A typed name that several have. `names`: words that tell them apart. */
export function oneOnly(typed: string, names: PlainText[], field = "thing"): InputError {
  const which = listing(names.slice(0, 10), "or");
  return wrongInput(field, plainly`“${clip(oneLine(typed), 100)}” can mean more than one: ${which}. Say which.`);
}
