// programme/: what the reseller programme knows beside the world: partners and what hangs on them, what the supplier
// decides, wholesale prices, and the events that are due. Records and rules; no API.

import type { Cycle } from "../world/service.ts";
import type { EventSink } from "./events.ts";
import type { Mode, Partner } from "./partner.ts";

/** The supplier's decisions. A test changes them in place. */
export interface ProgrammeSettings {
  /** False: every route but the public ones answers FEATURE_DISABLED. */
  feature: boolean;
  mode: Mode;
  /** In cents of the base currency. */
  minimumOrder: number;
  /** Of all keys of a partner together, and of each that has no limit of its own. */
  hourlyLimit: number;
  /** In percent off retail, where neither an override nor a tier has a price. */
  discount: number;
  /** The partner's account currency, and how much of it a unit of the base currency is. */
  currency: { code: string; rate: number };
  /** How many services of a product a partner may hold, by the product's id. */
  caps: Map<string, number>;
  /** Products that are not sold on. */
  notResold: Set<string>;
  /** Absolute wholesale prices in cents, by the product's id. */
  priceBook: Map<string, Partial<Record<Cycle, number>>>;
  /** While true, services cannot be created once they are paid for. */
  creationFails: boolean;
  /** While true, a change of package waits for the supplier after it is paid. */
  approvesChanges: boolean;
  /** While true, the host name localhost counts as public: the demo's app is reached under it, since a browser's passkeys need it there. */
  localhost: boolean;
  rescue: boolean;
  /** True if partners may configure their own IP transit. */
  transitEditing: boolean;
  peerConnections: boolean;
  /** How often a delivery is tried. */
  webhookAttempts: number;
}

export interface Programme {
  settings: ProgrammeSettings;
  /** By the account that holds what they buy. */
  partners: Map<string, Partner>;
  events: EventSink;
}

export function createProgramme(hourlyLimit: number, events: EventSink): Programme {
  return {
    settings: {
      feature: true,
      mode: "saved_method",
      minimumOrder: 0,
      hourlyLimit,
      discount: 20,
      currency: { code: "EUR", rate: 1 },
      caps: new Map(),
      notResold: new Set(),
      priceBook: new Map(),
      creationFails: false,
      approvesChanges: false,
      localhost: false,
      rescue: true,
      transitEditing: true,
      peerConnections: true,
      webhookAttempts: 20,
    },
    partners: new Map(),
    events,
  };
}
