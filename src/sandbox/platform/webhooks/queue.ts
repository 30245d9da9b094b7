// webhooks/: what partners are told of: events that wait for their delivery, in the order in which they were made.
// May import: world/, programme/, the clock.

import { randomUUID } from "node:crypto";
import type { Clock } from "../../../clock.ts";
import type { EventName, EventSink } from "../programme/events.ts";
import type { Partner } from "../programme/partner.ts";

export interface Delivery {
  /** The same at each attempt. */
  id: string;
  partner: Partner;
  event: EventName;
  data: object;
  /** Milliseconds since the epoch. */
  created: number;
  /** Before then it is not tried. */
  due: number;
  attempts: number;
  state: "waiting" | "delivered" | "failed";
}

export interface DeliveryQueue extends EventSink {
  /** Oldest first. */
  all(): Delivery[];
}

/** What is raised while no address is on file is dropped (spec 6). */
export function createDeliveryQueue(clock: Clock): DeliveryQueue {
  const deliveries: Delivery[] = [];
  return {
    all: () => [...deliveries],
    raise(partner, event, data) {
      if (partner.webhookUrl === null) return;
      const now = clock.now();
      const state = "waiting";
      deliveries.push({ id: randomUUID(), partner, event, data, created: now, due: now, attempts: 0, state });
    },
  };
}
