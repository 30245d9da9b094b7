import { newestEntries } from "../../audit/audit.ts";
import { ran } from "../../audit/kinds.ts";
import { markRejected } from "../../members/access/access.ts";
import { backgroundAllowedAt, takeTurn } from "../../members/access/background-rate.ts";
import { type BoundOperation, bind } from "../../members/access/bound.ts";
import type { ResourcesApp } from "../../members/resources/resources.ts";
import { type SlackUsers, whyLeftOut } from "../../members/slack-user.ts";
import type { EffectiveAct, FindActs } from "../../operation/effects.ts";
import { Refusal } from "../../operation/errors.ts";
import { keyRejected, PlatformRefused } from "../../platform/http/errors.ts";
import { duration } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { type ChangeAuthor, compareReading, type WatchReading } from "./changes.ts";
import {
  advanceWatch,
  firstDue,
  forgetDue,
  readWatch,
  slowestRetry,
  viewerOf,
  type Watch,
  watchesOn,
  watchTimer,
} from "./watch.ts";

const minute = 60_000;
/** Shortest interval between two polls of one resource; with many resources the key's share of calls makes it longer. */
export const pollEvery = 5 * minute;
/** After so many failed polls in a row the member is notified. */
const worthSaying = 8;
/** An act may take effect this long after its audit entry, so entries shortly before the last poll count, too. */
const slackMs = minute;
const lookedBack = 20;
/** The states of a machine that acts lead to. */
const powerStates: readonly string[] = ["running", "stopped", "paused"];

/**
 * The timer's run: polls a viewer's watched resources, one at a time, within the key's share for background reads. Resolves to the time of
 * the next poll (milliseconds since the epoch).
 */
export async function pollWatches(app: WatchingApp, timerId: string): Promise<number | undefined> {
  const viewer = timerId.slice(watchTimer.length);
  const next = await firstDue(app, viewer);
  if (!next) return undefined;
  const now = app.clock.now();
  if (next.at > now) return next.at;
  const watch = await readWatch(app, next.id);
  if (!watch || watch.ended !== null) {
    await forgetDue(app, viewer, next.id);
    return now;
  }
  const stands = await checkWatch(app, watch);
  if ("over" in stands) {
    await end(app, watch, stands.over);
    return now;
  }
  const pause = await wait(app, stands.bound);
  if (pause > 0) return now + pause;
  await look(app, watch, stands.bound);
  return now;
}

/**
 * The operation that shows the watched resource, with the member's key; or the reason why the watch is over, as a sentence. Null: its member
 * may not use Rackbell any more, and not even read that. Rejects while Slack does not say who they are.
 */
async function checkWatch(
  app: WatchingApp,
  { api, card, endsAt, member, project, slackUser, startedAt, viewer }: Watch,
): Promise<{ bound: BoundOperation } | { over: string | null }> {
  if (whyLeftOut(await app.people.person(slackUser)) !== null) return { over: null };
  if (app.clock.now() >= endsAt) return { over: `I watched it for ${duration(endsAt - startedAt)}, as it was set.` };
  const link = (await app.identities.links(member))[api];
  if (!link) return { over: "The key that I looked with is no longer linked." };
  if (link.rejectedAt !== null) return { over: "The platform no longer accepts the key that I looked with." };
  if (viewerOf(link) !== viewer)
    return {
      over:
        api === "reseller"
          ? "You have linked another reseller key since, and a reseller key does not show whose it is."
          : "You have linked a key of another user or account since.",
    };
  const operation = app.registry.find(card);
  if (!operation || operation.api === "app") return { over: "This version of Rackbell cannot read it." };
  try {
    return { bound: (await bind(app, operation, member)).in(project) };
  } catch (error) {
    if (error instanceof Refusal) return { over: error.message };
    throw error;
  }
}

async function end(app: ResourcesApp, watch: Watch, why: string | null): Promise<void> {
  const now = app.clock.now();
  const text = why && `:see_no_evil: I no longer watch ${code(watch.target.name, 60)}. ${why}`;
  await advanceWatch(app, watch, { ended: { at: now } }, { lookAt: now, text });
}

/** Milliseconds to wait for a turn with the key; 0 where it was taken. */
async function wait(app: ResourcesApp, { budget, link }: BoundOperation): Promise<number> {
  const left = budget();
  const now = app.clock.now();
  const again = backgroundAllowedAt(left);
  if (again !== null) return Math.max(minute, again - now);
  return takeTurn(app.store.paces, "background", link.keyId, left);
}

