import type { Cause } from "../requests/hearing.ts";
import type { Cards } from "./card.ts";
import type { Digests } from "./digest.ts";
import { type EventLog, type KeptEvent, namesOf } from "./event-log.ts";
import { isDue, isLoud, isMissing, isNews, partOf } from "./latest.ts";
import type { Outcome, ToldChannel } from "./outcomes.ts";
import type { ProductNames, Products } from "./products.ts";
import { asksProduct, isMuted, lets, type Mute, mannerOf, type Routing, type Subscriptions } from "./subscriptions.ts";

/** How far back it is looked for what was found before. */
const looked = 20;

/** What is muted for the time that work on something is planned. */
export interface Muting {
  mutes(at: number, things: readonly string[]): Promise<Mute[]>;
}

/** Brings an event to the channels that asked for it, and says what each got. Done again, it changes nothing. */
export type Bring = (event: KeptEvent, cause: Cause | null) => Promise<Pick<Outcome, "repeat" | "channels">>;

export function createBring({
  windows,
  events,
  subscriptions,
  cards,
  digests,
  products,
  tell,
}: {
  windows: Muting;
  events: Pick<EventLog, "newest">;
  subscriptions: Pick<Subscriptions, "read">;
  cards: Cards;
  digests: Pick<Digests, "add">;
  products: Pick<Products, "find">;
  tell: (card: string) => Promise<void>;
}): Bring {
  /** Whether the same was found by reading before the supplier's event came: a service that is sold on is one's own, too. */
  async function isRepeat(event: KeptEvent): Promise<boolean> {
    const about = event.data.serviceId;
    if (!about || event.source !== "told") return false;
    const before = await events.newest({ about, before: event.id, limit: looked });
    const last = before.find((one) => partOf(one) === partOf(event));
    return last !== undefined && last.source !== "told" && last.event === event.event;
  }

  /** What a channel gets of it; null for nothing. */
  async function bringTo(
    channel: string,
    event: KeptEvent,
    how: { routing: Routing; things: string[]; cause: Cause | null; news: boolean; known: ProductNames },
  ): Promise<ToldChannel | null> {
    const { routing, things, cause, news, known } = how;
    const through = routing.subscriptions.filter((one) => one.channel === channel && lets(one, event, known));
    const wanted = news && through.length > 0;
    const muted = wanted && isMuted(routing.mutes, channel, event);
    const rings = wanted && !muted;
    const loud = rings && !cause?.expected && isLoud(event);
    const mentions = loud ? through.flatMap(({ mention }) => mention ?? []) : [];
    const entry = {
      ...{ id: event.id, loud, askedBy: cause?.request.slackUser ?? event.askedBy },
      mention: [...new Set(mentions)].join(" ") || null,
    };
    const { mode } = mannerOf(routing, channel);
    if (mode === "digest") {
      if (muted) return { channel, as: "muted", card: null };
      if (!rings || cause?.expected) return null;
      await digests.add(channel, event, entry);
      return { channel, as: "digest", card: null };
    }
    const added = await cards.add(event, {
      ...{ channel, things, entry },
      starts: rings && starts(event, channel, cause),
      anew: loud && mode === "card",
    });
    if (added !== null) await tell(added.id);
    if (muted) return { channel, as: "muted", card: added?.id ?? null };
    return added && { channel, as: added.begun || loud ? "rang" : "shown", card: added.id };
  }

  return async (event, cause) => {
    const things = thingsOf(event);
    const said = await subscriptions.read();
    const routing = { ...said, mutes: [...said.mutes, ...(await windows.mutes(event.at, namesOf(event.data)))] };
    if (things.length === 0 || routing.subscriptions.length === 0) return { repeat: false, channels: [] };
    const repeat = event.askedBy === null && (await isRepeat(event));
    const news = isNews(event) && !repeat;
    // Only a filter that asks for it is worth a read.
    const known = routing.subscriptions.some(asksProduct) ? await products.find(event) : null;
    const channels: ToldChannel[] = [];
    for (const channel of new Set(routing.subscriptions.map((one) => one.channel))) {
      if (channel === event.data.saidIn) continue;
      const told = await bringTo(channel, event, { routing, things, cause, news, known });
      if (told) channels.push(told);
    }
    return { repeat, channels };
  };
}

/** What was asked here is told by its own message. What is new in the estate has a card all the same, where that message does not stand. */
function starts({ event }: KeptEvent, channel: string, cause: Cause | null): boolean {
  if (!cause?.expected) return true;
  return (event.startsWith("order.") || event === "service.provisioned") && cause.request.channel !== channel;
}

/** One card for each order, with all its services; for each service where there is no order, for each document and image; for the renewals of one day. */
function thingsOf({ event, data }: KeptEvent): string[] {
  if (data.documentId) return [`document:${data.documentId}`];
  if (data.imageId) return [`image:${data.imageId}`];
  if (data.serviceId && isDue(event)) return [`renewals:${data.dueAt?.slice(0, 10)}`];
  // Whether the order was made, let alone its id, may not be known.
  if (isMissing(event) && !data.serviceId && !data.orderId) return [`asked:${data.externalOrderId}`];
  return [
    ...(data.orderId ? [`order:${data.orderId}`] : []),
    // What is found of a service alone belongs to the card of its order.
    ...(data.serviceId ? [`service:${data.serviceId}`] : []),
  ];
}
