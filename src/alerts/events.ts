import * as z from "#zod";
import type { Aspect, Effect, StoredEffect } from "../operation/effects.ts";
import { EventData, type WebhookEventName, eventNames as webhookEventNames } from "../platform/reseller/events.ts";
import { stillBilled } from "../platform/reseller/states.ts";
import { serviceStage } from "../platform/service-stage.ts";
import { capital, code, count } from "../views/text.ts";

/** The aspect of a resource of which an alert shows the newest event alone: an order, a service, its machine, its renewal, … */
type AlertAspect = "order" | "service" | "machine" | "due" | "document" | "image" | "gone" | "test";

/** The fields of an event's data in which the platform gives a reason, each with its name in words. Reseller spec section 6. */
const reasonNames = [
  ["paymentError", "a payment error"],
  ["provisioningError", "a build error"],
  ["reason", "a reason"],
] as const;
type Reason = (typeof reasonNames)[number][0];

interface EventTraits {
  aspect: AlertAspect;
  /**
   * How far the resource is in its life, compared with the other events of its aspect: a delayed event of a lower rank must not replace a
   * newer state. Suspending and unsuspending alternate, so both have the same rank.
   */
  rank: number;
  /** The aspect of the platform's resource, as effects name it, and the state that it is in. */
  is?: readonly [aspect: Aspect, state: string];
  /** How an act that leads to it is about its resource, where another event reports the same state. */
  on?: Effect["on"];
  /** The states in which a read confirms it, if they are others than the state of `is`. */
  confirmedBy?: readonly string[];
  /** Why no read confirms it, although it is the supplier's. */
  unconfirmed?: string;
  /** The alert needs a notification of its own: a failure, a suspension, an end, or something that needs action. */
  loud?: true;
  /** A failure of a member's own action, which the requester did not intend. */
  failure?: true;
  /** It begins no alert of its own, and updates those that are there. */
  joins?: true;
  /** A sum that is still to be paid, or a date by which something must be paid or renewed. */
  owed?: "sum" | "date";
  /** The other aspects of its resource that it ends: a terminated service has no machine to start. */
  ends?: readonly AlertAspect[];
  /** Its sentence, with places for the name of its resource and for the events of which one had to arrive. */
  says: string;
  /** The field of its data that is the reason of this sentence, if not `reason`: an event may carry the error of an earlier step, too. */
  why?: Reason;
  /** A consequence for the partner that the name of the state does not say, as a sentence, where the service is resold. */
  resold?: string;
  /** The same of one and of several resources, after their number. */
  counted: readonly [one: string, many: string];
}

/** A row of the supplier's events: it names the state that a read can confirm, or says why none is worth its call. */
type WebhookTraits = EventTraits & ({ is: NonNullable<EventTraits["is"]> } | { unconfirmed: string });

const red = ":rotating_light:";
const green = ":white_check_mark:";

/** The events of invoices and of proformas, which differ by that word alone. */
function documentEvents(word: "invoice" | "proforma") {
  const name = `${capital(word)} {name}`;
  return {
    new: {
      aspect: "document",
      is: ["payment", "new"],
      owed: "sum",
      rank: 0,
      counted: [`${word} waits to be paid`, `${word}s wait to be paid`],
      says: `:page_facing_up: ${name} waits to be paid`,
    },
    due_soon: {
      aspect: "document",
      is: ["payment", "due_soon"],
      owed: "date",
      rank: 0,
      loud: true,
      counted: [`${word} falls due`, `${word}s fall due`],
      says: `:calendar: ${name} falls due`,
    },
    overdue: {
      aspect: "document",
      is: ["payment", "overdue"],
      owed: "date",
      rank: 0,
      loud: true,
      counted: [`${word} is overdue`, `${word}s are overdue`],
      says: `${red} ${name} is overdue since`,
    },
    postponed: {
      aspect: "document",
      is: ["payment", "new"],
      owed: "date",
      rank: 0,
      joins: true,
      counted: [`${word} was postponed`, `${word}s were postponed`],
      says: `:calendar: ${name} was postponed: it falls due`,
    },
    paid: {
      aspect: "document",
      is: ["payment", "paid"],
      rank: 1,
      counted: [`${word} is paid`, `${word}s are paid`],
      says: `:moneybag: ${name} is paid`,
    },
    cancelled: {
      aspect: "document",
      is: ["payment", "cancelled"],
      rank: 1,
      counted: [`${word} was cancelled`, `${word}s were cancelled`],
      says: `:wastebasket: ${name} was cancelled`,
    },
  } as const satisfies Record<string, EventTraits>;
}
const invoice = documentEvents("invoice");
const proforma = documentEvents("proforma");

