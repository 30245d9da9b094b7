import * as z from "#zod";
import { takeTurn } from "../members/access/background-rate.ts";
import { isPermanentRefusal, keyRejected, PlatformRefused } from "../platform/http/errors.ts";
import type { ResellerClient } from "../platform/reseller/client.ts";
import { readOrder } from "../platform/reseller/orders.ts";
import { readService } from "../platform/reseller/services.ts";
import { PaymentStatus, ProvisioningStatus, ServiceStatus } from "../platform/reseller/states.ts";
import { serviceStage } from "../platform/service-stage.ts";
import { orUnlisted } from "../platform/unlisted.ts";
import type { StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { moment } from "../views/format.ts";
import { prose } from "../views/text.ts";
import { stateWords } from "../views/values.ts";
import { queueAlert } from "./alert.ts";
import type { AlertsApp } from "./app.ts";
import { confirmingStates, type EventName, failedServices, isOfOrder, type LoggedEvent } from "./events.ts";
import { correctLog, type Observation } from "./polling/observations.ts";
import { orderObservations } from "./polling/reseller.ts";
import { billingObservations } from "./polling/service-observations.ts";
import { noteService } from "./products.ts";

// Compares important events with a read by the monitoring key, where one is set: an event is no proof.

/** Timer prefix: read an order or a service. The resource follows (`order:<id>`, `service:<id>`). */
export const crossCheckTimer = "cross-check:";
const minute = 60_000;
const month = 30 * 24 * 60 * minute;
/** A read that still fails this long after the event is given up. */
const giveUpAfter = 30 * minute;
const retryAfter = 5 * minute;

/** The state of an order, or of a service without one, as a read with the monitoring key showed it. */
const CrossCheckResult = z.object({
  alerts: z.array(z.string()),
  askedAt: z.number(),
  /** Milliseconds since the epoch; null where nothing was read. */
  readAt: z.number().nullable(),
  payment: PaymentStatus.nullable(),
  provisioning: ProvisioningStatus.nullable(),
  /** The platform's reason for a failed build. */
  reason: z.string().nullable(),
  services: z.record(z.string(), orUnlisted(ServiceStatus)),
  /** Why the read failed, as the end of a sentence. */
  problem: z.string().nullable(),
});
type CrossCheckResult = z.infer<typeof CrossCheckResult>;

const crossCheckKind = defineKind({
  name: "confirmation",
  namespace: "cross-checks",
  schema: CrossCheckResult,
  ttlMs: month,
});

/** Schedules a read of an order or a service (`order:<id>`, `service:<id>`), which then updates these alerts. */
export async function askCrossCheck(app: AlertsApp, resource: string, alertIds: string[]): Promise<void> {
  const { store, clock } = app;
  if (!(await app.connection.reader("reseller"))) return;
  const unread = { readAt: null, payment: null, provisioning: null, reason: null, services: {}, problem: null };
  await update(store, crossCheckKind, resource, (before) => ({
    ...(before ?? unread),
    // The problem of an earlier read says nothing about this event.
    problem: null,
    alerts: [...new Set([...(before?.alerts ?? []), ...alertIds])].slice(-20),
    askedAt: clock.now(),
  }));
  await store.timers.set(`${crossCheckTimer}${resource}`, clock.now());
}

export async function readCrossCheck({ store }: StoreApp, resource: string): Promise<CrossCheckResult | null> {
  return (await store.keyv(crossCheckKind).get(resource)) ?? null;
}

/** The timer's run. Resolves to the time of the next try (milliseconds since the epoch). */
export async function runCrossCheck(app: AlertsApp, timerId: string): Promise<number | undefined> {
  const { store, clock, log } = app;
  const resource = timerId.slice(crossCheckTimer.length);
  const pending = await readCrossCheck(app, resource);
  const reading = pending ? await app.connection.reader("reseller") : null;
  if (!pending || !reading) return undefined;
  const isLate = clock.now() > pending.askedAt + giveUpAfter;
  const wait = await takeTurn(store.paces, "background", reading.keyId, reading.client.budget());
  if (wait > 0) {
    if (!isLate) return clock.now() + wait;
    await save(app, resource, { problem: "the monitoring key had no calls left" });
    return undefined;
  }
  // The time of the question: an event that is stored while the answer is under way may be newer than what it says.
  const readAt = clock.now();
  try {
    const { observed, ...read } = await readResource(app, reading.client, resource);
    await save(app, resource, { ...read, readAt, problem: null });
    const found = Map.groupBy(observed, ([one]) => one);
    const again = await Promise.all(
      [...found].map(([one, pairs]) =>
        correctLog(
          app,
          one,
          pairs.map(([, observation]) => observation),
        ),
      ),
    );
    const times = again.filter((at) => at !== null);
    return times.length > 0 ? Math.min(...times) : undefined;
  } catch (error) {
    log.warn({ err: error, resource }, "An event could not be checked at the platform");
    await save(app, resource, { problem: problemOf(error) });
    return isLate || isPermanentRefusal(error) ? undefined : clock.now() + retryAfter;
  }
}

async function save(app: AlertsApp, resource: string, change: Partial<CrossCheckResult>): Promise<void> {
  const after = await update(app.store, crossCheckKind, resource, (before) => before && { ...before, ...change });
  for (const alertId of after?.alerts ?? []) await queueAlert(app, alertId);
}

async function readResource(
  app: AlertsApp,
  client: ResellerClient,
  resource: string,
): Promise<
  Pick<CrossCheckResult, "payment" | "provisioning" | "reason" | "services"> & {
    /** The states that were read, as polling observes them. */
    observed: [resource: string, Observation][];
  }
> {
  const [kind, id = ""] = resource.split(":");
  if (kind === "service") {
    const service = await readService(client, id);
    await noteService(app, service);
    const observed = observedServices([[id, service.status]]);
    return { payment: null, provisioning: null, reason: null, services: { [id]: service.status }, observed };
  }
  const order = await readOrder(client, id);
  const states = order.services.flatMap(({ serviceId, status }) => (status ? [[serviceId, status] as const] : []));
  return {
    payment: order.payment_status ?? null,
    provisioning: order.provisioning_status ?? null,
    reason: order.provisioning_error ?? null,
    services: Object.fromEntries(states),
    observed: [
      ...orderObservations(order).map((one): [string, Observation] => [`order:${id}`, one]),
      ...observedServices(states),
    ],
  };
}

function observedServices(states: readonly (readonly [id: string, status: string])[]): [string, Observation][] {
  const others = { name: null, hostname: null, kind: null, dueAt: null, source: "missed" } as const;
  return states.flatMap(([id, status]) =>
    billingObservations({ ...others, id, status }, "sold").map((one): [string, Observation] => [`service:${id}`, one]),
  );
}

function problemOf(error: unknown): string {
  if (keyRejected(error)) return "the platform no longer accepts the monitoring key";
  if (error instanceof PlatformRefused && error.status === 404) return "the monitoring key does not see it";
  return "the platform did not answer as it should";
}

const buildFailed: EventName = "service.provisioning_failed";

/** The order, or the service without one, to read for a supplier's event; null where no read is needed. */
export function resourceToCheck({ event, source, data }: LoggedEvent): string | null {
  // The list of orders, in which polling finds a failed build, names no reason for it.
  const lacksReason = source === "missed" && event === buildFailed && !data.serviceId && !data.provisioningError;
  if ((source !== "webhook" && !lacksReason) || confirmingStates(event) === null) return null;
  if (data.orderId) return `order:${data.orderId}`;
  return data.serviceId ? `service:${data.serviceId}` : null;
}

/** The line under an event, in mrkdwn: the platform agrees, disagrees, or could not be read. Empty while no read has ended. */
export function crossCheckLine(event: LoggedEvent, result: CrossCheckResult | null): string {
  if (!result || resourceToCheck(event) === null) return "";
  const { readAt, problem } = result;
  if (readAt === null || readAt < event.at)
    return problem === null ? "" : `\n:grey_question: Not confirmed: ${problem}.`;
  const state = stateOf(event, result);
  if (state === null) return `\n:grey_question: Not confirmed: the platform did not name its state ${moment(readAt)}.`;
  if (confirmingStates(event.event)?.includes(state))
    return `\nThe platform says so, too: read ${moment(readAt)}.${reasonWords(event, result)}`;
  // A service in a state that no spec lists may be in the reported one as well.
  const isUnlisted = Object.values(result.services).some((status) => status === state && serviceStage(status) === null);
  if (isUnlisted || (event.event === buildFailed && isUnderWay(state)))
    return `\n:grey_question: Not confirmed: the platform shows it as ${stateWords(state)}, read ${moment(readAt)}.`;
  return `\n:warning: The platform says otherwise, read ${moment(readAt)}: ${stateWords(state)}.`;
}

function stateOf(event: LoggedEvent, { payment, provisioning, services }: CrossCheckResult): string | null {
  if (isOfOrder(event.event)) return payment;
  const { serviceId } = event.data;
  const ids = serviceId ? [serviceId] : failedServices(event.data).flatMap((one) => one.serviceId ?? []);
  // An order that failed before it had a service names none: then any service of the order that failed counts.
  const states = ids.length > 0 ? ids.map((id) => services[id]) : Object.values(services);
  const state = states.find((status) => status === "provisioning_failed") ?? states[0] ?? null;
  if (event.event !== buildFailed) return state;
  // Of a service that is not there yet, the order knows more: dedicated hardware stays pending after a failed build (customer spec 2.3).
  const isOrders = provisioning === "failed" && (ids.length === 0 || isUnderWay(state));
  return isOrders ? provisioning : (state ?? provisioning);
}

/** The service is not there yet: that neither confirms a failed build nor denies it. */
function isUnderWay(state: string | null): boolean {
  return state === null || serviceStage(state) === "starting";
}

function reasonWords({ event, data }: LoggedEvent, { reason }: CrossCheckResult): string {
  return event === buildFailed && reason && !data.provisioningError ? ` Its reason: ${prose(reason, 300)}` : "";
}
