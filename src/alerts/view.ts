import type { Step } from "../operation/answer.ts";
import { type MadeStep, mentionWords, reachNotes } from "../policy/responsibility/steps.ts";
import { type Block, context, type Message, paragraphs, section, textMessage } from "../views/blocks.ts";
import { moment, money } from "../views/format.ts";
import { code, count, dotted, listing, listingOf, prose, sentence } from "../views/text.ts";
import { stateWords } from "../views/values.ts";
import type { AlertCall } from "./alert.ts";
import {
  aspectOf,
  consequenceOf,
  type EventFacts,
  type EventName,
  type EventSource,
  eventWords,
  failedServices,
  isAboutResold,
  isBuildFailure,
  isDue,
  isGone,
  isKnown,
  isOfOrder,
  isOutstanding,
  isRenewal,
  isUrgent,
  type LoggedEvent,
  mayBeOlder,
  presentEvents,
  reasonsOf,
  reportedState,
  serviceIn,
} from "./events.ts";

/** An event as an alert displays it. `askedBy`: its requester in words, if it was requested through Rackbell. */
export interface DisplayedEvent {
  event: LoggedEvent;
  askedBy: string | null;
  /** The mention that it is posted with, in mrkdwn. */
  mention: string | null;
  call: AlertCall | null;
  /** The number of events since that mention nobody, because its mention was so recent. */
  unmentioned: number;
  /** Until when a mute kept it silent (milliseconds since the epoch); null where none did. */
  mutedUntil: number | null;
  /** The result of the cross-check, in mrkdwn on a line of its own; empty where nothing was read. */
  crossCheck: string;
}

/** The event in one line of mrkdwn, with the facts by which people decide: its address, its customer and its sum. */
export function eventLine(event: LoggedEvent): string {
  return dotted([wholeSentence(event), ...ownFacts(event), customerWords(event), amountWords([event])]);
}

/** The event, its reasons and its consequence in mrkdwn. */
function wholeSentence(event: LoggedEvent): string {
  return sentenceWith(event, consequenceOf(event));
}

/** The event and its reasons in mrkdwn, under a message that says the consequence: an alert, or a request. */
export function eventSentence(event: LoggedEvent): string {
  return sentenceWith(event, null);
}

function sentenceWith(logged: LoggedEvent, consequence: string | null): string {
  const { event, data } = logged;
  const name = nameWords(logged);
  const expected = listing(
    (data.expected ?? []).map((one) => code(one)),
    "or",
  );
  const says = eventWords(event, { name, expected }) ?? `:grey_question: ${code(event)} about ${name}`;
  const when = (isDue(event) || isRenewal(event)) && data.dueAt ? ` ${moment(data.dueAt)}` : "";
  const { own, others } = reasonsOf(logged);
  const stage = data.stage ? ` at the stage ${code(data.stage)}` : "";
  const happened = `${says}${stage}${when}${own ? `: ${prose(own, 300)}` : ""}`;
  return dotted([
    consequence === null ? happened : `${sentence(happened)} ${consequence}`,
    ...others.map(([reason, text]) => `the event names ${reason}: ${prose(text, 300)}`),
  ]);
}

/** The facts of an event's own service, in mrkdwn: its address, and the state that the platform names where the sentence does not say it. */
function ownFacts({ event, data, source }: LoggedEvent): string[] {
  const { serverIp, status } = data;
  const reported = reportedState(event);
  // The state of an order is that of its payment or of its build, so it contradicts no event. Of an unknown event it says more.
  const isSaid =
    isKnown(event) && (reported?.aspect !== "billing" || isBuildFailure({ event }) || reported.state === status);
  return [
    ...(serverIp ? [`address ${code(serverIp)}`] : []),
    ...(status && source === "webhook" && !isSaid ? [`the event names the state ${code(stateWords(status))}`] : []),
  ];
}

/** The name of the event's resource, in mrkdwn. */
function nameWords({ event, data }: LoggedEvent): string {
  const { orderNumber, hostname, name, serviceId } = data;
  if (!isBuildFailure({ event })) return code(resourceName(event, data) ?? "(not named)");
  const own = isOfOrder(event) ? null : (hostname ?? name ?? serviceId);
  const services = own ? code(own) : servicesWords(failedServices(data));
  if (services) return `${services}${orderNumber ? ` of order ${code(orderNumber)}` : ""}`;
  const order = orderName(data);
  return order ? `Order ${code(order)}` : code("(not named)");
}

