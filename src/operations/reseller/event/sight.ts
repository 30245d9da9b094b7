import type { Session } from "../../../engine/access.ts";
import type { KeptEvent } from "../../../engine/cards/event-log.ts";
import { hasScope } from "../../../identities/link.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import { readOrder } from "../../../platform/reseller/orders.ts";
import { readService } from "../../../platform/reseller/services.ts";

/** Which events a member's own reseller key may see: those whose service or order it can read now. */
export interface Sight {
  /** Platform errors pass through, but that there is no such thing for this key. */
  sees(event: KeptEvent): Promise<boolean>;
  /** How many things were read for it. */
  reads(): number;
}

export function createSight({ client, links }: Session<"reseller">): Sight {
  const known = new Map<string, Promise<boolean>>();

  function once(thing: string, read: () => Promise<unknown>): Promise<boolean> {
    const before = known.get(thing);
    if (before) return before;
    const found = read().then(isThere, notThere);
    known.set(thing, found);
    return found;
  }

  return {
    async sees({ data: { serviceId, orderId } }) {
      if (serviceId) return once(`service ${serviceId}`, () => readService(client, serviceId));
      if (orderId) return once(`order ${orderId}`, () => readOrder(client, orderId));
      // About the account itself, as a test event is: no key of one customer has that scope.
      return hasScope(links, { api: "reseller", scope: "account" });
    },
    reads: () => known.size,
  };
}

const isThere = () => true;

function notThere(error: unknown): false {
  if (error instanceof PlatformRefused && error.status === 404) return false;
  throw error;
}
