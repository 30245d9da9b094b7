import type { Registry } from "../../operation/registry.ts";
import { stepBlocks } from "../answers/answers.ts";
import type { Telling, TellingSource } from "../telling/outbox.ts";
import type { Card, Cards } from "./card.ts";
import type { ChannelWatch } from "./channel-watch.ts";
import type { Confirm } from "./confirm.ts";
import { confirmedWords, toConfirm } from "./confirmation.ts";
import type { EventLog } from "./event-log.ts";
import { mannerOf, type Subscriptions } from "./subscriptions.ts";
import { cardMessage, cardSteps, historyMessage, loudMessage, type Shown } from "./view.ts";

/** The card itself, among the messages that are told of it. */
export const cardSlot = "card";

/** All that is told of a card, made from the events that are kept of it and nothing else. */
export function createCardTellings({
  cards,
  events,
  subscriptions,
  confirm,
  registry,
  watch,
}: {
  cards: Cards;
  events: Pick<EventLog, "entry">;
  subscriptions: Pick<Subscriptions, "read">;
  confirm: Pick<Confirm, "read">;
  registry: Registry;
  watch: ChannelWatch;
}): TellingSource {
  async function shownOf(card: Card): Promise<Shown[]> {
    const read = await Promise.all(
      card.events.map(async ({ id, ...entry }) => ({ event: await events.entry(id), ...entry })),
    );
    const known = read.flatMap(({ event, ...entry }) => (event ? [{ event, ...entry }] : []));
    const things = new Set(known.flatMap(({ event }) => toConfirm(event) ?? []));
    const found = new Map(
      await Promise.all([...things].map(async (thing) => [thing, await confirm.read(thing)] as const)),
    );
    return known.map((one) => ({
      ...one,
      confirmed: confirmedWords(one.event, found.get(toConfirm(one.event) ?? "") ?? null),
    }));
  }

  return {
    async tellings(id, told) {
      const card = await cards.read(id);
      const shown = card ? await shownOf(card) : [];
      if (!card || shown.length === 0) return null;
      // Whoever presses needs a key that may: it is looked at then.
      const steps = stepBlocks(cardSteps(shown), (command) => registry.find(command) ?? null);
      const { channel, startedAt: since } = card;
      const place = { in: "channel", channel, otherwise: null, lasting: true } as const;
      const under = { in: "thread", under: cardSlot, user: null } as const;
      const replies = shown.flatMap((one, at): Telling[] => {
        const entry = card.events.find(({ id }) => id === one.event.id);
        // The first one is said by the card itself.
        if (!entry?.loud || at === 0) return [];
        return [{ slot: `loud:${entry.id}`, to: under, message: loudMessage(one), priority: "alert", since }];
      });
      const stands = told.has(cardSlot);
      const alone = mannerOf(await subscriptions.read(), channel).mode !== "thread";
      const message = cardMessage(shown, steps);
      const itself: Telling = { slot: cardSlot, to: place, message, priority: stands ? "progress" : "alert", since };
      if (alone) return [itself];
      const history = historyTellings(shown, { to: under, since });
      // What rings goes first: an edit notifies nobody.
      return stands ? [...replies, itself, ...history] : [itself, ...replies, ...history];
    },
    async unplaced(id, _slot, reason) {
      await cards.note(id, reason);
      const card = await cards.read(id);
      if (card) await watch.refused(card.channel, reason);
    },
    async placed(id) {
      const card = await cards.read(id);
      if (!card) return;
      if (card.unplaced !== null) await cards.note(id, null);
      await watch.taken(card.channel);
    },
  };
}

/** All that came, where there is more than the card itself says. */
function historyTellings(shown: Shown[], { to, since }: Pick<Telling, "to" | "since">): Telling[] {
  if (shown.length < 2) return [];
  return [{ slot: "history", to, message: historyMessage(shown), priority: "progress", since }];
}
