import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Registry } from "../../operation/registry.ts";
import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import type { Store } from "../../storage/store.ts";
import { code } from "../../views/text.ts";
import type { Access } from "../access.ts";
import type { Audit } from "../audit/audit.ts";
import type { Binder, BoundOperation } from "../bound.ts";
import { againAt, takeTurn } from "../reading-pace.ts";
import { type Asker, compare, type Sight } from "./changes.ts";
import { createStanding } from "./standing.ts";
import type { Watch } from "./watch.ts";
import { type WatchStore, watchWake } from "./watch-store.ts";

const minute = 60_000;
/** How often one thing is looked at, at most: with many to look at the key's pace is slower. */
export const lookEvery = 5 * minute;
const slowestRetry = 30 * minute;
/** So many looks in a row that nobody answered are worth a word. */
const worthSaying = 8;
/** What a member did may show a little before the look that finds it. */
const slackMs = minute;
const lookedBack = 20;

/** Looks at what is watched, one thing at a time for each viewer, at the pace of all that is read in the background with that key. */
export function followWatches(deps: {
  watches: WatchStore;
  access: Access;
  binder: Binder;
  registry: Registry;
  audit: Pick<Audit, "newest">;
  store: Store;
  clock: Clock;
  log: Logger;
}): void {
  const { watches, access, audit, store, clock, log } = deps;
  const standing = createStanding(deps);

  async function end(watch: Watch, why: string): Promise<void> {
    const now = clock.now();
    const text = `:see_no_evil: I no longer watch ${code(watch.target.name, 60)}. ${why}`;
    await watches.advance(watch, { ended: { at: now } }, { lookAt: now, text });
  }

  /** Milliseconds to wait for a turn with the key; 0 where it was taken. */
  async function wait({ budget, link }: BoundOperation): Promise<number> {
    const left = budget();
    const now = clock.now();
    const again = againAt(left);
    if (again !== null) return Math.max(minute, again - now);
    return takeTurn(store.paces, link.keyId, left);
  }

  async function askerOf({ target, member, seen }: Watch): Promise<Asker> {
    const entries = await audit.newest({ about: target.id, limit: lookedBack, begun: true });
    const acts = entries.filter(({ at, entry }) => at > seen.at - slackMs && ran.has(entry.what));
    if (acts.some(({ entry }) => entry.member === member)) return { is: "watcher" };
    const [other] = acts;
    return other ? { is: "other", slackUser: other.entry.slackUser, command: other.entry.command } : { is: "nobody" };
  }

  /** Tells one watch of what was read, and remembers it. */
  async function show(watch: Watch, sight: Sight): Promise<void> {
    const now = clock.now();
    const moved = sight.entry.state !== watch.seen.state;
    const asker: Asker = moved ? await askerOf(watch) : { is: "nobody" };
    const { text, ...change } = compare(watch, sight, { now, asker });
    await watches.advance(watch, { ...change, misses: 0 }, { lookAt: now + lookEvery, text });
  }

  /** Nothing is known of it now, which is no news of the thing. */
  async function miss(watch: Watch): Promise<void> {
    const misses = watch.misses + 1;
    const pause = Math.min(slowestRetry, lookEvery * 2 ** Math.min(misses, 5));
    const name = code(watch.target.name, 60);
    const text =
      misses === worthSaying ? `:grey_question: I cannot read how ${name} is at the moment; I keep looking.` : null;
    await watches.advance(watch, { misses }, { lookAt: clock.now() + pause, text });
  }

  /** Reads the thing once, for all that watch it with these eyes. */
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
      if (!gone) log.warn({ err: error, card: watch.card }, "What is watched could not be read");
      for (const each of sharing) await (gone ? end(each, "The platform does not show it any more.") : miss(each));
    }
  }

  store.wakeups.handle(watchWake, async (wakeId) => {
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
  });
}

/** What becomes of a command that has run, or may have. */
const ran = new Set(["begun", "approved", "done", "unknown", "reconciled", "ended"]);