/**
 * The events in the order in which they are listed: those of the supplier's webhooks, then those that Rackbell detects itself. The customer
 * API sends no webhooks, so polling finds them; `event.missing` reports a webhook that did not arrive.
 */
const events = {
  "order.paid": {
    aspect: "order",
    is: ["payment", "paid"],
    rank: 1,
    counted: ["order is paid", "orders are paid"],
    says: ":moneybag: Order {name} is paid",
  },
  "order.invoiced": {
    aspect: "order",
    is: ["payment", "invoiced"],
    confirmedBy: ["pending", "processing"],
    owed: "sum",
    rank: 0,
    counted: ["order was invoiced", "orders were invoiced"],
    says: ":page_facing_up: Order {name} was invoiced instead of charged",
  },
  "order.payment_failed": {
    aspect: "order",
    is: ["payment", "failed"],
    rank: 0,
    loud: true,
    counted: ["charge failed", "charges failed"],
    says: `${red} The charge for order {name} failed`,
    why: "paymentError",
  },
  "service.provisioned": {
    aspect: "service",
    is: ["billing", "active"],
    on: "made",
    unconfirmed: "it asks nobody to act",
    rank: 1,
    counted: ["service is ready", "services are ready"],
    says: `${green} {name} is ready`,
  },
  "service.provisioning_failed": {
    aspect: "service",
    is: ["billing", "provisioning_failed"],
    confirmedBy: ["provisioning_failed", "failed"],
    rank: 0,
    loud: true,
    failure: true,
    counted: ["service could not be built", "services could not be built"],
    says: `${red} {name} could not be built`,
    why: "provisioningError",
  },
  "service.suspended": {
    aspect: "service",
    is: ["billing", "suspended"],
    rank: 2,
    loud: true,
    counted: ["service is suspended", "services are suspended"],
    says: ":no_entry: {name} is suspended",
    resold: stillBilled,
  },
  "service.unsuspended": {
    aspect: "service",
    is: ["billing", "active"],
    on: "target",
    rank: 2,
    counted: ["service is no longer suspended", "services are no longer suspended"],
    says: `${green} {name} is no longer suspended`,
  },
  "service.terminated": {
    aspect: "service",
    is: ["billing", "terminated"],
    rank: 3,
    loud: true,
    ends: ["machine", "due"],
    counted: ["service was terminated", "services were terminated"],
    says: ":wastebasket: {name} was terminated",
  },
  "service.withheld": {
    aspect: "service",
    is: ["billing", "fraud"],
    rank: 2,
    loud: true,
    counted: ["service is withheld", "services are withheld"],
    says: ":no_entry: The platform withholds {name}",
  },
  "service.released": {
    aspect: "service",
    is: ["billing", "active"],
    on: "target",
    rank: 2,
    counted: ["service is no longer withheld", "services are no longer withheld"],
    says: `${green} The platform no longer withholds {name}`,
  },
  "service.cancelled": {
    aspect: "service",
    is: ["billing", "cancelled"],
    rank: 3,
    loud: true,
    ends: ["machine", "due"],
    counted: ["service was cancelled", "services were cancelled"],
    says: ":wastebasket: {name} was cancelled",
  },
  "webhook.test": {
    aspect: "test",
    unconfirmed: "it reports no state",
    rank: 0,
    counted: ["test event", "test events"],
    says: ":bell: A test event",
  },
  "order.completed": {
    aspect: "order",
    is: ["building", "completed"],
    rank: 2,
    counted: ["order is ready", "orders are ready"],
    says: `${green} All of order {name} is ready`,
  },
  "order.failed": {
    aspect: "order",
    is: ["building", "failed"],
    rank: 2,
    loud: true,
    failure: true,
    counted: ["order could not be built", "orders could not be built"],
    says: `${red} {name} could not be built`,
    why: "provisioningError",
  },
  "service.due_soon": {
    aspect: "due",
    owed: "date",
    rank: 0,
    counted: ["renewal falls due", "renewals fall due"],
    says: ":calendar: The renewal of {name} falls due",
  },
  "service.overdue": {
    aspect: "due",
    owed: "date",
    rank: 0,
    loud: true,
    counted: ["renewal is overdue", "renewals are overdue"],
    says: `${red} The renewal of {name} is overdue since`,
  },
  "service.renewed": {
    aspect: "due",
    rank: 0,
    joins: true,
    counted: ["service is renewed", "services are renewed"],
    says: `${green} {name} is renewed until`,
  },
  "service.ending": {
    aspect: "due",
    rank: 0,
    joins: true,
    counted: ["service is not renewed", "services are not renewed"],
    says: ":calendar: {name} is not renewed and ends",
  },
  "machine.running": {
    aspect: "machine",
    is: ["power", "running"],
    rank: 1,
    counted: ["machine runs", "machines run"],
    says: ":large_green_circle: The machine of {name} runs",
  },
  "machine.stopped": {
    aspect: "machine",
    is: ["power", "stopped"],
    rank: 1,
    loud: true,
    counted: ["machine is down", "machines are down"],
    says: ":red_circle: The machine of {name} has stopped",
  },
  "machine.paused": {
    aspect: "machine",
    is: ["power", "paused"],
    rank: 1,
    loud: true,
    counted: ["machine is paused", "machines are paused"],
    says: ":double_vertical_bar: The machine of {name} is paused",
  },
  "machine.error": {
    aspect: "machine",
    is: ["power", "error"],
    rank: 1,
    loud: true,
    counted: ["machine is in error", "machines are in error"],
    says: `${red} The machine of {name} is in error`,
  },
  "machine.orphaned": {
    aspect: "machine",
    is: ["power", "orphaned"],
    rank: 1,
    loud: true,
    counted: ["machine has lost its host", "machines have lost their host"],
    says: `${red} The machine of {name} has lost its host`,
  },
  "invoice.new": invoice.new,
  "invoice.due_soon": invoice.due_soon,
  "invoice.overdue": invoice.overdue,
  "invoice.postponed": invoice.postponed,
  "invoice.paid": invoice.paid,
  "invoice.cancelled": invoice.cancelled,
  "proforma.new": proforma.new,
  "proforma.due_soon": proforma.due_soon,
  "proforma.overdue": proforma.overdue,
  "proforma.postponed": proforma.postponed,
  "proforma.paid": proforma.paid,
  "proforma.cancelled": proforma.cancelled,
  "image.ready": {
    aspect: "image",
    is: ["image", "available"],
    rank: 1,
    counted: ["image is ready", "images are ready"],
    says: `${green} The image {name} is ready to be used`,
  },
  "image.failed": {
    aspect: "image",
    is: ["image", "error"],
    rank: 1,
    loud: true,
    failure: true,
    counted: ["image could not be made", "images could not be made"],
    says: `${red} The image {name} could not be made`,
  },
  "resource.gone": {
    aspect: "gone",
    rank: 0,
    joins: true,
    ends: ["service", "machine", "due", "document", "image"],
    counted: ["resource is gone", "resources are gone"],
    says: ":wastebasket: The platform no longer shows {name}",
  },
  // Its aspect is that of the event that did not arrive.
  "event.missing": {
    aspect: "order",
    rank: 0,
    loud: true,
    failure: true,
    counted: ["webhook is missing", "webhooks are missing"],
    says: ":warning: No webhook about {name} has arrived yet. Expected: {expected}. Check its present state",
  },
} satisfies Record<WebhookEventName, WebhookTraits> & Record<string, EventTraits>;

