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

const machine: Sort = { one: "VPS", many: "VPSes", card: "vps show", list: "vps list", counted: true };
const server: Sort = {
  ...{ one: "dedicated server", many: "dedicated servers" },
  ...{ card: "dedicated show", list: "dedicated list", counted: true },
};
const game: Sort = { one: "game server", many: "game servers", card: "game show", list: "game list", counted: true };
const other: Sort = {
  ...{ one: "other service", many: "other services" },
  ...{ card: "service show", list: "service list", counted: true },
};
const picture: Sort = { one: "image", many: "images", card: "image show", list: "image list", counted: false };
const sold: Sort = {
  ...{ one: "resold service", many: "resold services" },
  ...{ card: "reseller service show", list: "reseller service list", counted: true },
};
const order: Sort = {
  ...{ one: "reseller order", many: "reseller orders" },
  ...{ card: "reseller order show", list: "reseller order list", counted: false },
};
const document: Sort = {
  ...{ one: "unpaid document", many: "unpaid documents" },
  ...{ card: "billing show", list: "billing invoices", counted: false, isBill: true },
};

/** The kind of a row. Null in the list of all services if a more detailed list has it, such as that of VPSes. */
function sortOf({ api, noun }: KindList, { type }: Entry): Sort | null {
  if (api === "reseller") return noun === resoldService.noun ? sold : order;
  if (noun === vps.noun) return machine;
  if (noun === dedicated.noun) return server;
  if (noun === image.noun) return picture;
  if (noun === toPay.noun) return document;
  if (type === "game") return game;
  return type === "unknown" ? other : null;
}

/** All known resources, one per id: a resold service is in the lists of both keys, and the customer's row comes first. */
export function resourcesIn(parts: KindList[]): HomeResource[] {
  const byId = new Map<string, HomeResource>();
  for (const part of parts)
    for (const entry of part.entries) {
      const sort = sortOf(part, entry);
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
export function nameOfPart({ api, noun }: KindList): string {
  if (api === "reseller") return noun === resoldService.noun ? sold.many : order.many;
  const names: Record<string, string> = {
    [vps.noun]: machine.many,
    [dedicated.noun]: server.many,
    [service.noun]: "services of other kinds",
    [image.noun]: picture.many,
  };
  return names[noun] ?? document.many;
}
