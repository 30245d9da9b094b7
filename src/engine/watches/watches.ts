import { randomUUID } from "node:crypto";
import { Refusal } from "../../operation/errors.ts";
import type { Registry } from "../../operation/registry.ts";
import { context, type Message, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import type { Access } from "../access.ts";
import { stepBlocks } from "../answers/answers.ts";
import type { Audit } from "../audit/audit.ts";
import type { Binder } from "../bound.ts";
import type { Foundation } from "../foundation.ts";
import type { Outbox } from "../telling/outbox.ts";
import type { Found } from "../things/finder.ts";
import { thingText } from "../things/thing-text.ts";
import { seenIn } from "./changes.ts";
import { followWatches, lookEvery } from "./looks.ts";
import { endOf, mostWatches, type Threshold, viewerOf, type Watch } from "./watch.ts";
import { createWatchStore, watchKind, watchWake } from "./watch-store.ts";

/** What members watch: each for themselves, with their own key, for some days. */
export interface Watches {
  /** Looks at the thing and watches it from now on; where the member watches it already, for so long from now. Platform errors pass through. */
  start(thing: Found, how: { days: number; threshold: Threshold | null }): Promise<Watch>;
  /** Ends it without a word; null where the member watches no such thing. */
  stop(member: string, id: string): Promise<Watch | null>;
  /** What the member watches, the one that ends first before the others. */
  of(member: string): Promise<Watch[]>;
  /** Looks at once whether what the member watches still stands: a key of theirs has gone. */
  review(member: string): Promise<void>;
}

export function createWatches(
  foundation: Foundation,
  deps: { access: Access; binder: Binder; registry: Registry; audit: Audit; outbox: Outbox },
): Watches {
  const { store, clock } = foundation;
  const { registry, outbox } = deps;
  const watches = createWatchStore(foundation);
  followWatches({ watches, ...deps, ...foundation });

  outbox.source(watchKind, {
    async tellings(id) {
      const watch = await watches.read(id);
      if (!watch) return null;
      const to = { in: "direct", user: watch.slackUser } as const;
      return watch.news.map((news) => ({
        ...{ slot: `news ${news.slot}`, to, priority: "ending" as const, since: news.at },
        message: newsMessage(watch, news, registry),
      }));
    },
  });

  return {
    async start({ bound, id }, { days, threshold }) {
      const { link, actor, operation } = bound;
      const now = clock.now();
      const own = await watches.of(actor.member);
      const known = own.find(({ target }) => target.id === id);
      if (!known && own.length >= mostWatches)
        throw new Refusal(`You watch ${mostWatches} things, and there is no room for more. Nothing changed.`);
      const entry = await bound.look(id);
      const used = threshold ? ((await bound.usage(id))?.[threshold.figure] ?? null) : null;
      if (threshold && used === null)
        throw new Refusal(
          `The platform tells no such figure of ${code(entry.name)} now, so it cannot be watched. Nothing changed.`,
        );
      const seen = seenIn({ entry, used }, { threshold }, now);
      const wanted = { endsAt: endOf(now, days), threshold, seen, viewer: viewerOf(link) };
      if (known && known.viewer === wanted.viewer) {
        const changed = await watches.advance(
          known,
          { ...wanted, threshold: threshold ?? known.threshold },
          { lookAt: now + lookEvery, text: null },
        );
        return changed ?? known;
      }
      const watch: Watch = {
        ...{ v: 1, id: randomUUID(), member: actor.member, slackUser: actor.slackUser, api: link.api },
        ...{ card: operation.command, target: { id, name: entry.name }, project: actor.project, startedAt: now },
        ...wanted,
        ...{ quiet: { until: 0, changes: 0, told: [] }, misses: 0, news: [], ended: null },
      };
      await watches.create(watch, now + lookEvery);
      return watch;
    },
    async stop(member, id) {
      const watch = (await watches.of(member)).find(({ target }) => target.id === id);
      if (!watch) return null;
      const now = clock.now();
      return watches.advance(watch, { ended: { at: now } }, { lookAt: now, text: null });
    },
    of: (member) => watches.of(member),
    async review(member) {
      const now = clock.now();
      for (const watch of await watches.of(member)) {
        await watches.advance(watch, {}, { lookAt: now, text: null });
        await store.wakeups.wake(`${watchWake}${watch.viewer}`, now);
      }
    },
  };
}

function newsMessage(
  { card, target, startedAt, ended }: Watch,
  { text }: Watch["news"][number],
  registry: Registry,
): Message {
  const input = { thing: thingText(card, target.id) };
  const steps = stepBlocks(
    [
      { label: "Open", command: card, target: target.id },
      ended
        ? { label: "Watch it again", command: "rackbell watch", input }
        : { label: "Stop watching", command: "rackbell watch stop", input },
    ],
    (command) => registry.find(command) ?? null,
    target.name,
  );
  return { text, blocks: [section(text), context(`You asked for this ${moment(startedAt)}.`), ...steps] };
}