export type EventName = keyof typeof events;
/** Every event that a channel can subscribe to by name. An unknown event that the supplier adds later is alerted under its own name. */
export const alertEventNames = Object.keys(events);
const known = new Map<string, EventTraits>(Object.entries(events));

const buildFailed = "service.provisioning_failed" satisfies EventName;

/** The words of an event about the resource `name`, which is mrkdwn; undefined for an event that is not in the list. */
export function eventWords(event: string, places: { name: string; expected: string }): string | undefined {
  return known.get(event)?.says.replace(/\{(name|expected)\}/g, (_, place: keyof typeof places) => places[place]);
}

/** True for an event of the list above. */
export function isKnown(event: string): boolean {
  return known.has(event);
}

/** The reason of an event's sentence, and the others that it carries: an order that failed to build may carry the charge's error, too. */
export function reasonsOf({ event, data }: Pick<LoggedEvent, "event" | "data">): {
  own: string | null | undefined;
  others: [name: string, reason: string][];
} {
  const why = known.get(event)?.why ?? "reason";
  const others = reasonNames.flatMap(([field, name]): [string, string][] => {
    const reason = field === why ? null : data[field];
    return reason ? [[name, reason]] : [];
  });
  return { own: data[why], others };
}

/** True for an event about a service that the partner resells: the own account's events are found by polling alone. */
export function isAboutResold({ source }: Pick<LoggedEvent, "source">): boolean {
  return source !== "polling";
}