/** The parts of the app that poll watched resources. `causes` finds the acts that may have led to a change. */
type WatchingApp = ResourcesApp & { people: SlackUsers; causes: { actsOn: FindActs } };

async function findAuthor(app: WatchingApp, { target, member, seen }: Watch, state: string): Promise<ChangeAuthor> {
  // After the clock was set back, the last poll may seem to be in the future, and would hide every act.
  const now = app.clock.now();
  const since = seen.at > now ? now - pollEvery : seen.at;
  if (powerStates.includes(state)) {
    const acts = (await app.causes.actsOn(target.id)).filter((act) => leadsTo(act, state, { since, now }));
    if (acts.some((act) => act.member === member)) return { is: "watcher" };
    const [other] = acts;
    return other ? { is: "other", slackUser: other.slackUser, command: other.command } : { is: "nobody" };
  }
  const entries = await newestEntries(app, { about: target.id, limit: lookedBack, begun: true });
  const acts = entries.filter(({ at, entry }) => at > since - slackMs && ran.has(entry.what));
  if (acts.some(({ entry }) => entry.member === member)) return { is: "watcher" };
  const [other] = acts;
  return other ? { is: "other", slackUser: other.entry.slackUser, command: other.entry.command } : { is: "nobody" };
}

/** True if the act may have led a machine there since: a machine that stops after the end of a reboot was stopped by nobody. */
function leadsTo(
  { target, effects, endsAt, reached }: EffectiveAct,
  state: string,
  { since, now }: { since: number; now: number },
): boolean {
  if (target === null || endsAt < since - slackMs) return false;
  return effects.some(({ aspect, on, to, through }) => {
    if (aspect !== "power" || on !== "target") return false;
    const isEnd = to.includes(state) || (to.length === 0 && state === "running");
    return (isEnd && (reached || now < endsAt)) || (through.includes(state) && now < endsAt);
  });
}

/** Compares one watch with the poll, stores the result and notifies its member. */
async function show(app: WatchingApp, watch: Watch, reading: WatchReading): Promise<void> {
  const now = app.clock.now();
  const moved = reading.entry.state !== watch.seen.state;
  const author: ChangeAuthor = moved ? await findAuthor(app, watch, reading.entry.state) : { is: "nobody" };
  const { text, ...change } = compareReading(watch, reading, { now, author });
  const target = { id: watch.target.id, name: reading.entry.name };
  await advanceWatch(app, watch, { ...change, target, misses: 0 }, { lookAt: now + pollEvery, text });
}

/** A failed poll says nothing about the resource: it is counted, and the next poll waits longer. */
async function miss(app: ResourcesApp, watch: Watch): Promise<void> {
  const misses = watch.misses + 1;
  const pause = Math.min(slowestRetry, pollEvery * 2 ** Math.min(misses, 5));
  const name = code(watch.target.name, 60);
  const text =
    misses === worthSaying ? `:grey_question: I cannot read how ${name} is at the moment; I keep looking.` : null;
  await advanceWatch(app, watch, { misses }, { lookAt: app.clock.now() + pause, text });
}

/** Reads the resource once for all watches of the same viewer. */
async function look(app: WatchingApp, watch: Watch, bound: BoundOperation): Promise<void> {
  const sharing = await watchesOn(app, watch);
  const wantsUsage = sharing.some(({ threshold }) => threshold !== null);
  try {
    const entry = await bound.look(watch.target.id);
    const used = wantsUsage ? await bound.usage(watch.target.id) : null;
    for (const each of sharing) {
      const checked = each.id === watch.id ? { bound } : await checkWatch(app, each);
      if ("over" in checked) await end(app, each, checked.over);
      else await show(app, each, { entry, used: each.threshold ? (used?.[each.threshold.figure] ?? null) : null });
    }
  } catch (error) {
    await missAll(app, watch, sharing, { bound, error });
  }
}

/** After a poll that failed: without the key or the resource, nothing more can be polled. */
async function missAll(
  app: WatchingApp,
  watch: Watch,
  sharing: readonly Watch[],
  { bound, error }: { bound: BoundOperation; error: unknown },
): Promise<void> {
  await markRejected(app, bound.link, error);
  if (keyRejected(error)) return end(app, watch, "The platform no longer accepts the key that I looked with.");
  const gone = error instanceof PlatformRefused && error.status === 404;
  if (!gone) app.log.warn({ err: error, card: watch.card }, "Watched resources could not be read");
  for (const each of sharing)
    await (gone ? end(app, each, "The platform does not show it any more.") : miss(app, each));
}
