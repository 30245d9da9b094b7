import { type Entry, indexedKindOf } from "../../operation/target.ts";
import type { KindList } from "../../resources/resources.ts";
import { toPay } from "../billing/to-pay.ts";
import { dedicated } from "../dedicated/dedicated.ts";
import { image } from "../image.ts";
import { ordersThat } from "../reseller/order/order.ts";
import { resoldService } from "../reseller/service/service.ts";
import { service } from "../service/service.ts";
import { vps } from "../vps/vps.ts";

/** A kind of resource on the Home tab, with the commands that open and list it. */
export interface Sort {
  one: string;
  many: string;
  card: string;
  list: string;
  /** Its resources are counted by state. Of other kinds only concerns are shown. */
  counted: boolean;
  /** It is a document to be paid. */
  isBill?: boolean;
}

/** A resource with its kind. */
export interface HomeResource {
  entry: Entry;
  sort: Sort;
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

function sort(noun: string, counted: boolean, one: string, many = `${one}s`): Sort {
  return { one, many, card: `${noun} show`, list: `${noun} list`, counted };
}

const machine = sort("vps", true, "VPS", "VPSes");
const server = sort("dedicated", true, "dedicated server");
const game = sort("game", true, "game server");
const other = sort("service", true, "other service");
const picture = sort("image", false, "image");
const sold = sort("reseller service", true, "resold service");
const order = sort("reseller order", false, "reseller order");
const document: Sort = { ...sort("billing", false, "unpaid document"), list: "billing invoices", isBill: true };

/** The kind of all rows of a list; null for the list of all services. */
function sortOfList({ api, noun }: KindList): Sort | null {
  if (api === "reseller") return noun === resoldService.noun ? sold : order;
  if (noun === service.noun) return null;
  if (noun === vps.noun) return machine;
  if (noun === dedicated.noun) return server;
  return noun === image.noun ? picture : document;
}

/** The kind of a service. Null if a more detailed list has it, such as that of VPSes. */
function sortOfService({ type }: Entry): Sort | null {
  if (type === "game") return game;
  return type === "unknown" ? other : null;
}

/** All known resources, one per id: a resold service is in the lists of both keys, and the customer's row comes first. */
export function resourcesIn(parts: KindList[]): HomeResource[] {
  const byId = new Map<string, HomeResource>();
  for (const part of parts)
    for (const entry of part.entries) {
      const sort = sortOfList(part) ?? sortOfService(entry);
      if (!sort) continue;
      const before = byId.get(entry.id);
      byId.set(entry.id, before ? { ...before, entry: together(before.entry, entry) } : { entry, sort });
    }
  return [...byId.values()];
}

/** Merges two rows of a resource: only one of them may name its due date. */
function together(first: Entry, { due }: Entry): Entry {
  return first.due || !due ? first : { ...first, due };
}

/** The name of a list that was not read yet. */
export function nameOfPart(part: KindList): string {
  return sortOfList(part)?.many ?? "services of other kinds";
}
