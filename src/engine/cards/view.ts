import type { Step } from "../../operation/answer.ts";
import type { EventName } from "../../platform/reseller/events.ts";
import { type Block, context, type Message, paragraphs, section } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import type { KeptEvent } from "./event-log.ts";
import { latestOf } from "./latest.ts";

/** An event as a card shows it: with the member who asked for it through Rackbell, if one did. */
export interface Shown {
  event: KeptEvent;
  askedBy: string | null;
  /** Who is called by it, in mrkdwn. */
  mention: string | null;
}

const sentences: Record<EventName, (name: string) => string> = {
  "order.paid": (name) => `:moneybag: Order ${name} is paid`,
  "order.invoiced": (name) => `:page_facing_up: Order ${name} was invoiced instead of charged`,
  "order.payment_failed": (name) => `:rotating_light: The charge for order ${name} failed`,
  "service.provisioned": (name) => `:white_check_mark: ${name} is ready`,
  "service.provisioning_failed": (name) => `:rotating_light: ${name} could not be built`,
  "service.suspended": (name) => `:no_entry: ${name} is suspended`,
  "service.unsuspended": (name) => `:white_check_mark: ${name} is no longer suspended`,
  "service.terminated": (name) => `:wastebasket: ${name} was terminated`,
  "webhook.test": () => ":bell: A test event",
};
const known = new Map<string, (name: string) => string>(Object.entries(sentences));

/** What happened, in one line of mrkdwn. */
export function eventLine({ event, data }: KeptEvent): string {
  const order = data.orderNumber ?? data.externalOrderId ?? data.orderId;
  const service = data.hostname ?? data.serviceId ?? (order ? `order ${order}` : null);
  const name = code((event.startsWith("order.") ? order : service) ?? "(not named)");
  const said = known.get(event)?.(name) ?? `:grey_question: ${code(event)} about ${name}`;
  const why = data.paymentError ?? data.provisioningError ?? data.reason;
  return `${said}${why ? `: ${prose(why, 300)}` : ""}`;
}

/** The whole card: the present state of the order and of each of its services, as the supplier's events tell it. */
export function cardMessage(shown: Shown[], steps: Block[]): Message {
  const newest = shown.at(-1);
  if (!newest) return { text: "Nothing is known of this any more.", blocks: [] };
  const latest = latestOf(shown.map(({ event }) => event));
  const lines = latest.map((event) => `*${eventLine(event)}*${askedWords(shown, event)}`);
  const foot = [
    customerWords(newest.event),
    amountWords(latest),
    `as the supplier's event of ${moment(newest.event.at)} says`,
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

/** Everything that came, in the thread. */
export function historyMessage(shown: Shown[]): Message {
  const lines = shown.map(({ event }) => `${moment(event.at)} ${eventLine(event)}`);
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
  const order = latest.find(({ event, data }) => event.startsWith("order.") && data.orderId);
  const services = latest.filter(({ event, data }) => event.startsWith("service.") && data.serviceId);
  const [service] = services.length === 1 ? services : [];
  const orderId = order?.data.orderId ?? service?.data.orderId;
  return [
    ...(order?.event === "order.payment_failed" ? [step("Retry charge…", "reseller order retry", orderId)] : []),
    ...(service?.event === "service.suspended"
      ? [step("Unsuspend", "reseller service unsuspend", service.data.serviceId)]
      : []),
    ...(service ? [step("Show service", "reseller service show", service.data.serviceId)] : []),
    ...(orderId ? [step("Show order", "reseller order show", orderId)] : []),
  ];
}

function step(label: string, command: string, target: string | null | undefined): Step {
  return { label, command, ...(target ? { target } : {}) };
}

/** Who is called by the card itself: by the event that it began with. */
function callWords([first]: Shown[]): Block[] {
  return first?.mention ? [section(first.mention)] : [];
}

function askedWords(shown: Shown[], event: KeptEvent): string {
  const by = shown.find((one) => one.event.id === event.id)?.askedBy;
  return by ? `\nAsked by <@${by}>` : "";
}

function customerWords({ data }: KeptEvent): string | null {
  return data.externalCustomerId ? `customer ${code(data.externalCustomerId)}` : null;
}

function amountWords(latest: KeptEvent[]): string | null {
  const order = latest.find(({ event }) => event.startsWith("order."));
  const { total, currency } = order?.data ?? {};
  return total !== null && total !== undefined && currency ? `${prose(money(total, currency), 40)} with VAT` : null;
}
