import type { Connection } from "../../identities/connection.ts";
import type { Identities } from "../../identities/identities.ts";
import type { Offer } from "../answers/offer.ts";
import type { Audit } from "../audit/audit.ts";
import type { Alerts } from "../cards/alerts.ts";
import type { EventLog } from "../cards/event-log.ts";
import type { Foundation } from "../foundation.ts";
import type { SettingsStore } from "../records/settings.ts";
import type { Outbox } from "../telling/outbox.ts";
import { createBalanceWatch } from "./balance.ts";
import { customerReaders } from "./customer.ts";
import type { Estate } from "./estate.ts";
import { resellerReaders } from "./reseller.ts";
import { createSightings } from "./sightings.ts";
import { createSweep, type Sweep } from "./sweep.ts";

/** Puts together what reads in the background: with which keys, what is news of it, and whom it is told. */
export function assembleSweep(
  foundation: Foundation,
  deps: {
    connection: Connection;
    identities: Identities;
    events: EventLog;
    alerts: Alerts;
    audit: Audit;
    settings: SettingsStore;
    outbox: Outbox;
    offer: Offer;
    estate: Pick<Estate, "see">;
  },
): Sweep {
  const { store, clock } = foundation;
  const { connection, identities, events, alerts, audit, settings, outbox, offer, estate } = deps;
  const limits = settings.read;
  const now = () => clock.now();
  const balance = createBalanceWatch({
    ...foundation,
    ...{ identities, limits, offer },
    owner: () => connection.about("customer-reader"),
  });
  outbox.source(balance.kind, balance.tellings);
  const sightings = createSightings({ ...foundation, events, audit, tell: alerts.keepFound });
  const { products } = alerts;
  const memory = store.values("sweep-memory");
  return createSweep({
    ...foundation,
    keys: { customer: () => connection.reader("customer"), reseller: () => connection.reader("reseller") },
    readers: {
      customer: customerReaders({ sightings, products, memory, limits, now, balance: balance.reader, estate }),
      reseller: resellerReaders({ sightings, products, limits, now }),
    },
  });
}
