import type { Part } from "../../engine/things/things.ts";
import type { Entry } from "../../operation/target.ts";
import { listedOf } from "../../operation/target.ts";
import { toPay } from "../../operations/billing/to-pay.ts";
import { dedicated } from "../../operations/dedicated/dedicated.ts";
import { image } from "../../operations/image/image.ts";
import { ordersThat } from "../../operations/reseller/order/order.ts";
import { soldService } from "../../operations/reseller/service/service.ts";
import { service } from "../../operations/service/service.ts";
import { vps } from "../../operations/vps/vps.ts";

/** One sort of thing on the Home tab, and where it is opened and listed. */
export interface Sort {
  one: string;
  many: string;
  card: string;
  list: string;
  /** It is counted by its states; of others only what needs somebody is shown. */
  counted: boolean;
  /** It is a document that waits for money. */
  isBill?: boolean;
}

/** A thing with what it is. */
export interface Thing {
  entry: Entry;
  sort: Sort;
}

const failedOrders = ordersThat("failed");

/** All that the Home tab rests on; the directory reads it, and keeps it. */
export const homeKinds = {
  customer: [listedOf(vps), listedOf(dedicated), listedOf(service), listedOf(image), listedOf(toPay)],
  reseller: [listedOf(soldService), listedOf(failedOrders)],
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
  ...{ one: "service that you sell on", many: "services that you sell on" },
  ...{ card: "reseller service show", list: "reseller service list", counted: true },
};
const order: Sort = {
  ...{ one: "order to sell on", many: "orders to sell on" },
  ...{ card: "reseller order show", list: "reseller order list", counted: false },
};
const document: Sort = {
  ...{ one: "unpaid document", many: "unpaid documents" },
  ...{ card: "billing show", list: "billing invoices", counted: false, isBill: true },
};

/** The sort of a row; null for what another kind tells more of: of a VPS among all services its own list does. */
function sortOf({ api, noun }: Part, { type }: Entry): Sort | null {
  if (api === "reseller") return noun === soldService.noun ? sold : order;
  if (noun === vps.noun) return machine;
  if (noun === dedicated.noun) return server;
  if (noun === image.noun) return picture;
  if (noun === toPay.noun) return document;
  if (type === "game") return game;
  return type === "unknown" ? other : null;
}

/** Every thing that is known, once. */
export function thingsIn(parts: Part[]): Thing[] {
  return parts.flatMap((part) =>
    part.entries.flatMap((entry) => {
      const sort = sortOf(part, entry);
      return sort ? [{ entry, sort }] : [];
    }),
  );
}

/** What a part is called while it has not been read. */
export function nameOfPart({ api, noun }: Part): string {
  if (api === "reseller") return noun === soldService.noun ? sold.many : order.many;
  const names: Record<string, string> = {
    [vps.noun]: machine.many,
    [dedicated.noun]: server.many,
    [service.noun]: "services of other kinds",
    [image.noun]: picture.many,
  };
  return names[noun] ?? document.many;
}
