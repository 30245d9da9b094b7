import { notificationTimer } from "../../notifications/outbox.ts";
import type { Foundation } from "../../storage/foundation.ts";
import { createRecords } from "../../storage/records.ts";
import { scanIndex } from "../../storage/scan-all.ts";
import type { Store } from "../../storage/store.ts";
import { Watch } from "./watch.ts";

const namespace = "watches";
export const watchKind = "watch";
/** One timer for all watches of a viewer, so that its polls run one at a time. */
export const watchWake = "watch:";
/** A watch is stored for so long after its end, so that its last message still reaches a member who was away. */
const keptMs = 7 * 24 * 60 * 60_000;
const mostNews = 5;

/** Stores the watches and their indexes. Every step of a watch is one transaction with its timers. */
export interface WatchStore {
  read(id: string): Promise<Watch | undefined>;
  create(watch: Watch, lookAt: number): Promise<void>;
  /**
   * Stores the change, and sends `text` to the watch's member. Returns the changed watch; null when another step was stored first. A
   * watch that has ended is not polled again.
   */
  advance(watch: Watch, change: Partial<Watch>, also: { lookAt: number; text: string | null }): Promise<Watch | null>;
  /** The member's watches that have not ended. */
  of(member: string): Promise<Watch[]>;
  /** The viewer's watch that is polled first, and when. */
  first(viewer: string): Promise<{ id: string; at: number } | null>;
  /** All watches of one resource by the same viewer. */
  on(watch: Pick<Watch, "viewer" | "card" | "target">): Promise<Watch[]>;
  /** Removes the index entry of a watch that no longer exists. */
  forget(viewer: string, id: string): Promise<void>;
}

export function createWatchStore({ store, clock, log }: Foundation): WatchStore {
  const records = createRecords(store.values(namespace), { name: "watch", schema: Watch, version: 1, log });

  async function commit(before: Watch | undefined, watch: Watch, lookAt: number, tell: boolean): Promise<boolean> {
    const { id, viewer, endsAt } = watch;
    const now = clock.now();
    return store.commit({
      record: { namespace, key: id, expected: before, value: watch, ttlMs: Math.max(0, endsAt - now) + keptMs },
      index: indexesOf(watch, lookAt),
      wake: [
        { id: `${watchWake}${viewer}`, at: lookAt },
        ...(tell ? [{ id: `${notificationTimer}${watchKind}:${id}`, at: now }] : []),
      ],
    });
  }

  async function found(index: string): Promise<Watch[]> {
    const watches: Watch[] = [];
    for await (const { member } of scanIndex(store.index(index))) {
      const watch = await records.get(member);
      if (watch && watch.ended === null) watches.push(watch);
    }
    return watches;
  }

  return {
    read: (id) => records.get(id),
    async create(watch, lookAt) {
      if (!(await commit(undefined, Watch.parse(watch), lookAt, false)))
        throw new Error("A watch of this id is there already");
    },
    async advance(watch, change, { lookAt, text }) {
      const told = text === null ? watch.news : withNews(watch, text, clock.now());
      const next = Watch.parse({ ...watch, news: told, ...change });
      return (await commit(watch, next, lookAt, text !== null)) ? next : null;
    },
    of: (member) => found(ofMember(member)),
    async first(viewer) {
      const { entries } = await store.index(dueOf(viewer)).range({ limit: 1 });
      const [next] = entries;
      return next ? { id: next.member, at: next.score } : null;
    },
    on: (watch) => found(onThing(watch)),
    forget: (viewer, id) => store.index(dueOf(viewer)).remove(id),
  };
}

const ofMember = (member: string) => `watches-of:${member}`;
const dueOf = (viewer: string) => `watches-due:${viewer}`;
const onThing = ({ viewer, card, target }: Pick<Watch, "viewer" | "card" | "target">) =>
  `watches-on:${viewer} ${card} ${target.id}`;

function indexesOf(watch: Watch, lookAt: number): NonNullable<Parameters<Store["commit"]>[0]["index"]> {
  const { id: member, endsAt, ended } = watch;
  return [
    { name: ofMember(watch.member), member, score: ended ? null : endsAt },
    { name: dueOf(watch.viewer), member, score: ended ? null : lookAt },
    { name: onThing(watch), member, score: ended ? null : endsAt },
  ];
}

function withNews({ news }: Watch, text: string, at: number): Watch["news"] {
  const slot = (news.at(-1)?.slot ?? 0) + 1;
  return [...news, { slot, at, text }].slice(-mostNews);
}