/** A sentence names so many services. */
const mostServices = 10;

/** The names of services in mrkdwn: two of one name have their ids beside it. Empty where none has a name or an id. */
function servicesWords(services: ReturnType<typeof failedServices>): string {
  const words = services.map(({ hostname, serviceId }) => {
    const isAlone = services.filter((one) => one.hostname === hostname).length === 1;
    const name = code(hostname ?? serviceId ?? "(not named)");
    return hostname && serviceId && !isAlone ? `${name} (${code(serviceId)})` : name;
  });
  return services.some(({ hostname, serviceId }) => hostname ?? serviceId) ? listingOf(words, mostServices) : "";
}

/** The name of the event's resource. */
export function resourceName(event: string, data: EventFacts): string | null | undefined {
  const order = orderName(data);
  if (isOfOrder(event)) return order;
  if (data.documentId) return data.documentNumber ?? data.documentId;
  const [listed, other] = failedServices(data);
  const one = other ? null : (listed?.hostname ?? listed?.serviceId);
  return data.hostname ?? data.name ?? data.serviceId ?? data.imageId ?? one ?? (order ? `order ${order}` : null);
}

/** The name of the event's order. */
function orderName({ orderNumber, externalOrderId, orderId }: EventFacts): string | null | undefined {
  return orderNumber ?? externalOrderId ?? orderId;
}

/** The most lines that fit on a phone: an order may have 100 services, and a day more renewals. */
const mostLines = 30;

/**
 * The words by which Rackbell knows of an event: under an alert, whose newest event it is, and at the end of its line in a list. `order`:
 * the command that shows its order.
 */
const sources: Record<EventSource, { newest: (at: string) => string; mark: string; order: string }> = {
  webhook: { newest: (at) => `by webhook, ${at}`, mark: "", order: "reseller order show" },
  polling: { newest: (at) => `found by polling, ${at}`, mark: " · found by polling", order: "order show" },
  missed: {
    newest: (at) => `found by polling, ${at}; the webhook had not arrived by then`,
    mark: " · found by polling; the webhook had not arrived by then",
    order: "reseller order show",
  },
  confirmed: {
    newest: (at) => `by webhook, confirmed by polling, ${at}`,
    mark: " · confirmed by polling",
    order: "reseller order show",
  },
  awaited: {
    newest: (at) => `expected after a request, and missed since ${at}`,
    mark: "",
    order: "reseller order show",
  },
};

/** How Rackbell knows of an event, as the end of its line in a list, in mrkdwn. */
export function sourceMark({ source, acted }: Pick<LoggedEvent, "source" | "acted">): string {
  return acted ? " · done through Rackbell" : sources[source].mark;
}

/** Prefix of the block ids of an alert with a thread: the answer to a pressed button goes into that thread. */
export const alertBlock = "alert:";

/** The alert's message: the present state of the order and its services, or of the other resource that it is about. */
export function alertMessage(events: DisplayedEvent[], steps: Block[]): Message {
  const newest = events.at(-1);
  if (!newest) return { text: "Nothing is known of this any more.", blocks: [] };
  const latest = presentEvents(events.map(({ event }) => event));
  const isShared = new Set(latest.map(customerWords)).size === 1;
  const eventLines = linesOf(latest).map((event) => {
    const facts = [...ownFacts(event), isShared ? null : customerWords(event)];
    return `${dotted([`*${wholeSentence(event)}*`, ...facts])}${wordsUnder(events, event)}`;
  });
  const others = latest.length - eventLines.length;
  const lines = [...eventLines, ...(others > 0 ? [`${count(others, "more", "more")} beside these.`] : [])];
  const foot = [
    isShared ? customerWords(newest.event) : null,
    amountWords(latest) || null,
    newest.event.acted
      ? `done through Rackbell ${moment(newest.event.at)}`
      : sources[newest.event.source].newest(moment(newest.event.at)),
  ];
  return {
    text: eventLine(latest.find((event) => event.id === newest.event.id) ?? latest.at(-1) ?? newest.event),
    blocks: [
      ...callWords(events),
      ...paragraphs(lines),
      context(foot.filter((part) => part !== null).join(" · ")),
      ...steps,
    ],
  };
}

