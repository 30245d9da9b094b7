// webhooks/: events that wait for their delivery to partners, and the poster that sends them, signed, to the address
// on file, again and again until it gets a good answer (spec 6).

import { randomUUID } from "node:crypto";
import type { Clock } from "../../../process/clock.ts";
import type { EventName, EventSink } from "../programme/events.ts";
import type { Partner } from "../programme/partner.ts";

export interface Delivery {
  /** The same at each attempt. */
  readonly id: string;
  readonly partner: Partner;
  readonly event: EventName;
  readonly data: object;
  /** Milliseconds since the epoch; before then it is not tried. */
  due: number;
  attempts: number;
  state: "waiting" | "delivered" | "failed";
  /** Why the last attempt failed. */
  error: string | null;
}

/** How deliveries go wrong without failing. */
export interface DeliveryFaults {
  /** A delivery with a good answer comes once more. */
  twice: boolean;
  /** The newest first. */
  reversed: boolean;
  /** Milliseconds by which the queue delays an event that is raised now. */
  lateMs: number;
  /** Milliseconds between two deliveries of one round. */
  apartMs: number;
}

export interface DeliveryQueue extends EventSink {
  readonly faults: DeliveryFaults;
  /** In the order in which they were made. */
  all(): Delivery[];
  /** The operator lets one that is permanently failed be tried again. */
  requeue(id: string): void;
}

/** An event that is raised while no address is on file is dropped (spec 6). */
export function createDeliveryQueue(clock: Clock): DeliveryQueue {
  const deliveries = new Map<string, Delivery>();
  const faults: DeliveryFaults = { twice: false, reversed: false, lateMs: 0, apartMs: 0 };
  return {
    faults,
    all: () => [...deliveries.values()],
    raise(partner, event, data) {
      if (partner.webhookUrl === null) return;
      const id = randomUUID();
      const due = clock.now() + faults.lateMs;
      // Copy the data as it is now: the service that it describes changes later.
      const snapshot = structuredClone(data);
      deliveries.set(id, { id, partner, event, data: snapshot, due, attempts: 0, state: "waiting", error: null });
    },
    requeue(id) {
      const delivery = deliveries.get(id);
      if (delivery?.state !== "failed") throw new Error(`There is no failed delivery ${id}`);
      Object.assign(delivery, { state: "waiting", attempts: 0, due: clock.now() });
    },
  };
}
