import type { Step } from "../../operation/answer.ts";
import { type Block, context, type Message, paragraphs, section } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import type { KeptEvent } from "./event-log.ts";
import type { EventFacts, EventName, EventSource } from "./events.ts";
import { isDue, isUrgent, latestOf, partOf } from "./latest.ts";

/** An event as a card shows it: with the member who asked for it through Rackbell, if one did. */
export interface Shown {
  event: KeptEvent;
  askedBy: string | null;
  /** Who is called by it, in mrkdwn. */
  mention: string | null;
  /** What a read has shown of it, in mrkdwn on a line of its own; empty where nothing was read. */
  confirmed: string;
}

const sentences: Record<EventName, (name: string, data: EventFacts) => string> = {
  "order.paid": (name) => `:moneybag: Order ${name} is paid`,
  "order.invoiced": (name) => `:page_facing_up: Order ${name} was invoiced instead of charged`,
  "order.payment_failed": (name) => `:rotating_light: The charge for order ${name} failed`,
  "service.provisioned": (name) => `:white_check_mark: ${name} is ready`,
  "service.provisioning_failed": (name) => `:rotating_light: ${name} could not be built`,
  "service.suspended": (name) => `:no_entry: ${name} is suspended`,
  "service.unsuspended": (name) => `:white_check_mark: ${name} is no longer suspended`,
  "service.terminated": (name) => `:wastebasket: ${name} was terminated`,
  "webhook.test": () => ":bell: A test event",
  "order.completed": (name) => `:white_check_mark: All of order ${name} is ready`,
  "order.failed": (name) => `:rotating_light: Order ${name} could not be built`,
  "service.due_soon": (name) => `:calendar: ${name} is to be renewed`,
  "service.overdue": (name) => `:rotating_light: ${name} was to be renewed`,
  "machine.running": (name) => `:large_green_circle: The machine of ${name} runs`,
  "machine.stopped": (name) => `:red_circle: The machine of ${name} has stopped`,
  "machine.paused": (name) => `:double_vertical_bar: The machine of ${name} is paused`,
  "machine.error": (name) => `:rotating_light: The machine of ${name} is in error`,
  "machine.orphaned": (name) => `:rotating_light: The machine of ${name} has lost its host`,
  "invoice.new": (name) => `:page_facing_up: Invoice ${name} waits to be paid`,
  "invoice.due_soon": (name) => `:calendar: Invoice ${name} falls due`,
  "invoice.overdue": (name) => `:rotating_light: Invoice ${name} is overdue since`,
  "invoice.paid": (name) => `:moneybag: Invoice ${name} is paid`,
  "invoice.cancelled": (name) => `:wastebasket: Invoice ${name} was cancelled`,
  "proforma.new": (name) => `:page_facing_up: Proforma ${name} waits to be paid`,
  "proforma.due_soon": (name) => `:calendar: Proforma ${name} falls due`,
  "proforma.overdue": (name) => `:rotating_light: Proforma ${name} is overdue since`,
  "proforma.paid": (name) => `:moneybag: Proforma ${name} is paid`,
  "proforma.cancelled": (name) => `:wastebasket: Proforma ${name} was cancelled`,
  "image.ready": (name) => `:white_check_mark: The image ${name} is ready to be used`,
  "image.failed": (name) => `:rotating_light: The image ${name} could not be made`,
  "event.missing": (name, { expected }) =>
    `:warning: The supplier has told nothing of ${name}: ${listing(
      (expected ?? []).map((one) => code(one)),
      "or",
    )} had to come. Look whether it is really so`,
};
const known = new Map<string, (typeof sentences)[EventName]>(Object.entries(sentences));

/** What happened, in one line of mrkdwn. */
export function eventLine({ event, data }: KeptEvent): string {
  const name = namesOf(event, data);
  const said = known.get(event)?.(name, data) ?? `:grey_question: ${code(event)} about ${name}`;
  const when = isDue(event) && data.dueAt ? ` ${moment(data.dueAt)}` : "";
  const why = data.paymentError ?? data.provisioningError ?? data.reason;
  return `${said}${when}${why ? `: ${prose(why, 300)}` : ""}`;
}

/** What it is about, in mrkdwn; an id alone says little to who reads it at night, so an address stands beside it. */
function namesOf(event: string, data: EventFacts): string {
  const name = nameOf(event, data);
  const address = name && name === data.serviceId && data.serverIp ? ` (${code(data.serverIp)})` : "";
  return `${code(name ?? "(not named)")}${address}`;
}

function nameOf(event: string, data: EventFacts): string | null | undefined {
  const order = data.orderNumber ?? data.externalOrderId ?? data.orderId;
  if (event.startsWith("order.")) return order;
  if (data.documentId) return data.documentNumber ?? data.documentId;
  return data.hostname ?? data.name ?? data.serviceId ?? data.imageId ?? (order ? `order ${order}` : null);
}

/** So many lines are read on a phone; an order may have 100 services, and a day more renewals. */
const mostLines = 30;

/** How what a card says is known. */
const sourceWords: Record<EventSource, (at: string) => string> = {
  told: (at) => `as the supplier's event of ${at} says`,
  found: (at) => `found by reading ${at}`,
  missed: (at) => `found by reading ${at}; no event of the supplier's told of it`,
  awaited: (at) => `asked for here, and missed ${at}`,
};