/** The sentence about its consequence for the partner; null where there is none, or the service is one of the own account. */
export function consequenceOf(event: LoggedEvent): string | null {
  return (isAboutResold(event) && known.get(event.event)?.resold) || null;
}

/** "7 machines in Frankfurt are down": the words of so many events of one kind. `where`: words behind the noun, such as " in Frankfurt". */
export function eventsWords(event: string, amount: number, where = ""): string {
  const words = known.get(event)?.counted ?? [`event ${code(event)}`, `events ${code(event)}`];
  const [one, many] = words.map((counted) => counted.replace(" ", () => `${where} `));
  return count(amount, one ?? "", many);
}

/**
 * How Rackbell knows of an event. `webhook`: the supplier posted it. `polling`: by reading the own account.
 * `missed`: by polling resold services, without a webhook. `confirmed`: by a webhook that seemed late, and by a read that says the same.
 * `awaited`: a webhook did not arrive in its time.
 */
export const EventSource = z.enum(["webhook", "polling", "missed", "confirmed", "awaited"]);
export type EventSource = z.infer<typeof EventSource>;

const text = z.string().nullish().catch(null);

/** The data of an event: the fields of the supplier's webhooks, and those that only a read gives. */
export const EventFacts = EventData.extend({
  /** The name of a service or an image. */
  name: text,
  /** The service type: "vps", "dedicated", "game". */
  kind: text,
  documentId: text,
  documentNumber: text,
  /** The amount that is left to pay of a document's total. */
  remaining: text,
  /** The date by which it must be paid or renewed. */
  dueAt: text,
  imageId: text,
  /** For `event.missing`: the events of which one had to arrive. */
  expected: z.array(z.string()).nullish().catch(null),
  /** The channel in which the request's own message says the same, so that it gets no alert. */
  saidIn: text,
});
export type EventFacts = z.infer<typeof EventFacts>;

