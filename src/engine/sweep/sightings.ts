// engine/sweep/: gentle reading in the background with the workspace's reading keys: what no event tells of, and what an event should have told.
// May import: engine/, engine/*, identities/, platform/, platform/*, views/, storage/, the clock.

import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import { eventNames as toldNames } from "../../platform/reseller/events.ts";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";
import type { Audit } from "../audit/audit.ts";
import { type EventLog, type FoundEvent, saleOf } from "../cards/event-log.ts";
import { partOf } from "../cards/latest.ts";

const minute = 60_000;
/** A sweep of the supplier's a minute, and four tries that wait for 15 minutes in all: so long an event may still come by itself. Reseller spec section 6. */
const comesWithinMs = 16 * minute;
/** What a member did may show a little before the round in which it is looked for. */
const slackMs = 5 * minute;
/** How far back it is looked for what is told already. */
const looked = 20;

const Side = z.object({
  /** Null: not seen before what is in `next`. */
  state: z.string().nullable(),
  /** Since when, in milliseconds; 0: it was so when it was looked at first. */
  at: z.number(),
  /** Another state that was seen, and when first: an event of it may still be on its way. */
  next: z.object({ state: z.string(), since: z.number() }).nullable(),
});
type Side = z.infer<typeof Side>;
const Seen = z.object({ sides: z.record(z.string(), Side) });

/** What a change of state is told as. */
export interface News extends Omit<FoundEvent, "unique" | "askedBy"> {
  /** Members' commands that lead to it: what was asked for does not ring. Null: none does. */
  by: RegExp | null;
  /** However long ago: it is what came of the command. */
  whenever?: boolean;
}

/** How one side of a thing is now: a service's billing, its machine, what is due of it. */
export interface Sighting {
  side: string;
  state: string;
  /** What it means after that state before, null where it was not known; null where it is no news. */
  news(before: string | null): News | null;
  /** Waits for the supplier's own event first. */
  patient?: boolean;
}

/** What is known of the round of reading that a sighting belongs to. */
export interface Round {
  /** It is the first since the key was connected: what is there is not new. */
  first: boolean;
  /** When the round before it began, in milliseconds. */
  since: number;
  /** The key that it is read with, and no part of it. */
  key: string;
}

/** What reading has shown so far, and what of it is news. */
export interface Sightings {
  /** Compares a thing with what was last seen of it, tells what is news, and remembers it. */
  see(thing: string, sightings: Sighting[], round: Round): Promise<void>;
  /** Since when a side of a thing has been seen in that state (milliseconds since the epoch; 0: ever since it was looked at first); null where it was not. */
  isSince(thing: string, side: string, state: string): Promise<number | null>;
}

export function createSightings(deps: {
  store: Store;
  clock: Clock;
  log: Logger;
  events: Pick<EventLog, "newest">;
  audit: Pick<Audit, "newest">;
  tell: (found: FoundEvent) => Promise<unknown>;
}): Sightings {
  const { store, clock, log, events, audit, tell } = deps;
  const seen = createRecords(store.values("sweep-seen"), { name: "sighting", schema: Seen, version: 1, log });

  /** The member who did it through Rackbell since it was looked at last. */
  async function askedBy({ by, whenever = false, data }: News, { since }: Round): Promise<string | null> {
    if (by === null) return null;
    const { serviceId, orderId, externalOrderId, documentId, imageId } = data;
    const things = [serviceId, orderId, externalOrderId, documentId, imageId].flatMap((id) => id ?? []);
    // What was bought for a service is called off by a command about the service.
    for (let next = things.shift(); next !== undefined; next = things.shift()) {
      const entries = await audit.newest({ about: next, limit: looked, begun: true });
      const own = entries.find(
        ({ at, entry }) => (whenever || at > since - slackMs) && by.test(entry.command) && ran.has(entry.what),
      );
      if (own) return own.entry.slackUser;
      if (next === documentId)
        things.push(...entries.flatMap(({ entry }) => entry.target?.id ?? []).filter((id) => id !== next));
    }
    return null;
  }

  /** Whether the log says it already, of the order or of the service: whoever told it first, it rings once. */
  async function isTold({ event, data }: News): Promise<boolean> {
    if (!couldBeTold.has(event)) return false;
    const names = [event, ...(sameAs.get(event) ?? [])];
    const ofOrder = event.startsWith("order.");
    const listed = ofOrder ? (data.services ?? []).map(({ serviceId }) => serviceId) : [];
    for (const about of [ofOrder ? data.orderId : data.serviceId, ...listed]) {
      if (!about) continue;
      const told = (await events.newest({ about, limit: looked })).filter(({ aside }) => aside === null);
      // A service goes to and fro: what was told of it last counts.
      const last = ofOrder ? [] : told.filter((one) => partOf(one) === partOf({ event, data })).slice(0, 1);
      if ((ofOrder ? told : last).some((one) => names.includes(one.event))) return true;
      if (!ofOrder && told.some((one) => one.event.startsWith("order.") && names.includes(one.event))) return true;
    }
    return false;
  }

  /** With what the supplier's events have said of the thing, so that it stands on the same card. */
  async function completed({ data, ...news }: News): Promise<News> {
    if (!data.serviceId || data.orderId) return { ...news, data };
    return { ...news, data: { ...(await saleOf(events, data.serviceId)), ...data } };
  }

  /** The side as it is to be remembered; null where it stays as it was. */
  async function look(
    thing: string,
    { side, state, news, patient = false }: Sighting,
    before: Side | undefined,
    round: Round,
  ): Promise<Side | null> {
    if (before?.state === state) return before.next ? { ...before, next: null } : null;
    const now: Side = { state, at: clock.now(), next: null };
    if (!before && round.first) return { ...now, at: 0 };
    const told = news(before?.state ?? null);
    if (!told || (await isTold(told))) return now;
    const since = before?.next?.state === state ? before.next.since : now.at;
    if (patient && now.at - since < comesWithinMs)
      return { state: before?.state ?? null, at: before?.at ?? 0, next: { state, since } };
    const { by, whenever, ...found } = await completed(told);
    // The same change has the same name, however often it is found after a crash.
    const unique = JSON.stringify([thing, side, before?.state ?? null, before?.at ?? 0, state]);
    await tell({ ...found, askedBy: await askedBy(told, round), unique });
    return now;
  }

  return {
    async isSince(thing, side, state) {
      const found = (await seen.get(thing))?.sides[side];
      return found?.state === state ? found.at : null;
    },
    async see(thing, sightings, round) {
      if (sightings.length === 0) return;
      const before = await seen.get(thing);
      const changed: [string, Side][] = [];
      for (const sighting of sightings) {
        const side = await look(thing, sighting, before?.sides[sighting.side], round);
        if (side) changed.push([sighting.side, side]);
      }
      // The other API may have shown another side of it meanwhile.
      if (changed.length > 0)
        await seen.update(thing, (now) => ({ sides: { ...now?.sides, ...Object.fromEntries(changed) } }));
    },
  };
}

/** What becomes of a command that has run, or may have. */
const ran = new Set(["begun", "approved", "copying", "done", "unknown", "reconciled", "ended"]);

/** What the supplier's events tell as well, or an event of the order's. */
const couldBeTold = new Set<string>([...toldNames, "order.completed", "order.failed"]);

/** What says the same of an order and of its services. */
const sameAs = new Map<string, string[]>([
  ["order.completed", ["service.provisioned"]],
  ["order.failed", ["service.provisioning_failed"]],
  ["service.provisioning_failed", ["order.failed"]],
]);
