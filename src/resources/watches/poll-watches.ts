import type { Logger } from "pino";
import type { Access } from "../../access/access.ts";
import { backgroundAllowedAt, takeTurn } from "../../access/background-rate.ts";
import type { Binder, BoundOperation } from "../../access/bound.ts";
import type { Audit } from "../../audit/audit.ts";
import type { Clock } from "../../clock.ts";
import type { Registry } from "../../operation/registry.ts";
import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import type { LaneHandlers, Store } from "../../storage/store.ts";
import { code } from "../../views/text.ts";
import { type ChangeAuthor, compare, type Observation } from "./changes.ts";
import { createCheckWatch } from "./check-watch.ts";
import type { Watch } from "./watch.ts";
import { type WatchStore, watchWake } from "./watch-store.ts";

const minute = 60_000;
/** Shortest interval between two polls of one resource; with many resources the key's share of calls makes it longer. */
export const pollEvery = 5 * minute;
const slowestRetry = 30 * minute;
/** After so many failed polls in a row the member is notified. */
const worthSaying = 8;
/** An act may take effect this long after its audit entry, so entries shortly before the last poll count, too. */
const slackMs = minute;
const lookedBack = 20;

/** Polls the watched resources, one at a time for each viewer, within the key's share for background reads. */
export function pollWatches(deps: {
  watches: WatchStore;
  access: Access;
  binder: Binder;
  registry: Registry;
  audit: Pick<Audit, "newest">;
  store: Store;
  clock: Clock;
  log: Logger;
}): LaneHandlers {
  const { watches, access, audit, store, clock, log } = deps;
  const standing = createCheckWatch(deps);

  async function end(watch: Watch, why: string): Promise<void> {
    const now = clock.now();
    const text = `:see_no_evil: I no longer watch ${code(watch.target.name, 60)}. ${why}`;
    await watches.advance(watch, { ended: { at: now } }, { lookAt: now, text });
  }

  /** Milliseconds to wait for a turn with the key; 0 where it was taken. */
  async function wait({ budget, link }: BoundOperation): Promise<number> {
    const left = budget();
    const now = clock.now();
    const again = backgroundAllowedAt(left);
    if (again !== null) return Math.max(minute, again - now);
    return takeTurn(store.paces, "background", link.keyId, left);
  }

  async function askerOf({ target, member, seen }: Watch): Promise<ChangeAuthor> {
    const entries = await audit.newest({ about: target.id, limit: lookedBack, begun: true });
    const acts = entries.filter(({ at, entry }) => at > seen.at - slackMs && ran.has(entry.what));
    if (acts.some(({ entry }) => entry.member === member)) return { is: "watcher" };
    const [other] = acts;
    return other ? { is: "other", slackUser: other.entry.slackUser, command: other.entry.command } : { is: "nobody" };
  }

  /** Compares one watch with the poll, stores the result and notifies its member. */
  async function show(watch: Watch, sight: Observation): Promise<void> {
    const now = clock.now();
    const moved = sight.entry.state !== watch.seen.state;
    const asker: ChangeAuthor = moved ? await askerOf(watch) : { is: "nobody" };
    const { text, ...change } = compare(watch, sight, { now, asker });
    await watches.advance(watch, { ...change, misses: 0 }, { lookAt: now + pollEvery, text });
  }

  /** A failed poll says nothing about the resource: it is counted, and the next poll waits longer. */
  async function miss(watch: Watch): Promise<void> {
    const misses = watch.misses + 1;
    const pause = Math.min(slowestRetry, pollEvery * 2 ** Math.min(misses, 5));
    const name = code(watch.target.name, 60);
    const text =
      misses === worthSaying ? `:grey_question: I cannot read how ${name} is at the moment; I keep looking.` : null;
    await watches.advance(watch, { misses }, { lookAt: clock.now() + pause, text });
  }

  /** Reads the resource once for all watches of the same viewer. */
  async function look(watch: Watch, bound: BoundOperation): Promise<void> {
    const sharing = await watches.on(watch);
    const wantsUsage = sharing.some(({ threshold }) => threshold !== null);
    try {
      const entry = await bound.look(watch.target.id);
      const used = wantsUsage ? await bound.usage(watch.target.id) : null;
      for (const each of sharing) {
        const stands = each.id === watch.id ? { bound } : await standing(each);
        if ("over" in stands) await end(each, stands.over);
        else await show(each, { entry, used: each.threshold ? (used?.[each.threshold.figure] ?? null) : null });
      }
    } catch (error) {
      await access.markRejected(watch.member, error);
      if (keyRejected(error)) return end(watch, "The platform no longer accepts the key that I looked with.");
      const gone = error instanceof PlatformRefused && error.status === 404;
      if (!gone) log.warn({ err: error, card: watch.card }, "Watched resources could not be read");
      for (const each of sharing) await (gone ? end(each, "The platform does not show it any more.") : miss(each));
    }
  }

  async function poll(wakeId: string): Promise<number | undefined> {
    const viewer = wakeId.slice(watchWake.length);
    const next = await watches.first(viewer);
    if (!next) return undefined;
    const now = clock.now();
    if (next.at > now) return next.at;
    const watch = await watches.read(next.id);
    if (!watch || watch.ended !== null) {
      await watches.forget(viewer, next.id);
      return now;
    }
    const stands = await standing(watch);
    if ("over" in stands) {
      await end(watch, stands.over);
      return now;
    }
    const pause = await wait(stands.bound);
    if (pause > 0) return now + pause;
    await look(watch, stands.bound);
    return now;
  }

  return { [watchWake]: poll };
}

/** Audit events of commands that ran, or may have run. */
const ran = new Set(["begun", "approved", "done", "unknown", "reconciled", "ended"]);