/** Why an event with the right signature is stored and begins no alert. */
export const SetAsideReason = z.enum(["too old", "ahead of our clock"]);
export type SetAsideReason = z.infer<typeof SetAsideReason>;

/** An event of the log; `at` is when it arrived, in milliseconds since the epoch. */
export interface LoggedEvent {
  id: string;
  at: number;
  event: string;
  timestamp: string;
  data: EventFacts;
  aside: SetAsideReason | null;
  source: EventSource;
  /** Slack user id of the member who caused it through Rackbell, if known when it was detected. */
  askedBy: string | null;
  /** Id of the request that caused it, if known when it was detected. */
  request: string | null;
  /** It was derived from the outcome of that request, not from a read of the platform. */
  acted: boolean;
}

/**
 * The aspect that an event updates in an alert, and the resource. An unknown event has an aspect of its own: it must neither hide a known
 * state nor be hidden by one.
 */
export function aspectOf({ event: name, data }: Pick<LoggedEvent, "event" | "data">): string {
  const event = isMissingEvent(name) ? (data.expected?.[0] ?? name) : name;
  const aspect = known.get(event)?.aspect ?? event;
  return aspect === "order" ? aspect : aspectWith(aspect, data);
}

function aspectWith(aspect: string, data: EventFacts): string {
  return `${aspect}:${data.documentId ?? data.imageId ?? serviceIn(data) ?? ""}`;
}

/** The id of the order, service, document or image whose aspect the event updates; that of the order where it lists several services. */
export function aspectResource(event: Pick<LoggedEvent, "event" | "data">): string | null | undefined {
  const { documentId, imageId, orderId, externalOrderId } = event.data;
  const service = aspectOf(event) === "order" ? null : serviceIn(event.data);
  return documentId ?? imageId ?? service ?? orderId ?? externalOrderId;
}

/** The platform id of the resource that an event is about. */
export function eventResource({ event, data }: Pick<LoggedEvent, "event" | "data">): string | null | undefined {
  return data.documentId ?? data.imageId ?? (isOfOrder(event) ? data.orderId : serviceIn(data));
}

/** The aspect among those of all resources: that of an order does not name it. */
export function aspectUnder(event: LoggedEvent): string {
  return `${aspectOf(event)} ${aspectResource(event)}`;
}

/** The service that an event is about: the failure of a build may list it without naming it. */
export function serviceIn(data: EventFacts): string | null | undefined {
  const [service, other] = data.serviceId ? [] : failedServices(data);
  return data.serviceId ?? (other ? null : service?.serviceId);
}

/**
 * The services that a failure to build is about: those that it lists as failed. If none has that state, all that are not past it: hardware
 * stays pending after a failed build (customer spec section 2.3).
 */
export function failedServices({ services }: Pick<EventFacts, "services">) {
  const stageOf = ({ status }: { status?: string | null | undefined }) => serviceStage(status) ?? "starting";
  const open = (services ?? []).filter((service) => ["starting", "failed"].includes(stageOf(service)));
  const failed = open.filter((service) => stageOf(service) === "failed");
  return failed.length > 0 ? failed : open;
}

/** True for the event that reports a webhook which did not arrive. */
export function isMissingEvent(event: string): boolean {
  return event === ("event.missing" satisfies EventName);
}

/**
 * True where channels get an alert of it. A member's own successful action needs none: its requester already sees it. Nor does a test of
 * the webhook.
 */
export function isWorthAlerting({ event, askedBy }: Pick<LoggedEvent, "event" | "askedBy">): boolean {
  return !isTest({ event }) && (askedBy === null || known.get(event)?.failure === true);
}

/** True for an event that reports nothing: a test of the webhook. */
export function isTest({ event }: Pick<LoggedEvent, "event">): boolean {
  return known.get(event)?.aspect === "test";
}

