import { randomUUID } from "node:crypto";
import type { Access } from "../../access/access.ts";
import type { Binder } from "../../access/bound.ts";
import type { Audit } from "../../audit/audit.ts";
import { stepBlocks } from "../../notifications/answers/answers.ts";
import type { Outbox } from "../../notifications/outbox.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Registry } from "../../operation/registry.ts";
import type { Foundation } from "../../storage/foundation.ts";
import type { LaneHandlers } from "../../storage/store.ts";
import { context, type Message, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import type { FoundResource } from "../finder.ts";
import { resourceText } from "../resource-text.ts";
import { seenIn } from "./changes.ts";
import { pollEvery, pollWatches } from "./poll-watches.ts";
import { endOf, mostWatches, type Threshold, viewerOf, type Watch } from "./watch.ts";
import { createWatchStore, watchKind, watchWake } from "./watch-store.ts";

/** Watches of members: each with the member's own key, for some days. */
export interface Watches {
  timers: LaneHandlers;
  /** Reads the resource and watches it from now on; an existing watch lasts for so long from now. Platform errors pass through. */
  start(thing: FoundResource, how: { days: number; threshold: Threshold | null }): Promise<Watch>;
  /** Ends the watch without a message; null when the member does not watch this resource. */
  stop(member: string, id: string): Promise<Watch | null>;
  /** The member's watches, the one that ends first before the others. */
  of(member: string): Promise<Watch[]>;
  /** Checks at once whether the member's watches are still allowed, after one of their keys was erased. */
  review(member: string): Promise<void>;
}

export function createWatches(
  foundation: Foundation,
  deps: { access: Access; binder: Binder; registry: Registry; audit: Audit; outbox: Outbox },
): Watches {
  const { store, clock } = foundation;
  const { registry, outbox } = deps;
  const watches = createWatchStore(foundation);
  const timers = pollWatches({ watches, ...deps, ...foundation });

  outbox.source(watchKind, {
    async notifications(id) {
      const watch = await watches.read(id);
      if (!watch) return null;
      const to = { in: "direct", user: watch.slackUser } as const;
      return watch.news.map((news) => ({
        ...{ slot: `news ${news.slot}`, to, priority: "ending" as const, since: news.at },
        message: newsMessage(watch, news, registry),
      }));
    },
  });

  const ownOf = async (member: string, id: string) => (await watches.of(member)).find(({ target }) => target.id === id);

  return {
    timers,
    async start({ bound, id }, { days, threshold }) {
      const { link, actor, operation } = bound;
      const now = clock.now();
      const known = await ownOf(actor.member, id);
      const own = known ? [] : await watches.of(actor.member);
      if (!known && own.length >= mostWatches)
        throw new Refusal(`You watch ${mostWatches} resources already, which is the most. Nothing changed.`);
      const entry = await bound.look(id);
      const used = threshold ? ((await bound.usage(id))?.[threshold.figure] ?? null) : null;
      if (threshold && used === null)
        throw new Refusal(
          `The platform gives no such figure for ${code(entry.name)} now, so Rackbell cannot watch it. Nothing changed.`,
        );
      const seen = seenIn({ entry, used }, { threshold }, now);
      const wanted = { endsAt: endOf(now, days), threshold, seen, viewer: viewerOf(link) };
      // A poll may store its step first: what the member asked for is then stored on top of it.
      for (let own = known; own && own.viewer === wanted.viewer; own = await ownOf(actor.member, id)) {
        const change = { ...wanted, threshold: threshold ?? own.threshold };
        const changed = await watches.advance(own, change, { lookAt: now + pollEvery, text: null });
        if (changed) return changed;
      }
      const watch: Watch = {
        ...{ v: 1, id: randomUUID(), member: actor.member, slackUser: actor.slackUser, api: link.api },
        ...{ card: operation.command, target: { id, name: entry.name }, project: actor.project, startedAt: now },
        ...wanted,
        ...{ quiet: { until: 0, changes: 0, told: [] }, misses: 0, news: [], ended: null },
      };
      await watches.create(watch, now + pollEvery);
      return watch;
    },
    async stop(member, id) {
      for (;;) {
        const watch = await ownOf(member, id);
        if (!watch) return null;
        const now = clock.now();
        const stopped = await watches.advance(watch, { ended: { at: now } }, { lookAt: now, text: null });
        if (stopped) return stopped;
      }
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
  const input = { thing: resourceText(card, target.id) };
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
