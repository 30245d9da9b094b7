import { updateAlerts } from "../alerts/alert-updater.ts";
import { type AlertsApp, doneTimer } from "../alerts/app.ts";
import type { Audit } from "../audit/audit.ts";
import type { Connection } from "../identities/connection.ts";
import type { Identities } from "../identities/identities.ts";
import type { Offer } from "../notifications/answers/offer.ts";
import type { Outbox } from "../notifications/outbox.ts";
import type { SettingsStore } from "../records/settings.ts";
import type { Estate } from "../resources/estate.ts";
import type { Foundation } from "../storage/foundation.ts";
import { createBalanceMonitor } from "./balance.ts";
import { customerReaders } from "./customer.ts";
import { pollingMemory } from "./memory.ts";
import { createObservations } from "./observations.ts";
import { createPoller, type Poller } from "./polling.ts";
import { resellerReaders } from "./reseller.ts";

/** Builds the poller with its keys, its readers and the alerts that it raises. */
export function assemblePolling(
  foundation: Foundation,
  deps: {
    connection: Connection;
    identities: Identities;
    alerts: AlertsApp;
    audit: Audit;
    settings: SettingsStore;
    outbox: Outbox;
    offer: Offer;
    estate: Pick<Estate, "see">;
  },
): Poller {
  const { store, clock } = foundation;
  const { connection, identities, alerts, audit, settings, outbox, offer, estate } = deps;
  const limits = settings.read;
  const now = () => clock.now();
  const balance = createBalanceMonitor({
    ...foundation,
    ...{ identities, limits, offer },
    owner: () => connection.about("customer-reader"),
  });
  outbox.source(balance.kind, balance.notifications);
  const observations = createObservations({ ...foundation, audit, wakeFeed: alerts.wakeFeed });
  const { products } = alerts;
  const memory = store.keyv(pollingMemory);
  const poller = createPoller({
    ...foundation,
    keys: { customer: () => connection.reader("customer"), reseller: () => connection.reader("reseller") },
    readers: {
      customer: customerReaders({ observations, products, memory, limits, now, balance: balance.reader, estate }),
      reseller: resellerReaders({ observations, products, limits, now }),
    },
  });
  return {
    ...poller,
    timers: {
      ...poller.timers,
      [doneTimer]: { run: (wakeId) => updateAlerts(alerts, observations.note, wakeId), atOnce: 4 },
    },
  };
}