/** The aspect and the state of the platform's resource that an event reports; null for one that reports none. */
export function reportedState(event: string): { aspect: Aspect; state: string } | null {
  const is = known.get(event)?.is;
  return is ? { aspect: is[0], state: is[1] } : null;
}

/** The states in which a read of the platform confirms the supplier's event; null for an event that no read confirms. */
export function confirmingStates(event: string): readonly string[] | null {
  const { is, confirmedBy, unconfirmed } = known.get(event) ?? {};
  if (!is || unconfirmed !== undefined || !webhookEventNames.some((name) => name === event)) return null;
  return confirmedBy ?? [is[1]];
}

/** The facts of an event that go for the next one about the same resource: all but its state and the reasons. */
export function lastingFacts({ data }: Pick<LoggedEvent, "data">): EventFacts {
  const { paymentError: _, provisioningError: __, reason: ___, stage: ____, status: _____, ...facts } = data;
  return facts;
}

/** The event of the same family ("invoice.…") that reports this state of an act's target; null if there is none. */
export function eventReporting(family: string, aspect: string, state: string): EventName | null {
  const name = Object.keys(events).find(
    (one) => one.split(".")[0] === family && reports(one, { aspect, on: "target" }, state),
  );
  return isEventName(name) ? name : null;
}

/** The supplier's events that report one of these states of what the effect is on. */
export function webhookEventsAbout(
  effect: Pick<StoredEffect, "aspect" | "on">,
  states: readonly string[],
): WebhookEventName[] {
  return webhookEventNames.filter((event) => states.some((state) => reports(event, effect, state)));
}

function reports(event: string, effect: Pick<StoredEffect, "aspect" | "on">, state: string): boolean {
  const { is, on = effect.on } = known.get(event) ?? {};
  return is?.[0] === effect.aspect && is[1] === state && on === effect.on;
}

function isEventName(name: string | undefined): name is EventName {
  return name !== undefined && Object.hasOwn(events, name);
}

/** True for an event about a date by which something must be paid or renewed. */
export function isDue(event: string): boolean {
  return known.get(event)?.owed === "date";
}

/** True for an event after which something is still to be paid or renewed. */
export function isOutstanding(event: string): boolean {
  return known.get(event)?.owed !== undefined;
}

/** True for an event about an order. One that is in no row yet is known by its name alone. */
export function isOfOrder(event: string): boolean {
  return event.startsWith("order.");
}

/** True for an event about the renewal of a service. */
export function isRenewal(event: string): boolean {
  return known.get(event)?.aspect === "due";
}

/** True for an event that only updates the alerts which show its resource. */
export function onlyJoins(event: string): boolean {
  return known.get(event)?.joins === true;
}

/**
 * For each aspect (`aspectOf`) the event with its present state, in order of first appearance. Delayed events do not win, and an aspect that
 * another event has ended is left out.
 */
export function latestByAspect(events: LoggedEvent[]): LoggedEvent[] {
  const latest = new Map<string, LoggedEvent>();
  for (const event of events) {
    // A resource that the platform shows again is not gone: its later events count.
    if (aspectOf(event) !== "order") latest.delete(aspectWith("gone", event.data));
    if (isGone(event)) for (const aspect of aspectsEnded(event)) latest.delete(aspect);
    const before = latest.get(aspectOf(event));
    // Any event ends the report that an event is missing, whatever its rank.
    const isOver = before && (isMissingEvent(before.event) || isMissingEvent(event.event));
    if (!before || isOver || !outranks(before, event)) latest.set(aspectOf(event), event);
  }
  const ended = new Set([...latest.values()].filter(isServiceEnd).flatMap(aspectsEnded));
  const open = [...latest].filter(([aspect, event]) => !ended.has(aspect) && !isBuiltSince(event, latest, events));
  return open.map(([, event]) => event);
}

