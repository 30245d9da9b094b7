import type { TimerHandler } from "../storage/store.ts";
import { type Causes, type CausingRequest, expectedEventTimer } from "./causes.ts";
import { type DetectedEvent, type EventLog, orderAndCustomerOf } from "./event-log.ts";
import type { EventFacts } from "./events.ts";

/**
 * Returns the timer's run that reports a webhook which had to follow a request and did not arrive in time.
 * It updates the request's own message, and raises `event.missing`. A workspace that never got a webhook misses none.
 */
export function createMissingEventCheck({
  hearing,
  events,
  raise,
}: {
  hearing: Causes;
  events: Pick<EventLog, "newest">;
  raise: (found: DetectedEvent) => Promise<unknown>;
}): TimerHandler {
  async function isMissed({ expects }: CausingRequest): Promise<boolean> {
    return Boolean(expects?.awaited) || (await events.newest({ source: "told", limit: 1 })).length > 0;
  }

  async function missing(request: CausingRequest): Promise<DetectedEvent> {
    const about = idsOf(request);
    const orderFacts = await orderAndCustomerOf(events, about.serviceId ?? about.orderId ?? request.id);
    const known = Object.fromEntries(Object.entries(orderFacts).filter(([, value]) => value));
    return {
      event: "event.missing",
      source: "awaited",
      askedBy: request.slackUser,
      request: request.id,
      unique: `missing ${request.id}`,
      data: {
        ...{ ...about, name: request.target?.name ?? null, externalCustomerId: request.customer, ...known },
        ...{ expected: [...(request.expects?.first ?? [])], saidIn: request.channel },
      },
    };
  }

  return async (wakeId) => {
    const id = wakeId.slice(expectedEventTimer.length);
    const request = await hearing.unheard(id);
    if (request && (await isMissed(request))) {
      // If a member waits in front of the message, the message alone says so.
      // Store the event before marking the request: after a crash in between it is stored again, which changes nothing.
      if (!request.expects?.awaited) await raise(await missing(request));
      await hearing.overdue(id);
    }
    return hearing.close(id);
  };
}

/** The ids that the missing event would have named. */
function idsOf({ id, target, order, expects }: CausingRequest): Partial<EventFacts> {
  const ofOrder = expects?.first.some((event) => event.startsWith("order."));
  if (!ofOrder) return { serviceId: target?.id ?? null };
  return { orderId: target?.id ?? order, externalOrderId: target ? null : id };
}
