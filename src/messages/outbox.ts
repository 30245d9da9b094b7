// messages/: the one outbox: makes messages match what is stored, for as long as Slack takes to accept them.

import { hash } from "node:crypto";
import * as z from "#zod";
import type { Clock } from "../process/clock.ts";
import { inRequest } from "../process/trace.ts";
import { StorageError } from "../storage/errors.ts";
import type { StoreApp } from "../storage/foundation.ts";
import { defineKind, type Kind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { LaneHandlers, RunToken, Store } from "../storage/store.ts";
import type { Message } from "../views/blocks.ts";
import { SlackUnanswered } from "./chat/errors.ts";
import type { Priority } from "./chat/rate-limiter.ts";
import type { Place, Placed, Placing } from "./postman.ts";

/**
 * Lanes of the timers of notifications that a member waits for, and of alerts. Many alerts wait for Slack's rate limit, so neither kind
 * takes the other's turns.
 */
export const notificationLane = "notify:";
export const alertLane = "alert:";

/** The id of the timer at which the outbox brings the messages of a subject up to date. */
export function notificationTimer(kind: string, id: string): string {
  return `${notificationLane}${kind}:${id}`;
}

/** The same for a subject that is an alert. */
export function alertTimer(kind: string, id: string): string {
  return `${alertLane}${kind}:${id}`;
}

/** A message that should be in Slack, derived from the stored state. */
export interface Notification {
  /** Identifies the message among those of its subject. */
  slot: string;
  to: Place;
  message: Message;
  priority: Priority;
  /** The earliest time at which any version of it can have been posted (milliseconds since the epoch). */
  since: number;
  /** The earliest time to post it, if it is still due then (milliseconds since the epoch); at once unless given. */
  notBefore?: number;
  /** When the message changes by itself (milliseconds since the epoch). */
  changesAt?: number | undefined;
}

/** Derives all messages about one kind of subject from the stored state and nothing else. */
export interface NotificationSource {
  /** True if a subject's id is a request's: the messages are part of that request's traces and log lines. */
  ofRequests?: boolean;
  /** All messages that should exist; `posted` are the slots that were posted already. Null when there is no such subject. */
  notifications(id: string, posted: ReadonlySet<string>): Promise<Notification[] | null>;
  /** Called when a message cannot be posted anywhere, so that the source can store that. */
  unplaced?(id: string, slot: string, reason: string): Promise<void>;
  /** Called when a message is in Slack with its present content. */
  placed?(id: string, slot: string, to: Place): Promise<void>;
}

/** The source of messages that follow from one record each; a subject's id is its record's key. */
export function fromRecords<T>(
  { store }: StoreApp,
  kind: Kind<T>,
  derive: (record: T, id: string) => Notification[] | Promise<Notification[]>,
): NotificationSource {
  return {
    async notifications(id) {
      const record = await store.keyv(kind).get(id);
      return record === undefined ? null : derive(record, id);
    },
  };
}

/** A posted message: its place in Slack, and a digest of its content. */
const PostedMessage = z.object({
  /** Null for a message that was shown to one person, which Slack cannot find again. */
  ref: z.object({ channel: z.string(), ts: z.string(), thread: z.string().optional() }).nullable(),
  digest: z.string(),
});
export type PostedMessage = z.infer<typeof PostedMessage>;
const PostedSlots = z.object({
  slots: z.record(z.string(), PostedMessage),
  /** Slots whose edit Slack left unanswered, and when each is edited again: Slack may apply the lost edit after a newer one. */
  unsure: z.record(z.string(), z.number()).optional(),
});

const day = 24 * 60 * 60_000;
/** Longer than any pause between two messages about a subject: a scheduled request waits for up to a month. */
const kept = 62 * day;
const deliveryKind = defineKind({
  name: "delivery",
  namespace: "deliveries",
  schema: PostedSlots,
  ttlMs: kept,
  // The message is in Slack already, and a run that lacks this record looks for it there. The end of this run is stored after it.
  lasts: "system",
});
const subjectsAtOnce = 256;
/** Longer than Slack delays a call that it applies late, or than a process that ended sent it before. */
const editAgainAfterMs = 3 * 60_000;

/**
 * Delivers all notifications. Messages are not sent but derived. A timer that was stored before the change
 * makes the messages match the stored state, with retries while Slack is down. A message that matches is left alone, so that a second run
 * changes nothing.
 */
export interface Outbox {
  timers: LaneHandlers;
  source(kind: string, source: NotificationSource): void;
  /** The place of a subject's message in Slack; null when there is none. */
  placeOf(kind: string, id: string, slot: string): Promise<PostedMessage["ref"]>;
}

export function createOutbox(deps: {
  store: Store;
  /** The postman's. */
  placeMessage: (placing: Placing) => Promise<Placed>;
  clock: Clock;
}): Outbox {
  const { store, placeMessage, clock } = deps;
  const sources = new Map<string, NotificationSource>();
  const deliveries = store.keyv(deliveryKind);

  async function deliver(kind: string, id: string, run: RunToken): Promise<number | undefined> {
    const source = sources.get(kind);
    if (!source) throw new Error(`This version of Rackbell posts no messages of the kind ${kind}`);
    const subject = `${kind}:${id}`;
    let stored = await store.read(deliveryKind, subject);
    const posted = { ...stored.value?.slots };
    const unsure = { ...stored.value?.unsure };
    const failures: unknown[] = [];
    const tried = new Set<string>();
    /** When the earliest message that is not due yet becomes due. */
    let nextDueAt: number | undefined;
    /** When the missing messages were last computed. */
    let computedAt = clock.now();

    /** Compares before it stores: an instance that stood still must not undo what another one has stored meanwhile. */
    async function storePosted(): Promise<void> {
      const change = replacing(stored, { slots: posted, unsure });
      if (!(await store.transact({ records: [change] })))
        throw new StorageError(`Another instance has brought the messages of ${subject} up to date meanwhile`);
      stored = { ...stored, was: change.text };
    }

    const mustEditAgain = (slot: string): boolean =>
      posted[slot]?.ref != null && (unsure[slot] ?? Infinity) <= computedAt;

    /** The due messages that are absent or outdated in Slack, or whose unanswered edit must be repeated. */
    async function missing(source: NotificationSource): Promise<(Notification & { digest: string })[]> {
      const askedAt = clock.now();
      const all = (await source.notifications(id, new Set(Object.keys(posted)))) ?? [];
      computedAt = clock.now();
      const early = all
        .flatMap(({ notBefore, changesAt }) => [notBefore, changesAt])
        // One that changes by itself while it is derived is the old one.
        .flatMap((at) => (at !== undefined && at > askedAt ? [at] : []));
      nextDueAt = early.length > 0 ? Math.min(...early) : undefined;
      return all
        .filter(({ notBefore = 0 }) => notBefore <= computedAt)
        .filter(({ slot }) => !tried.has(slot))
        .map((notification) => ({ ...notification, digest: digestOf(notification) }))
        .filter(({ slot, digest }) => posted[slot]?.digest !== digest || mustEditAgain(slot));
    }

    /** A process that ended in this run may have sent an older edit, which Slack applies after the one that was made now. */
    function noteOvertaken(slot: string, before: PostedMessage | undefined): void {
      if (run.repeats && before?.ref) unsure[slot] = clock.now() + editAgainAfterMs;
    }

    async function place(source: NotificationSource, notification: Notification & { digest: string }): Promise<void> {
      const { to, slot, digest } = notification;
      // A source names the message above before its replies. If that one failed, the next run posts both.
      const above = to.in === "thread" ? posted[to.under] : null;
      if (above === undefined) return;
      const before = posted[slot];
      const isRepeated = mustEditAgain(slot);
      const placed = await placeMessage({
        ...notification,
        subject,
        posted: before?.ref,
        under: above?.ref ?? null,
        run,
        settling: before?.digest === digest,
      }).catch(async (error: unknown) => {
        if (!isUnansweredEdit(error)) throw error;
        unsure[slot] = clock.now() + editAgainAfterMs;
        await storePosted();
        throw error;
      });
      if ("unplaced" in placed) {
        await store.timers.prove(run);
        return source.unplaced?.(id, slot, placed.unplaced);
      }
      posted[slot] = { ref: placed.ref, digest };
      if (isRepeated) delete unsure[slot];
      noteOvertaken(slot, before);
      // If the process dies before this write, the next run finds the message in the channel's history.
      await storePosted();
      await source.placed?.(id, slot, to);
    }

    // Post one after the other: a reply needs the message above it.
    let [next, ...others] = await missing(source);
    while (next) {
      tried.add(next.slot);
      // A message that fails must not hold up the others. The next run tries all of them again.
      await place(source, next).catch((error: unknown) => failures.push(error));
      // The post may have waited long for Slack's rate limit, so derive the remaining messages again.
      [next, ...others] = others.length > 0 ? await missing(source) : [];
    }
    if (failures.length > 0) throw failures[0];
    const later = [nextDueAt, ...Object.values(unsure).filter((at) => at > computedAt)].filter(
      (at) => at !== undefined,
    );
    return later.length > 0 ? Math.min(...later) : undefined;
  }

  function onTimer(timerId: string, run: RunToken): Promise<number | undefined> {
    const [, kind = "", ...rest] = timerId.split(":");
    const id = rest.join(":");
    const work = () => deliver(kind, id, run);
    return sources.get(kind)?.ofRequests ? inRequest(id, work) : work();
  }

  const handler = { run: onTimer, atOnce: subjectsAtOnce };

  return {
    timers: { [notificationLane]: handler, [alertLane]: handler },
    source(kind, source) {
      sources.set(kind, source);
    },
    async placeOf(kind, id, slot) {
      return (await deliveries.get(`${kind}:${id}`))?.slots[slot]?.ref ?? null;
    },
  };
}

/** True for an edit that Slack may still apply, after later edits. */
function isUnansweredEdit(error: unknown): boolean {
  return error instanceof SlackUnanswered && error.maybeApplied && error.method === "chat.update";
}

function digestOf({ message, to }: Notification): string {
  return hash("sha256", JSON.stringify([message, to]), "base64url").slice(0, 22);
}

/** The same message for the direct messages of each user. `prefix` separates its slots from the subject's others. */
export function directNotifications(
  users: readonly string[],
  { message, since, prefix = "" }: { message: Message; since: number; prefix?: string },
): Notification[] {
  return users.map((user) => ({
    slot: `${prefix}${user}`,
    to: { in: "direct", user },
    message,
    priority: "ending",
    since,
  }));
}