/** True for a webhook about a problem that is over: one of the events before it outranks it. What was read is never late. */
export function seemsLate(event: LoggedEvent, before: readonly LoggedEvent[]): boolean {
  if (event.source !== "webhook" || !isLoud(event)) return false;
  return !latestByAspect([...before, event]).includes(event);
}

/** True for the failure of an order where all services that it lists are past it: their own events have other aspects. */
function isBuiltSince(
  failure: LoggedEvent,
  latest: ReadonlyMap<string, LoggedEvent>,
  events: readonly LoggedEvent[],
): boolean {
  if (!isOrderFailure(failure)) return false;
  const ids = listedServices(failure);
  const ofService = { ...failure, event: buildFailed };
  const isPast = (event: LoggedEvent | undefined) => event !== undefined && outranks(event, ofService);
  if (ids.length > 0) return ids.every((id) => latest.has(`gone:${id}`) || isPast(latest.get(`service:${id}`)));
  return events.some((event) => isFailureOf(failure, event) && isPast(event));
}

/** True for a failure to build that is about no single service's aspect. */
function isOrderFailure({ event, data }: LoggedEvent): boolean {
  return isBuildFailure({ event }) && (event !== buildFailed || !serviceIn(data));
}

function isReady({ event }: LoggedEvent): boolean {
  return event === ("service.provisioned" satisfies EventName);
}

function listedServices({ data }: LoggedEvent): string[] {
  return failedServices(data).flatMap(({ serviceId }) => serviceId ?? []);
}

/** True for a failure to build: of a service, or of an order that may list those of its services which failed. */
export function isBuildFailure({ event }: Pick<LoggedEvent, "event">): boolean {
  return known.get(event)?.why === ("provisioningError" satisfies Reason);
}

/** The present events as `latestByAspect`, to be shown: a failure to build is left with those of its services that are not past it. */
export function presentEvents(events: LoggedEvent[]): LoggedEvent[] {
  const latest = latestByAspect(events);
  return latest.map((event) => (isOrderFailure(event) ? withoutBuilt(event, latest) : event));
}

function withoutBuilt(failure: LoggedEvent, latest: readonly LoggedEvent[]): LoggedEvent {
  const ofService = { ...failure, event: buildFailed };
  const isPast = (id: string) =>
    latest.some((one) => isAbout(one, "gone", id) || (isAbout(one, "service", id) && outranks(one, ofService)));
  const services = failedServices(failure.data).filter(({ serviceId }) => !serviceId || !isPast(serviceId));
  return { ...failure, data: { ...failure.data, services } };
}

function isAbout(event: LoggedEvent, aspect: AlertAspect, id: string): boolean {
  return aspectOf(event) === `${aspect}:${id}`;
}

/** The ids beside `aspectResource` under which the log has a failed order and how its services go on. */
export function otherResources(event: LoggedEvent): (string | null | undefined)[] {
  const { orderId, externalOrderId } = event.data;
  // The failure of an order that lists no services is found by the order alone.
  if (isReady(event)) return [orderId, externalOrderId];
  return isOrderFailure(event) ? listedServices(event) : [];
}

/** True where the event shows how a service of a failed order goes on. */
function isFailureOf(failure: LoggedEvent, event: LoggedEvent): boolean {
  const { data } = event;
  const id = serviceIn(data);
  if (!isOrderFailure(failure) || !id) return false;
  const ids = listedServices(failure);
  if (ids.length > 0) return ids.includes(id);
  const { orderId, externalOrderId } = failure.data;
  const isSameOrder = orderId ? orderId === data.orderId : externalOrderId && externalOrderId === data.externalOrderId;
  return isReady(event) && Boolean(isSameOrder);
}

/** A failure that lists the service of `event`, as a failure of that service alone; any other event as it is. */
export function forServiceOf(event: LoggedEvent, earlier: LoggedEvent): LoggedEvent {
  const id = serviceIn(event.data);
  return id && isFailureOf(earlier, event) ? asFailureOf(earlier, id) : earlier;
}

