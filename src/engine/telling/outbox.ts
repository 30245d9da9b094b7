// engine/telling/: the one outbox: makes messages match what is stored, for as long as Slack takes to accept them.
// May import: engine/answers/, operation/, views/, chat/, identities/, platform/*, storage/, the clock.

import { hash } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import type { Priority } from "../../chat/rate-limiter.ts";
import { createRecords, type Records } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";
import type { Message } from "../../views/blocks.ts";
import type { Place, Postman } from "./postman.ts";

/** News that somebody waits for, and alerts, which may be many and wait for Slack's pace: neither takes the other's turns. */
export const tellWake = "tell:";
export const ringWake = "ring:";

/** A message that ought to stand somewhere, as what is stored says now. */
export interface Telling {
  /** Which of its subject's messages it is. */
  slot: string;
  to: Place;
  message: Message;
  priority: Priority;
  /** When it can have been posted first, in whatever state its subject was then (milliseconds since the epoch). */
  since: number;
}

/** What is told of one kind of subject: all that ought to be seen, made from what is stored and nothing else. */
export interface TellingSource {
  /** All that ought to stand, given the slots that stand already; null where there is no such subject. */
  tellings(id: string, told: ReadonlySet<string>): Promise<Telling[] | null>;
  /** A message found no place at all: what is stored must say so. */
  unplaced?(id: string, slot: string, reason: string): Promise<void>;
  /** A message stands as it ought to. */
  placed?(id: string, slot: string): Promise<void>;
}

/** Where a message stands, and what it says there. */
const Told = z.object({
  /** Null: it was shown to one person and cannot be found again. */
  ref: z.object({ channel: z.string(), ts: z.string(), thread: z.string().optional() }).nullable(),
  digest: z.string(),
});
export type Told = z.infer<typeof Told>;
const Delivery = z.object({ v: z.literal(1), slots: z.record(z.string(), Told) });
type Delivery = z.infer<typeof Delivery>;

const namespace = "deliveries";
/** Longer than anything waits between two things that are told of it: what is planned waits for a month. */
const kept = 62 * 24 * 60 * 60_000;
const subjectsAtOnce = 256;

/**
 * The one way in which news reaches people (design sections 4 and 6). What is to be told is not sent but derived: a wake-up that was
 * stored before the fact makes the messages match the fact, with retries for as long as Slack is down. What stands as it ought to is
 * left alone, so that telling twice changes nothing.
 */
export interface Outbox {
  source(kind: string, source: TellingSource): void;
  /** Where a subject's message stands, if it stands anywhere. */
  placeOf(kind: string, id: string, slot: string): Promise<Told["ref"]>;
}

/** For who has just made a subject of this kind: nothing of it was told yet, and that need not be looked up. */
export function untold(store: Store, kind: string): (id: string) => void {
  const values = store.values(namespace);
  return (id) => values.fresh(`${kind}:${id}`);
}

export function createOutbox(deps: { store: Store; postman: Postman; log: Logger }): Outbox {
  const { store, postman, log } = deps;
  const sources = new Map<string, TellingSource>();
  const deliveries: Records<Delivery> = createRecords(store.values(namespace), {
    name: "delivery",
    schema: Delivery,
    version: 1,
    log,
  });

  async function tell(wakeId: string): Promise<void> {
    const [, kind = "", ...rest] = wakeId.split(":");
    const id = rest.join(":");
    const source = sources.get(kind);
    if (!source) throw new Error(`Nothing in this version of Rackbell tells of ${kind}`);
    const subject = `${kind}:${id}`;
    const told = { ...((await deliveries.get(subject))?.slots ?? {}) };
    const failures: unknown[] = [];
    const tried = new Set<string>();

    /** What does not stand as what is stored says now. */
    async function missing(source: TellingSource): Promise<(Telling & { digest: string })[]> {
      const all = (await source.tellings(id, new Set(Object.keys(told)))) ?? [];
      return all
        .filter(({ slot }) => !tried.has(slot))
        .map((telling) => ({ ...telling, digest: digestOf(telling) }))
        .filter(({ slot, digest }) => told[slot]?.digest !== digest);
    }

    async function place(source: TellingSource, telling: Telling & { digest: string }): Promise<void> {
      const { to, slot, digest } = telling;
      // What it is a reply to could not be placed: it waits for that, and for the next try.
      if (to.in === "thread" && told[to.under] === undefined) return;
      const under = to.in === "thread" ? (told[to.under]?.ref ?? null) : null;
      const placed = await postman.place({ ...telling, subject, now: told[slot]?.ref, under });
      if ("unplaced" in placed) return source.unplaced?.(id, slot, placed.unplaced);
      told[slot] = { ref: placed.ref, digest };
      // Were it lost, the message would be found in the channel's history.
      await deliveries.note(subject, { v: 1, slots: told }, kept);
      await source.placed?.(id, slot);
    }

    // One after the other: a reply needs the message that it belongs under.
    for (let [next, ...others] = await missing(source); next; ) {
      tried.add(next.slot);
      // What else there is to tell does not wait for what fails; this is tried again with all the rest.
      await place(source, next).catch((error: unknown) => failures.push(error));
      // It may have waited long for its turn in Slack: what comes after it is told as it is by now.
      [next, ...others] = others.length > 0 ? await missing(source) : [];
    }
    if (failures.length > 0) throw failures[0];
  }

  for (const lane of [tellWake, ringWake]) store.wakeups.handle(lane, tell, { atOnce: subjectsAtOnce });

  return {
    source(kind, source) {
      sources.set(kind, source);
    },
    async placeOf(kind, id, slot) {
      return (await deliveries.get(`${kind}:${id}`))?.slots[slot]?.ref ?? null;
    },
  };
}

function digestOf({ message, to }: Telling): string {
  return hash("sha256", JSON.stringify([message, to]), "base64url").slice(0, 22);
}
