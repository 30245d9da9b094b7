import { randomUUID } from "node:crypto";
import type { BoundOperation } from "../../members/access/bound.ts";
import { resourceText } from "../../members/resources/favourites.ts";
import type { ResourcesApp } from "../../members/resources/resources.ts";
import { stepBlocks } from "../../messages/answers/answers.ts";
import type { NotificationSource } from "../../messages/outbox.ts";
import { Refusal } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { context, type Message, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { seenIn } from "./changes.ts";
import { pollEvery } from "./poll-watches.ts";
import {
  advanceWatch,
  createWatch,
  mostWatches,
  readWatch,
  readWatches,
  type Threshold,
  viewerOf,
  type Watch,
  watchTimer,
} from "./watch.ts";

const dayMs = 24 * 60 * 60_000;

// Watches of members: each with the member's own key, for some days.

/** The messages about watched resources. */
export function watchMessages({ store, registry }: Pick<ResourcesApp, "store" | "registry">): NotificationSource {
  return {
    async notifications(id) {
      const watch = await readWatch({ store }, id);
      if (!watch) return null;
      const to = { in: "direct", user: watch.slackUser } as const;
      return watch.messages.map((message) => ({
        slot: `message ${message.slot}`,
        to,
        priority: "ending" as const,
        since: message.at,
        message: watchMessage(watch, message, registry),
      }));
    },
  };
}

async function ownWatch(app: TimedApp, member: string, id: string): Promise<Watch | undefined> {
  return (await readWatches(app, member)).find(({ target }) => target.id === id);
}

/** A resource, and the parts of its bound operation that read it. */
interface WatchableResource {
  bound: Pick<BoundOperation, "link" | "actor" | "look" | "usage"> & { operation: Pick<PlatformOperation, "command"> };
  id: string;
}

/**
 * Reads the resource and watches it from now on; an existing watch lasts for so long from now. Without a
 * `threshold`, the present one stays; null ends it. Platform errors pass through.
 */
export async function startWatch(
  app: TimedApp,
  { bound, id }: WatchableResource,
  { days, threshold: limit }: { days: number; threshold?: Threshold | null },
): Promise<Watch> {
  const { link, actor, operation } = bound;
  const now = app.clock.now();
  const known = await ownWatch(app, actor.member, id);
  const own = known ? [] : await readWatches(app, actor.member);
  if (!known && own.length >= mostWatches)
    throw new Refusal(`You watch ${mostWatches} resources already, which is the most. Nothing changed.`);
  const threshold = limit ?? null;
  const entry = await bound.look(id);
  const used = threshold ? ((await bound.usage(id))?.[threshold.figure] ?? null) : null;
  if (threshold && used === null)
    throw new Refusal(
      `The platform gives no such figure for ${code(entry.name)} now, so Rackbell cannot watch it. Nothing changed.`,
    );
  const seen = seenIn({ entry, used }, { threshold }, now);
  const wanted = { endsAt: now + days * dayMs, viewer: viewerOf(link), target: { id, name: entry.name } };
  // A poll may store its step first: what the member asked for is then stored on top of it.
  for (let own = known; own && own.viewer === wanted.viewer; own = await ownWatch(app, actor.member, id)) {
    // The state of the last poll stays: otherwise a change since then would never be notified.
    const change =
      limit === undefined
        ? { ...wanted, threshold: own.threshold }
        : { ...wanted, threshold, seen: { ...own.seen, over: seen.over } };
    const changed = await advanceWatch(app, own, change, { lookAt: now + pollEvery, text: null });
    if (changed) return changed;
  }
  const watch: Watch = {
    id: randomUUID(),
    member: actor.member,
    slackUser: actor.slackUser,
    api: link.api,
    card: operation.command,
    project: actor.project,
    startedAt: now,
    ...wanted,
    threshold,
    seen,
    quiet: { until: 0, changes: 0, notified: [] },
    misses: 0,
    messages: [],
    ended: null,
  };
  await createWatch(app, watch, now + pollEvery);
  return watch;
}

/** Ends the watch without a message; null when the member does not watch this resource. */
export async function stopWatch(app: TimedApp, member: string, id: string): Promise<Watch | null> {
  for (;;) {
    const watch = await ownWatch(app, member, id);
    if (!watch) return null;
    const now = app.clock.now();
    const stopped = await advanceWatch(app, watch, { ended: { at: now } }, { lookAt: now, text: null });
    if (stopped) return stopped;
  }
}

/** Checks at once whether the member's watches are still allowed, after one of their keys was erased. */
export async function reviewWatches(app: TimedApp, member: string): Promise<void> {
  const now = app.clock.now();
  for (const watch of await readWatches(app, member)) {
    await advanceWatch(app, watch, {}, { lookAt: now, text: null });
    await app.store.timers.set(`${watchTimer}${watch.viewer}`, now);
  }
}

function watchMessage(
  { card, target, startedAt, ended }: Watch,
  { text }: Watch["messages"][number],
  registry: Registry,
): Message {
  const input = { thing: resourceText(card, target.id) };
  const steps = stepBlocks(
    [
      { label: "Open", command: card, target: target.id },
      ended
        ? { label: "Watch it again", command: "rackbell watch", input }
        : { label: "Stop watching", command: "rackbell watch", input: { ...input, stop: true } },
    ],
    registry.find,
    target.name,
  );
  return { text, blocks: [section(text), context(`You asked for this ${moment(startedAt)}.`), ...steps] };
}