/** The same, for the service of this id. */
export function forService(id: string, earlier: LoggedEvent): LoggedEvent {
  const isAbout = listedServices(earlier).includes(id) && (isOrderFailure(earlier) || earlier.event === buildFailed);
  return isAbout ? asFailureOf(earlier, id) : earlier;
}

function asFailureOf(failure: LoggedEvent, id: string): LoggedEvent {
  const { data } = failure;
  const hostname = data.services?.find(({ serviceId }) => serviceId === id)?.hostname ?? data.hostname;
  return { ...failure, event: buildFailed, data: { ...data, serviceId: id, hostname, services: null } };
}

/** The other aspects, as `aspectOf` names them, that this event ends. */
export function aspectsEnded({ event, data }: Pick<LoggedEvent, "event" | "data">): string[] {
  return (known.get(event)?.ends ?? []).map((aspect) => aspectWith(aspect, data));
}

/** Milliseconds. The supplier sends a failed delivery again after an hour at most, and newer events go out meanwhile. */
const disorderedMs = 60 * 60_000;

/**
 * True where an event of the same rank came shortly before or after: the supplier promises no order, and its events name no time of
 * their own, so that the last one to come may be the older.
 */
export function mayBeOlder(event: LoggedEvent, events: readonly LoggedEvent[]): boolean {
  const isPosted = event.source === "webhook" && event.askedBy === null;
  const rivals = events.filter(
    (one) => one.source === "webhook" && one.event !== event.event && aspectOf(one) === aspectOf(event),
  );
  return isPosted && rivals.some((one) => rankOf(one) === rankOf(event) && Math.abs(one.at - event.at) < disorderedMs);
}

/**
 * Milliseconds. By then five tries of a webhook are over. The supplier may go on for fifteen hours (reseller spec section 6), and no alert
 * can wait so long.
 */
export const comesWithinMs = 16 * 60_000;

/** The supplier sends a failed delivery again for about fifteen hours (reseller spec section 6). */
const lateAtMostMs = 24 * 60 * 60_000;

/**
 * True where `other` is the newer state, in whatever order they came. Only a webhook comes late: what was read after `other` is newer, but
 * for an order, which is paid once. A failure that comes more than a day later is new: a reinstallation may fail.
 */
function outranks(other: LoggedEvent, event: LoggedEvent): boolean {
  const isRead = event.source !== "webhook" && !isOfOrder(event.event) && event.id >= other.id;
  const isNew = isRead || (isLoud(event) && event.at - other.at >= lateAtMostMs);
  return rankOf(other) > rankOf(event) && !isNew;
}

function rankOf({ event }: LoggedEvent): number {
  return known.get(event)?.rank ?? 0;
}

/** True where the alert needs a notification of its own. */
export function isLoud({ event }: LoggedEvent): boolean {
  return known.get(event)?.loud === true;
}

/** True for a loud event that stays a problem until somebody acts. The end of a service does not, nor a machine that a member stopped. */
export function isUrgent(event: LoggedEvent): boolean {
  return isLoud(event) && isWorthAlerting(event) && !isServiceEnd(event);
}

/** True for a service that has ended for good. The spec does not say who cancels a service, so either event is its end. */
export function isServiceEnd({ event }: Pick<LoggedEvent, "event">): boolean {
  const { aspect, ends } = known.get(event) ?? {};
  return aspect === "service" && ends !== undefined;
}

/** True where the platform no longer shows the resource: it was deleted, or the monitoring key may see it no more. */
export function isGone({ event }: Pick<LoggedEvent, "event">): boolean {
  return known.get(event)?.aspect === "gone";
}

/** True for an event that a later one of its aspect must correct in each alert that shows it: a failure, an end, or a date or a sum to pay. */
export function isUnsettled(logged: LoggedEvent): boolean {
  return isLoud(logged) || isOutstanding(logged.event);
}
