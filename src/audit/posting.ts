import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import { type NotificationSource, notificationTimer } from "../notifications/outbox.ts";
import type { Step } from "../operation/answer.ts";
import { readSettings } from "../records/settings.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { LaneHandlers, Store } from "../storage/store.ts";
import { type Block, type Message, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import { digestOfCheckpoint } from "./checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";

const lane = "audit-post:";
const wake = `${lane}daily`;
const kind = "checkpoint";
const newestKey = "newest";
const day = 24 * 60 * 60_000;
const month = 30 * day;
/** Of a digest's 43 characters: enough that nobody can find another content with the same beginning. */
const notedLength = 22;

const Post = z.object({
  v: z.literal(1),
  number: z.number(),
  at: z.number(),
  digest: z.string(),
  channel: z.string(),
  postedAt: z.number(),
  /** The reason why it could not be posted, as the beginning of a sentence. */
  problem: z.string().nullable(),
});
type Post = z.infer<typeof Post>;

/** Each by its number, and the newest, for as long as there is none after it. */
const checkpointPosts = defineKind({ name: "posted checkpoint", namespace: "audit-posts", schema: Post, version: 1 });

/** Posts the newest checkpoint into a Slack channel once a day, if an admin wants it: a rewrite of the store cannot reach it there. */
export interface CheckpointPosts {
  /** Checks at once whether there is a checkpoint to post. */
  look(): Promise<void>;
  /** The last post; null when there is none. */
  last(): Promise<Post | null>;
  notifications: NotificationSource;
  timers: LaneHandlers;
}

export function createCheckpointPosts(deps: {
  store: Store;
  checkpoints: Checkpoints;
  /** The buttons of the steps under a posted checkpoint. */
  buttons: (steps: Step[]) => Block[];
  clock: Clock;
  log: Logger;
}): CheckpointPosts {
  const { store, checkpoints, buttons, clock, log } = deps;
  const posts = store.keyv(checkpointPosts);
  const read = async (key: string): Promise<Post | null> => (await posts.get(key)) ?? null;

  async function post(): Promise<number | undefined> {
    const { checkpointsPosted, approvalsChannel: channel } = await readSettings(deps);
    if (!checkpointsPosted) return undefined;
    const [head, newest] = await Promise.all([checkpoints.head(), store.read(checkpointPosts, newestKey)]);
    const before = newest.value;
    if (head && channel !== null && (head.number !== before?.number || channel !== before.channel)) {
      const now = clock.now();
      const { number, at } = head;
      const digest = digestOfCheckpoint(head);
      const value: Post = { v: 1, number, at, digest, channel, postedAt: now, problem: null };
      await posts.set(String(number), value, month);
      await store.transact({
        records: [replacing(newest, value)],
        timers: [{ id: `${notificationTimer}${kind}:${number}`, at: now }],
      });
    }
    return clock.now() + day;
  }

  return {
    timers: { [lane]: post },
    look: () => store.wakeups.wake(wake, clock.now()),
    last: () => read(newestKey),
    notifications: {
      async notifications(id) {
        const post = await read(id);
        if (!post) return null;
        const { channel, postedAt: since } = post;
        const to = { in: "channel", channel, otherwise: null, lasting: false } as const;
        return [{ slot: kind, to, message: messageOf(post, buttons), priority: "progress", since }];
      },
      async unplaced(id, _slot, reason) {
        log.warn({ reason }, "A checkpoint of the audit could not be posted");
        const newest = await read(newestKey);
        if (newest && String(newest.number) === id) await posts.set(newestKey, { ...newest, problem: reason });
      },
    },
  };
}

/** The text by which people note a checkpoint. */
export function noteOf({ number, digest }: { number: number; digest: string }): string {
  return `${number}.${digest.slice(0, notedLength)}`;
}

/** Reads the text that `noteOf` made; undefined for any other text. */
export function readNote(text: string): { number: number; digest: string } | undefined {
  const [, number, digest] = /^(\d{1,15})\.([\w-]{22})$/.exec(text.trim().replaceAll("`", "")) ?? [];
  return number && digest ? { number: Number(number), digest } : undefined;
}

function messageOf(post: Post, buttons: (steps: Step[]) => Block[]): Message {
  const note = noteOf(post);
  const text = `Checkpoint ${post.number} of the audit, taken ${moment(post.at)}: ${code(note)}`;
  const why = `It seals every entry up to then. Keep this message: nobody who changes the store can change it. Compare the audit log with it at any time.`;
  const step: Step = {
    label: "Compare the audit log",
    command: "rackbell audit verify",
    input: { checkpoint: note },
  };
  return {
    text,
    blocks: [section(`${text}\n${why}`), ...buttons([step])],
  };
}
