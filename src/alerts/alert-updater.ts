import { type AlertsApp, type CausingRequest, doneTimer } from "./app.ts";
import { type DetectedEvent, newestEvents, storeDetected } from "./event-log.ts";
import { type EventName, type LoggedEvent, latestOf } from "./events.ts";

/** How many of the newest events about the resource are searched for an alert to update. */
const eventsSearched = 20;

/** One aspect of a resource, as polling stores it, and the state in which a member's action left it. */
export interface ObservedState {
  resource: string;
  aspect: string;
  state: string;
}

/** An action that ends the state which an alert reports. */
interface EndingAction {
  /** The events whose state the action ends. */
  endedEvents: RegExp;
  /** Matches the request's command alone: the text of its button ("Buy add-on") says nothing about a machine. */
  by: RegExp;
  event: EventName;
  /** The field of the event whose id must be the request's target. */
  about: "serviceId" | "documentId" | "orderId";
  seen: (id: string) => ObservedState[];
}

const machine = (state: string) => (id: string) => [{ resource: `service:${id}`, aspect: "machine", state }];
const billing = (state: string) => (id: string) =>
  ["billing", "sold"].map((aspect) => ({ resource: `service:${id}`, aspect, state }));
const paid = (id: string) => [{ resource: `document:${id}`, aspect: "money", state: "paid" }];

const rules: EndingAction[] = [
  {
    endedEvents: /^machine\.(?!running)/,
    by: / (start|on|reboot|restart|reinstall)$/,
    event: "machine.running",
    about: "serviceId",
    seen: machine("running"),
  },
  {
    endedEvents: /^machine\.running$/,
    by: / (stop|shutdown|off)$/,
    event: "machine.stopped",
    about: "serviceId",
    seen: machine("stopped"),
  },
  {
    endedEvents: /^service\.suspended$/,
    by: / unsuspend$/,
    event: "service.unsuspended",
    about: "serviceId",
    seen: billing("active"),
  },
  {
    endedEvents: /^service\.(unsuspended|provisioned)$/,
    by: / suspend$/,
    event: "service.suspended",
    about: "serviceId",
    seen: billing("suspended"),
  },
  {
    endedEvents: /^invoice\.(?!paid|cancelled)/,
    by: /^billing pay$/,
    event: "invoice.paid",
    about: "documentId",
    seen: paid,
  },
  {
    endedEvents: /^proforma\.(?!paid|cancelled)/,
    by: /^billing pay$/,
    event: "proforma.paid",
    about: "documentId",
    seen: paid,
  },
  {
    endedEvents: /^order\.(payment_failed|invoiced)$/,
    by: / order retry$/,
    event: "order.paid",
    about: "orderId",
    seen: (id) => [{ resource: `sold-order:${id}`, aspect: "money", state: "paid" }],
  },
];

/**
 * Updates the alerts of a resource as soon as a member's action on it has ended, and polls the jobs that waited for that action.
 * The next poll or the supplier's event may come minutes later. Until then the alert would call for something that is done.
 */
export async function updateAlerts(
  app: Pick<AlertsApp, "store" | "clock" | "causes" | "wakeFeed">,
  /** Stores the new state for polling: otherwise polling would still compare with the old one, and miss a return to it. */
  note: (seen: ObservedState) => Promise<void>,
  timerId: string,
): Promise<void> {
  const { causes } = app;
  const request = await causes.readDone(timerId.slice(doneTimer.length));
  if (!request?.target) return;
  await causes.pollWaiting(request);
  const applying = rules.filter(({ by }) => by.test(request.command));
  if (applying.length === 0 || request.endUnknown || isPartial(request)) return;
  const found = await newestEvents(app, { about: request.target.id, limit: eventsSearched });
  for (const event of latestOf(found.filter(({ aside }) => aside === null).toReversed())) {
    const rule = applying.find(({ endedEvents }) => endedEvents.test(event.event));
    if (!rule || event.data[rule.about] !== request.target.id) continue;
    for (const seen of rule.seen(request.target.id)) await note(seen);
    await storeDetected(app, derivedEvent(request, event, rule.event));
  }
}

/** True where the action offers itself as its next step: a part of the amount was paid, so the alert still applies. */
function isPartial({ command, target, next }: CausingRequest): boolean {
  return next.some((step) => step.command === command && step.target === target?.id);
}

function derivedEvent(
  { id, slackUser }: CausingRequest,
  { data, source, id: before }: LoggedEvent,
  event: EventName,
): DetectedEvent {
  const { paymentError: _, provisioningError: __, reason: ___, ...facts } = data;
  return {
    event,
    data: facts,
    askedBy: slackUser,
    request: id,
    acted: true,
    // Never "told": only the supplier's own event proves that their deliveries arrive.
    source: source === "found" ? "found" : "missed",
    unique: `acted ${id} ${before}`,
  };
}
