import { type Actor, type Message, said } from "../slack/server.ts";

/** So many orders, each in one of so many channels, and so many deliveries about each. */
export const burst = { orders: 500, channels: 20, ofEach: 20 };
/** Beside its services: that it is paid, that one of them is suspended, and one delivery that comes again. */
const services = burst.ofEach - 3;

/** What is delivered; one that comes again has the id that it had. */
export interface Raised {
  id: string;
  event: string;
  data: object;
}

export function customerOf(order: number): string {
  return `customer-${order % burst.channels}`;
}

/** All deliveries, in an order in which each comes far from its neighbours and many a suspension before what it suspends. */
export function shuffledDeliveries(): Raised[] {
  const all = Array.from({ length: burst.orders }, (_, order) => raisedOf(order)).flat();
  // A step that has no divisor in common with their number meets each of them once.
  const step = 3_701;
  return Array.from({ length: all.length }, (_, at) => all[(at * step) % all.length]).filter(
    (one) => one !== undefined,
  );
}

function raisedOf(order: number): Raised[] {
  const about = { orderId: `order-${order}`, orderNumber: `RES-${order}`, externalCustomerId: customerOf(order) };
  const of = (event: string, data: object = {}): Raised => {
    return { id: `${order}-${event}-${JSON.stringify(data)}`, event, data: { ...about, ...data } };
  };
  const service = (at: number) => ({ serviceId: `service-${order}-${at}`, hostname: `host-${order}-${at}` });
  const ready = Array.from({ length: services }, (_, at) => of("service.provisioned", service(at)));
  return [of("order.paid"), ...ready, of("service.suspended", service(0)), ready.at(-1) ?? of("order.paid")];
}

/** How many orders have exactly one card in their channel that says all that is true now, its history whole, and one reply that rang. */
export function rightCards(actor: Actor, channels: string[]): number {
  return channels.reduce((right, channel, number) => {
    const messages = actor.sees(channel);
    const orders = Array.from({ length: burst.orders }, (_, order) => order).filter(
      (order) => order % burst.channels === number,
    );
    return right + orders.filter((order) => isRight(order, messages)).length;
  }, 0);
}

function isRight(order: number, messages: Message[]): boolean {
  const isReply = ({ ts, thread_ts: under }: Message) => under !== undefined && under !== ts;
  const isOf = (message: Message) => !isReply(message) && said(message).includes(`\`RES-${order}\` is paid`);
  const [card, ...others] = messages.filter(isOf);
  if (!card || others.length > 0) return false;
  const replies = messages.filter((one) => isReply(one) && one.thread_ts === card.ts);
  const [history, ...more] = replies.filter(({ text }) => text === "What came so far");
  if (!history || more.length > 0) return false;
  const came = said(history);
  const suspended = `\`host-${order}-0\` is suspended`;
  const [first = ""] = came.split("\n").filter((line) => line !== "");
  const rang = replies.filter((reply) => reply !== history && said(reply).includes(suspended)).length;
  return (
    says(said(card), { suspended, ready: services - 1 }) &&
    says(came, { suspended, ready: services }) &&
    // The first event is said by the card itself.
    rang === (first.includes(suspended) ? 0 : 1)
  );
}

function says(text: string, { suspended, ready }: { suspended: string; ready: number }): boolean {
  return text.includes(suspended) && text.match(/is ready/g)?.length === ready;
}