/** The same behind an event's line in a list, in mrkdwn. */
export const sourceMarks: Record<EventSource, string> = {
  told: "",
  found: " · found by reading",
  missed: " · missed: found by reading, and no event told of it",
  awaited: "",
};

/** The whole card: the present state of the order and of each of its services, or of what else it is about. */
export function cardMessage(shown: Shown[], steps: Block[]): Message {
  const newest = shown.at(-1);
  if (!newest) return { text: "Nothing is known of this any more.", blocks: [] };
  const latest = latestOf(shown.map(({ event }) => event));
  const told = linesOf(latest).map((event) => `*${eventLine(event)}*${wordsUnder(shown, event)}`);
  const others = latest.length - told.length;
  const lines = [...told, ...(others > 0 ? [`${count(others, "more", "more")} beside these.`] : [])];
  const foot = [
    customerWords(newest.event),
    amountWords(latest),
    sourceWords[newest.event.source](moment(newest.event.at)),
  ];
  return {
    text: eventLine(latest.find((event) => event.id === newest.event.id) ?? latest.at(-1) ?? newest.event),
    blocks: [
      ...callWords(shown),
      ...paragraphs(lines),
      context(foot.filter((part) => part !== null).join(" · ")),
      ...steps,
    ],
  };
}

/** What fits: where not all does, what somebody must act upon before all others, and of these the newest. */
function linesOf(latest: KeptEvent[]): KeptEvent[] {
  if (latest.length <= mostLines) return latest;
  const urgent = latest.filter(isUrgent).slice(-mostLines);
  const others = latest.filter((event) => !isUrgent(event));
  return [...urgent, ...others.slice(others.length - (mostLines - urgent.length))];
}

/** Everything that came, in the thread. */
export function historyMessage(shown: Shown[]): Message {
  const lines = shown.slice(-mostLines).map(({ event }) => `${moment(event.at)} ${eventLine(event)}`);
  return { text: "What came so far", blocks: paragraphs(lines) };
}

/** A failure, a suspension or an end, said once more where it is heard. */
export function loudMessage({ event, askedBy, mention }: Shown): Message {
  const line = `${mention === null ? "" : `${mention} `}${eventLine(event)}${askedBy === null ? "" : ` · asked by <@${askedBy}>`}`;
  return { text: line, blocks: [section(line)] };
}

/** What can be done about it now, by whoever presses. */
export function cardSteps(shown: Shown[]): Step[] {
  const latest = latestOf(shown.map(({ event }) => event));
  const order = latest.find((event) => partOf(event) === "order" && event.data.orderId);
  const services = latest.filter((event) => partOf(event) !== "order" && event.data.serviceId);
  const [first] = services;
  const ofOne = first && services.every(({ data }) => data.serviceId === first.data.serviceId) ? services : [];
  const orderId = order?.data.orderId ?? ofOne[0]?.data.orderId;
  const thing = latest.at(-1)?.data;
  const about = order?.data.orderId ?? ofOne[0]?.data.serviceId ?? thing?.documentId ?? thing?.imageId;
  return [
    ...latest.flatMap(ownSteps),
    ...(order?.event === "order.payment_failed" ? [step("Retry charge…", "reseller order retry", orderId)] : []),
    ...serviceSteps(ofOne),
    ...(orderId ? [step("Show order", showOrder[(order ?? ofOne[0])?.source ?? "told"], orderId)] : []),
    ...(about ? [{ label: "Mute for an hour", command: "rackbell alerts mute", input: { about, hours: 1 } }] : []),
  ];
}

const showOrder: Record<EventSource, string> = {
  told: "reseller order show",
  missed: "reseller order show",
  awaited: "reseller order show",
  found: "order show",
};

/** Of a document or an image. */
function ownSteps({ event, data }: KeptEvent): Step[] {
  if (data.imageId) return [step("Show image", "image show", data.imageId)];
  if (!data.documentId) return [];
  const isOpen = event.endsWith(".new") || isDue(event);
  return [
    ...(isOpen ? [step("Pay…", "billing pay", data.documentId)] : []),
    step("Show", "billing show", data.documentId),
  ];
}

/** Of one service, by all that is known of it now. */
function serviceSteps(events: KeptEvent[]): Step[] {
  const [last] = events.slice(-1);
  if (!last) return [];
  const id = last.data.serviceId;
  const is = (name: EventName) => events.some(({ event }) => event === name);
  const sold = events.some(({ source }) => source !== "found");
  const own = events.find(({ source }) => source === "found")?.data.kind === "vps" ? "vps" : "service";
  const due = events.some(({ event, source }) => isDue(event) && source === "found");
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

/** Who is called by the card itself: by the event that it began with. */
function callWords([first]: Shown[]): Block[] {
  return first?.mention ? [section(first.mention)] : [];
}

function wordsUnder(shown: Shown[], event: KeptEvent): string {
  const one = shown.find(({ event: { id } }) => id === event.id);
  const asked = one?.askedBy ? `\nAsked by <@${one.askedBy}>` : "";
  return `${asked}${one?.confirmed ?? ""}`;
}

function customerWords({ data }: KeptEvent): string | null {
  return data.externalCustomerId ? `customer ${code(data.externalCustomerId)}` : null;
}

function amountWords(latest: KeptEvent[]): string | null {
  const priced = latest.find(({ event, data }) => event.startsWith("order.") || data.documentId);
  const { total, currency } = priced?.data ?? {};
  return total !== null && total !== undefined && currency ? `${prose(money(total, currency), 40)} with VAT` : null;
}
