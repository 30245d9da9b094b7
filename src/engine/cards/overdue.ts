import type { WakeupRun } from "../../storage/store.ts";
import type { Hearing } from "../requests/hearing.ts";
import type { Request } from "../requests/request.ts";
import { expectWake } from "../requests/store.ts";
import { type EventLog, type FoundEvent, saleOf } from "./event-log.ts";
import type { EventFacts } from "./events.ts";

/** Says that an event which must come of a request has not come in its time, in its thread and where such events are told; where the supplier never told anything here, none is missed. */
export function createOverdue({
  hearing,
  events,
  tell,
}: {
  hearing: Hearing;
  events: Pick<EventLog, "newest">;
  tell: (found: FoundEvent) => Promise<unknown>;
}): WakeupRun {
  async function isMissed({ expects }: Request): Promise<boolean> {
    return Boolean(expects?.awaited) || (await events.newest({ source: "told", limit: 1 })).length > 0;
  }

  async function missing(request: Request): Promise<FoundEvent> {
    const about = idsOf(request);
    const sale = await saleOf(events, about.serviceId ?? about.orderId ?? request.id);
    const known = Object.fromEntries(Object.entries(sale).filter(([, value]) => value));
    return {
      event: "event.missing",
      source: "awaited",
      askedBy: request.slackUser,
      unique: `missing ${request.id}`,
      data: {
        ...{ ...about, name: request.target?.name ?? null, externalCustomerId: request.customer, ...known },
        ...{ expected: request.expects?.first ?? [], saidIn: request.channel },
      },
    };
  }

  return async (wakeId) => {
    const id = wakeId.slice(expectWake.length);
    const request = await hearing.unheard(id);
    if (request && (await isMissed(request))) {
      // What somebody waits for before the message is told by it alone. Kept before it is noted: a crash in between keeps it once more, which changes nothing.
      if (!request.expects?.awaited) await tell(await missing(request));
      await hearing.overdue(id);
    }
    return hearing.close(id);
  };
}

/** What the missing event would be about. */
function idsOf({ id, target, order, expects }: Request): Partial<EventFacts> {
  const ofOrder = expects?.first.some((event) => event.startsWith("order."));
  if (!ofOrder) return { serviceId: target?.id ?? null };
  return { orderId: target?.id ?? order, externalOrderId: target ? null : id };
}
