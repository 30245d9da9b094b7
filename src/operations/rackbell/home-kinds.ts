import { unaskedDown } from "../../alerts/polling/observations.ts";
import { refusedWords } from "../../members/access/name-search.ts";
import type { KindList, RefusedList } from "../../members/resources/resources.ts";
import { type Entry, indexedKindOf, isUntyped } from "../../operation/target.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { momentAgo } from "../../views/format.ts";
import { listing } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { toPay } from "../billing/open-documents.ts";
import { dedicated } from "../dedicated/dedicated.ts";
import { image } from "../image.ts";
import { ordersThat } from "../reseller/order/order.ts";
import { resoldService } from "../reseller/service/service.ts";
import { service } from "../service/service.ts";
import { vps } from "../vps/vps.ts";

/** A kind of resource on the Home tab, with the commands that open and list it. */
export interface HomeKind {
  one: string;
  many: string;
  card: string;
  list: string;
  /** Its resources are counted by state. Of other kinds only concerns are shown. */
  counted: boolean;
  /** The state of its entries is that of a machine, which polling observes. */
  power?: boolean;
  /** It is a document to be paid. */
  isBill?: boolean;
}

/** A resource with its kind. */
export interface HomeResource {
  entry: Entry;
  kind: HomeKind;
}

const failedOrders = ordersThat("failed");

/** The kinds of lists that the Home tab uses, all from the name index. */
export const homeKinds = {
  customer: [
    indexedKindOf(vps),
    indexedKindOf(dedicated),
    indexedKindOf(service),
    indexedKindOf(image),
    indexedKindOf(toPay),
  ],
  reseller: [indexedKindOf(resoldService), indexedKindOf(failedOrders)],
};

function homeKind(noun: string, counted: boolean, one: string, many = `${one}s`): HomeKind {
  return { one, many, card: `${noun} show`, list: `${noun} list`, counted };
}

const vpses: HomeKind = { ...homeKind("vps", true, "VPS", "VPSes"), power: true };
const dedicatedServers = homeKind("dedicated", true, "dedicated server");
const gameServers = homeKind("game", true, "game server");
const otherServices = homeKind("service", true, "other service");
const images = homeKind("image", false, "image");
const resoldServices = homeKind("reseller service", true, "resold service");
const resellerOrders = homeKind("reseller order", false, "reseller order");
const unpaidDocuments: HomeKind = {
  ...homeKind("billing", false, "unpaid document"),
  list: "billing invoices",
  isBill: true,
};

const all = [
  ...[vpses, dedicatedServers, gameServers, otherServices],
  ...[images, resoldServices, resellerOrders, unpaidDocuments],
];

/** The kind that a member typed; null if there is none of that name. */
export function homeKindNamed(typed: string): HomeKind | null {
  const wanted = typed.trim().toLowerCase();
  return all.find(({ one, many }) => [one, many].some((word) => word.toLowerCase() === wanted)) ?? null;
}

/** The names of all kinds. */
export const homeKindNames: readonly string[] = all.map(({ one }) => one);

/** The kind of all rows of a list; null for the list of all services. */
function kindOfList({ api, noun }: KindList): HomeKind | null {
  if (api === "reseller") return noun === resoldService.noun ? resoldServices : resellerOrders;
  if (noun === service.noun) return null;
  if (noun === vps.noun) return vpses;
  if (noun === dedicated.noun) return dedicatedServers;
  return noun === image.noun ? images : unpaidDocuments;
}

/** The kind of a service. Null if a more detailed list has it, such as that of VPSes. */
function kindOfService(entry: Entry): HomeKind | null {
  if (entry.type === "game") return gameServers;
  return isUntyped(entry) ? otherServices : null;
}

/** All known resources, one per id: a resold service is in the lists of both keys, and the customer's row comes first. */
export function resourcesIn(parts: KindList[]): HomeResource[] {
  const byId = new Map<string, HomeResource>();
  for (const part of parts)
    for (const entry of part.entries) {
      const kind = kindOfList(part) ?? kindOfService(entry);
      if (!kind) continue;
      const before = byId.get(entry.id);
      byId.set(entry.id, before ? { ...before, entry: together(before.entry, entry) } : { entry, kind });
    }
  return [...byId.values()];
}

/** Merges two rows of a resource: only one of them may name its due date. */
function together(first: Entry, { due }: Entry): Entry {
  return first.due || !due ? first : { ...first, due };
}

/** True if every list was read, so that no concern means that all is well. `unread`: reasons why some could not be read now. */
export function isAllRead(parts: KindList[], unread: string[]): boolean {
  return unread.length === 0 && parts.length > 0 && parts.every(({ at }) => at !== null);
}

/** The age of the oldest list, the lists that were never read, and the first reason why one could not be read now. */
export function ageBlocks(parts: KindList[], unread: string[]): Block[] {
  const times = parts.flatMap(({ at }) => at ?? []);
  const missing = parts
    .filter(({ at }) => at === null)
    .map((part) => kindOfList(part)?.many ?? "services of other kinds");
  const age = times.length > 0 ? [`As of ${momentAgo(Math.min(...times))}.`] : [];
  const late = missing.length > 0 ? [`Not read yet: ${listing(missing)}.`] : [];
  const words = [...age, ...late].join(" ");
  return [
    ...(words === "" ? [] : [context(words)]),
    ...unread.slice(0, 1).map((text) => section(`:warning: Not all of it could be read. ${text}`)),
  ];
}

/** The sentence that names the lists that the platform refuses; none if there are none. */
export function refusedSentences(refused: RefusedList[]): string[] {
  return refused.length > 0 ? [refusedWords(refused.map(({ plural }) => plural))] : [];
}

/** Machines that are read at most: each costs a read of the store. */
const mostRead = 200;

/** The machines that are down without an act that led there, by id; since when, in milliseconds since the epoch, null if unknown. */
export type Downs = ReadonlyMap<string, number | null>;

export async function findDowns(
  app: Pick<AppContext, "store" | "clock" | "causes">,
  resources: readonly HomeResource[],
): Promise<Downs> {
  const machines = resources.filter(({ entry, kind }) => kind.power && entry.state !== "running").slice(0, mostRead);
  const found = await Promise.all(
    machines.map(async ({ entry: { id, state } }) => ({ id, down: await unaskedDown(app, id, state) })),
  );
  return new Map(found.flatMap(({ id, down }) => (down ? [[id, down.since] as const] : [])));
}
