import { takeTurn } from "../access/background-rate.ts";
import { keyRejected, PlatformRefused } from "../platform/http/errors.ts";
import type { ResellerClient } from "../platform/reseller/client.ts";
import { readOrder } from "../platform/reseller/orders.ts";
import { readService } from "../platform/reseller/services.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import { CrossCheckResult } from "./cross-check-result.ts";

const lane = "confirm:";
const minute = 60_000;
const month = 30 * 24 * 60 * minute;
/** A read that still fails this long after the event is given up. */
const giveUpAfter = 30 * minute;
const retryAfter = 5 * minute;

/** Gives the client of the monitoring key and the key's id; null where none is set. */
export type MonitoringKey = () => Promise<{ client: ResellerClient; keyId: string } | null>;

/** Compares important events with a read by the monitoring key, where one is set: an event is no proof (design section 6). */
export interface CrossCheck {
  timers: LaneHandlers;
  /** Schedules a read of an order or a service (`order:<id>`, `service:<id>`), and then updates these alerts. */
  ask(resource: string, alertIds: string[]): Promise<void>;
  read(resource: string): Promise<CrossCheckResult | null>;
}

const crossCheckKind = defineKind({
  name: "confirmation",
  namespace: "alert-confirmations",
  schema: CrossCheckResult,
  version: 1,
  ttlMs: month,
});

export function createCrossCheck(
  { store, clock, log }: Foundation,
  { monitoringKey, queueAlert }: { monitoringKey: MonitoringKey; queueAlert: (alertId: string) => Promise<void> },
): CrossCheck {
  const results = store.keyv(crossCheckKind);

  async function save(resource: string, change: Partial<CrossCheckResult>): Promise<void> {
    const after = await update(store, crossCheckKind, resource, (before) => before && { ...before, ...change });
    for (const alertId of after?.cards ?? []) await queueAlert(alertId);
  }

  async function check(resource: string): Promise<number | undefined> {
    const pending = await results.get(resource);
    const reading = pending ? await monitoringKey() : null;
    if (!pending || !reading) return undefined;
    const isLate = clock.now() > pending.askedAt + giveUpAfter;
    const wait = await takeTurn(store.paces, "background", reading.keyId, reading.client.budget());
    if (wait > 0) {
      if (!isLate) return clock.now() + wait;
      await save(resource, { problem: "the monitoring key had no calls left" });
      return undefined;
    }
    try {
      await save(resource, { ...(await readResource(reading.client, resource)), readAt: clock.now(), problem: null });
      return undefined;
    } catch (error) {
      log.warn({ err: error, thing: resource }, "An event could not be checked at the platform");
      await save(resource, { problem: problemOf(error) });
      return isLate || isPermanentRefusal(error) ? undefined : clock.now() + retryAfter;
    }
  }

  return {
    timers: { [lane]: { run: (id: string) => check(id.slice(lane.length)), atOnce: 2 } },
    async ask(resource, alertIds) {
      if (!(await monitoringKey())) return;
      const unread = { readAt: null, payment: null, services: {}, problem: null };
      await update(store, crossCheckKind, resource, (before) => ({
        ...(before ?? unread),
        cards: [...new Set([...(before?.cards ?? []), ...alertIds])].slice(-20),
        askedAt: clock.now(),
      }));
      await store.wakeups.wake(`${lane}${resource}`, clock.now());
    },
    read: async (resource) => (await results.get(resource)) ?? null,
  };
}

async function readResource(
  client: ResellerClient,
  resource: string,
): Promise<Pick<CrossCheckResult, "payment" | "services">> {
  const [kind, id = ""] = resource.split(":");
  if (kind === "service") return { payment: null, services: { [id]: (await readService(client, id)).status } };
  const order = await readOrder(client, id);
  const states = order.services.flatMap(({ serviceId, status }) => (status ? [[serviceId, status] as const] : []));
  return { payment: order.payment_status ?? null, services: Object.fromEntries(states) };
}

/** True where the platform would refuse the same read again: the resource does not exist, or the key may not see it. */
export function isPermanentRefusal(error: unknown): boolean {
  return error instanceof PlatformRefused && error.status < 500 && error.status !== 429;
}

function problemOf(error: unknown): string {
  if (keyRejected(error)) return "the platform no longer accepts the monitoring key";
  if (error instanceof PlatformRefused && error.status === 404) return "the monitoring key does not see it";
  return "the platform did not answer as it should";
}
