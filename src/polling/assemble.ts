import { updateAlerts } from "../alerts/alert-updater.ts";
import { type AlertsApp, doneTimer } from "../alerts/app.ts";
import type { Audit } from "../audit/audit.ts";
import type { Connection } from "../identities/connection.ts";
import type { Identities } from "../identities/identities.ts";
import type { Outbox } from "../notifications/outbox.ts";
import { balanceKind, balanceMessages, balanceReader } from "./balance.ts";
import { customerReaders } from "./customer.ts";
import { noteState } from "./observations.ts";
import { createPoller, type Poller } from "./polling.ts";
import { resellerReaders } from "./reseller.ts";

/** Builds the poller with its keys and its readers, and registers its messages. */
export function assemblePolling(
  alerts: AlertsApp,
  { outbox, ...parts }: { connection: Connection; identities: Identities; audit: Audit; outbox: Outbox },
): Poller {
  const { connection } = parts;
  const app = { ...alerts, ...parts };
  outbox.source(balanceKind, balanceMessages(app));
  const poller = createPoller({
    ...app,
    keys: { customer: () => connection.reader("customer"), reseller: () => connection.reader("reseller") },
    readers: { customer: customerReaders(app, balanceReader(app)), reseller: resellerReaders(app) },
  });
  const updater = (wakeId: string) => updateAlerts(app, (observed) => noteState(app, observed), wakeId);
  return { ...poller, timers: { ...poller.timers, [doneTimer]: updater } };
}
