import type { Session } from "../../../access/access.ts";
import type { LoggedEvent } from "../../../alerts/event-log.ts";
import { hasScope } from "../../../identities/link.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import { readOrder } from "../../../platform/reseller/orders.ts";
import { readService } from "../../../platform/reseller/services.ts";

/** Decides which events a member may see: those whose service or order the member's key can read now. */
export interface Visibility {
  /** False where the platform answers 404; throws other platform errors. */
  canSee(event: LoggedEvent): Promise<boolean>;
  /** The number of services and orders read so far. */
  reads(): number;
}

export function createVisibility({ client, links }: Session<"reseller">): Visibility {
  const known = new Map<string, Promise<boolean>>();

  function once(thing: string, read: () => Promise<unknown>): Promise<boolean> {
    const before = known.get(thing);
    if (before) return before;
    const found = read().then(isThere, notThere);
    known.set(thing, found);
    return found;
  }

  return {
    async canSee({ data: { serviceId, orderId } }) {
      if (serviceId) return once(`service ${serviceId}`, () => readService(client, serviceId));
      if (orderId) return once(`order ${orderId}`, () => readOrder(client, orderId));
      // An event of the account itself, such as a test event. A key bound to one customer has no account scope.
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
