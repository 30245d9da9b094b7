import type { Logger } from "pino";
import * as z from "zod";
import { createRecords } from "../../storage/records.ts";
import { scanIndex } from "../../storage/scan-all.ts";
import type { Store } from "../../storage/store.ts";
import type { KeptEvent } from "./event-log.ts";

const day = 24 * 60 * 60_000;
const month = 30 * day;

const CardEvent = z.object({
  id: z.string(),
  /** It is worth a reply of its own: an edit notifies nobody. */
  loud: z.boolean(),
  /** The member who asked for it through Rackbell, by their Slack user id. */
  askedBy: z.string().nullable(),
  /** Who is mentioned with it, in mrkdwn. */
  mention: z.string().nullable().default(null),
});
export type CardEvent = z.infer<typeof CardEvent>;

/** A message in a channel about one order, or one other thing, and the events of a day that it shows. */
const Card = z.object({
  channel: z.string(),
  startedAt: z.number(),
  events: z.array(CardEvent),
  /** Why it stands nowhere, where that is so. */
  unplaced: z.string().nullable(),
});
export type Card = z.infer<typeof Card>;

const Current = z.object({ card: z.string() });

export interface Cards {
  read(id: string): Promise<Card | undefined>;
  /** Adds the event to the card of its things in that channel, the first that has one, and gives the card, and whether it begins with the event; null where there is none and `starts` is false. */
  add(
    event: KeptEvent,
    to: { channel: string; things: string[]; starts: boolean; entry: CardEvent; anew?: boolean },
  ): Promise<{ id: string; begun: boolean } | null>;
  /** Notes why it stands nowhere, or that it does again. */
  note(id: string, unplaced: string | null): Promise<void>;
  countUnplaced(): Promise<number>;
  /** The first cards that stand nowhere. */
  unplaced(): Promise<{ id: string; card: Card }[]>;
  /** The ids of all of them, or of those of a channel. */
  allUnplaced(channel?: string): Promise<string[]>;
}

export function createCards({ store, log }: { store: Store; log: Logger }): Cards {
  const cards = createRecords(store.values("alert-cards"), { name: "alert card", schema: Card, version: 1, log });
  const lost = store.index("alert-cards-unplaced");
  const current = createRecords(store.values("alert-cards-current"), {
    ...{ name: "current alert card", schema: Current, version: 1, log },
  });

  /** The one that is at most a day old: an older one has scrolled away. */
  async function currentOf(place: string, at: number): Promise<string | null> {
    const id = (await current.get(place))?.card;
    const card = id === undefined ? undefined : await cards.get(id);
    return id !== undefined && card && card.startedAt > at - day ? id : null;
  }

  return {
    read: cards.get,
    async add(event, { channel, things, starts, entry, anew = false }) {
      const places = things.map((thing) => `${channel}:${thing}`);
      // An edit notifies nobody: what must be heard where there are no replies is a message of its own.
      const known = await Promise.all(places.map((place) => (anew ? null : currentOf(place, event.at))));
      const standing = known.find((id) => id !== null) ?? null;
      if (standing === null && !starts) return null;
      const id = standing ?? `${places[0]}:${event.id}`;
      // The card before what leads to it: after a crash in between, the same event makes the same card.
      const card = await cards.update(
        id,
        (card = { channel, startedAt: event.at, events: [], unplaced: null }) =>
          card.events.some((before) => before.id === entry.id)
            ? undefined
            : { ...card, events: [...card.events, entry] },
        month,
      );
      for (const [at, place] of places.entries()) if (known[at] === null) await current.set(place, { card: id }, day);
      return { id, begun: card?.events[0]?.id === entry.id };
    },
    async note(id, unplaced) {
      if (unplaced !== null) await lost.put(id, 0);
      await cards.update(id, (card) => card && { ...card, unplaced }, month);
      if (unplaced === null) await lost.remove(id);
    },
    countUnplaced: lost.size,
    async allUnplaced(channel) {
      const ids: string[] = [];
      for await (const { member } of scanIndex(lost))
        if (channel === undefined || (await cards.get(member))?.channel === channel) ids.push(member);
      return ids;
    },
    async unplaced() {
      const { entries } = await lost.range({ limit: 20 });
      const found = await Promise.all(
        entries.map(async ({ member }) => ({ id: member, card: await cards.get(member) })),
      );
      return found.flatMap(({ id, card }) => (card && card.unplaced !== null ? [{ id, card }] : []));
    },
  };
}