/** The lines that fit: the order's own, which names what the alert is about, urgent ones before others, and the newest of each. */
function linesOf(latest: LoggedEvent[]): LoggedEvent[] {
  if (latest.length <= mostLines) return latest;
  const order = latest.filter((event) => aspectOf(event) === "order").slice(-1);
  const rest = latest.filter((event) => !order.includes(event));
  const urgent = rest.filter(isUrgent).slice(order.length - mostLines);
  const others = rest.filter((event) => !isUrgent(event));
  return [...order, ...urgent, ...others.slice(others.length - (mostLines - order.length - urgent.length))];
}

/** The alert's events in order, for its thread. */
export function historyMessage(shown: DisplayedEvent[]): Message {
  const lines = shown.slice(-mostLines).map(({ event }) => `${moment(event.at)} ${eventSentence(event)}`);
  const earlier = shown.length - lines.length;
  const left = earlier > 0 ? [`${count(earlier, "earlier event", "earlier events")} beside these.`] : [];
  return { text: "Events so far", blocks: paragraphs([...left, ...lines]) };
}

/** A loud event as a message of its own, because Slack notifies nobody of the alert's edit. */
export function loudMessage({ event, askedBy, mention, call, unmentioned, mutedUntil }: DisplayedEvent): Message {
  const notes = call ? reachNotes(call.reached).map((note) => ` · ${note}`) : [];
  const line = `${mention === null ? "" : `${mention} `}${eventLine(event)}${askedBy === null ? "" : ` · asked by ${askedBy}`}${moreWords(unmentioned)}${notes.join("")}${mutedWords(event, mutedUntil)}`;
  return textMessage(line);
}

/** The mention that was owed for what failed in the five minutes after another one, or in a mute since, and has not recovered. */
export function lateMessage(events: LoggedEvent[], { mention, others }: { mention: string; others: number }): Message {
  const more = others > 0 ? [`And ${count(others, "more alert")} of these minutes.`] : [];
  const lead = `${mention} Not over yet, and not mentioned so far:`;
  return textMessage([lead, ...events.map((event) => eventLine(event)), ...more].join("\n"));
}

/** A step about an event as a message of its own. `alone`: in the direct messages of somebody who is not in the channel. */
export function stepMessage(event: LoggedEvent, made: MadeStep, { alone }: { alone: boolean }): Message {
  const { kind, to, at, notified } = made;
  const line = `${eventLine(event)} (${moment(event.at)})`;
  if (kind === "unanswered")
    return textMessage(`:rotating_light: Nobody has taken this by ${moment(at)}, and no further step follows: ${line}`);
  const said =
    notified.length === 0 ? `Nobody of ${to} could be notified. Nobody has taken this:` : "Nobody has taken this:";
  const lead = kind === "notified" ? "An alert names you:" : said;
  const mention = alone ? null : mentionWords(made);
  const notes = alone ? [] : reachNotes(made);
  return textMessage([...(mention ? [mention] : []), lead, line, ...notes].join(" "));
}

/** The buttons of an alert, by the present state of its resources. */
export function alertSteps(shown: DisplayedEvent[]): Step[] {
  const latest = presentEvents(shown.map(({ event }) => event)).filter((event) => !isGone(event));
  const { order, ofOne } = orderAndServiceIn(latest);
  const orderId = order?.data.orderId ?? ofOne[0]?.data.orderId;
  return [
    ...latest.flatMap(ownSteps),
    ...(order?.event === "order.payment_failed" ? [step("Retry charge…", "reseller order retry", orderId)] : []),
    ...serviceSteps(ofOne),
    ...(orderId ? [step("Show order", sources[(order ?? ofOne[0])?.source ?? "webhook"].order, orderId)] : []),
  ];
}

/** The order of an alert, and its events about a service if they are all about one. */
function orderAndServiceIn(latest: LoggedEvent[]): { order: LoggedEvent | undefined; ofOne: LoggedEvent[] } {
  const isOrder = (event: LoggedEvent) => aspectOf(event) === "order";
  const ofOrder = latest.filter(({ data }) => data.orderId && !data.serviceId);
  const order = latest.find((event) => isOrder(event) && event.data.orderId) ?? ofOrder[0];
  const services = latest.filter((event) => (!isOrder(event) || isBuildFailure(event)) && serviceIn(event.data));
  const ids = new Set(services.map(({ data }) => serviceIn(data)));
  return { order, ofOne: ids.size === 1 ? services : [] };
}

/** The id under which an alert can be muted: of its order, service, document or image; null if it has none. */
export function muteSubjectOf(shown: DisplayedEvent[]): string | null {
  const latest = presentEvents(shown.map(({ event }) => event));
  const { order, ofOne } = orderAndServiceIn(latest);
  const newest = latest.at(-1)?.data;
  return order?.data.orderId ?? (ofOne[0] && serviceIn(ofOne[0].data)) ?? newest?.documentId ?? newest?.imageId ?? null;
}

/** The buttons for a document or an image. */
function ownSteps({ event, data }: LoggedEvent): Step[] {
  if (data.imageId) return [step("Show image", "image show", data.imageId)];
  const isInvoiced = event === ("order.invoiced" satisfies EventName);
  const document = data.documentId ?? (isInvoiced ? data.invoiceId : null);
  if (!document) return [];
  return [
    ...(isOutstanding(event) ? [step("Pay…", "billing pay", document)] : []),
    step(isInvoiced ? "Show document" : "Show", "billing show", document),
  ];
}

/** The buttons for one service; `events`: its present state, line by line. */
function serviceSteps(events: LoggedEvent[]): Step[] {
  const [last] = events.slice(-1);
  if (!last) return [];
  const id = serviceIn(last.data);
  const is = (name: EventName) => events.some(({ event }) => event === name);
  const sold = events.some(isAboutResold);
  const own = events.find(({ source }) => source === "polling")?.data.kind === "vps" ? "vps" : "service";
  const due = events.some(({ event, source }) => isDue(event) && source === "polling");
  return [
    ...(is("service.suspended") && sold ? [step("Unsuspend", "reseller service unsuspend", id)] : []),
    ...(is("machine.stopped") ? [step("Start", `${own} start`, id)] : []),
    ...(due ? [step("Renew…", "service renew", id)] : []),
    step("Show service", sold ? "reseller service show" : `${own} show`, id),
  ];
}

function step(label: string, command: string, target: string | null | undefined): Step {
  return { label, command, ...(target ? { target } : {}) };
}

/** The mention of the alert's first event: those of later events are in their replies. */
function callWords([first]: DisplayedEvent[]): Block[] {
  return first?.mention ? [section(`${first.mention}${moreWords(first.unmentioned)}`)] : [];
}

/** The alerts that followed too soon for a mention of their own, as the end of a line. */
function moreWords(unmentioned: number): string {
  return unmentioned === 0 ? "" : ` · and ${count(unmentioned, "more alert")} within 5 minutes`;
}

const disordered =
  "\n:grey_question: These webhooks came close together, perhaps in the wrong order. Check the present state before you act.";

function wordsUnder(shown: DisplayedEvent[], event: LoggedEvent): string {
  const one = shown.find(({ event: { id } }) => id === event.id);
  const asked = one?.askedBy ? `\nAsked by ${one.askedBy}` : "";
  const isUnsure =
    !one?.askedBy &&
    mayBeOlder(
      event,
      shown.map((other) => other.event),
    );
  return `${asked}${one ? mutedWords(event, one.mutedUntil) : ""}${one?.crossCheck || (isUnsure ? disordered : "")}`;
}

/** The line under an event that a mute or a maintenance window kept silent. */
function mutedWords({ at }: LoggedEvent, until: number | null): string {
  return until === null ? "" : `\n:mute: Not over yet: since ${moment(at)}, muted until ${moment(until)}.`;
}

function customerWords({ data }: LoggedEvent): string | null {
  return data.externalCustomerId ? `customer ${code(data.externalCustomerId)}` : null;
}

/**
 * The sum of the order or the document, and how it is paid; of a failed build whose order has no event, that which its own event names. Empty
 * where none is named.
 */
function amountWords(latest: LoggedEvent[]): string {
  const priced =
    latest.find(({ event, data }) => isOfOrder(event) || data.documentId) ??
    latest.find(({ data }) => (data.total ?? data.amount ?? data.paymentMode ?? null) !== null);
  const mode = priced?.data.paymentMode;
  return priced ? dotted([sumWords(priced), mode && `payment by ${prose(stateWords(mode), 40)}`]) : "";
}

function sumWords({ data: { total, amount, remaining, currency = null } }: LoggedEvent): string | null {
  const words = (sum: string | number) => prose(money(sum, currency), 40);
  if (total === null || total === undefined)
    return amount === null || amount === undefined ? null : `${words(amount)} excl. VAT`;
  const isPart =
    remaining !== null && remaining !== undefined && Number(remaining) !== Number(total) && Number(remaining) > 0;
  return `${isPart ? `${words(remaining)} left to pay of ` : ""}${words(total)}, tax included`;
}
