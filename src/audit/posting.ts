import * as z from "#zod";
import { readSettings } from "../members/settings/settings.ts";
import { fromRecords, type NotificationSource, notificationTimer } from "../messages/outbox.ts";
import type { Step } from "../operation/answer.ts";
import type { Foundation, StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import { type Block, type Message, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import { checkpointNote, digestOfCheckpoint } from "./checkpoint.ts";
import { newestCheckpoint } from "./checkpoints.ts";

export const postTimer = "audit-post:";
export const checkpointSubject = "checkpoint";
const newestKey = "newest";
const day = 24 * 60 * 60_000;
const month = 30 * day;
const Post = z.object({
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
const checkpointPosts = defineKind({ name: "posted checkpoint", namespace: "audit-posts", schema: Post });

// Posts the newest checkpoint into a Slack channel once a day, if an admin wants it: a rewrite of the store cannot reach it there.

/** The last post; null when there is none. */
export async function lastPost({ store }: StoreApp): Promise<Post | null> {
  return (await store.keyv(checkpointPosts).get(newestKey)) ?? null;
}

/** Checks at once whether there is a checkpoint to post. */
export function postCheckpointNow({ store, clock }: TimedApp): Promise<void> {
  return store.timers.set(`${postTimer}daily`, clock.now());
}

/** The timer's run. Resolves to the time of the next post. */
export async function postCheckpoint(app: TimedApp): Promise<number | undefined> {
  const { store, clock } = app;
  const { checkpointsPosted, approvalsChannel: channel } = await readSettings(app);
  if (!checkpointsPosted) return undefined;
  const [head, newest] = await Promise.all([newestCheckpoint(app), store.read(checkpointPosts, newestKey)]);
  const before = newest.value;
  if (head && channel !== null && (head.number !== before?.number || channel !== before.channel)) {
    const now = clock.now();
    const { number, at } = head;
    const value: Post = { number, at, digest: digestOfCheckpoint(head), channel, postedAt: now, problem: null };
    await store.keyv(checkpointPosts).set(String(number), value, month);
    await store.transact({
      records: [replacing(newest, value)],
      timers: [{ id: notificationTimer(checkpointSubject, String(number)), at: now }],
    });
  }
  return clock.now() + day;
}

/** `buttons`: the blocks of the steps under a posted checkpoint. */
export function checkpointMessages(
  app: Pick<Foundation, "store" | "log">,
  buttons: (steps: Step[]) => Block[],
): NotificationSource {
  return {
    ...fromRecords(app, checkpointPosts, (post) => {
      const to = { in: "channel", channel: post.channel, otherwise: null, lasting: false } as const;
      const message = messageOf(post, buttons);
      // One slot for each channel: otherwise the post for a new approvals channel would edit the message in the former one.
      const slot = `${checkpointSubject}:${post.channel}`;
      return [{ slot, to, message, priority: "progress", since: post.postedAt }];
    }),
    async unplaced(id, _slot, reason) {
      app.log.warn({ reason }, "A checkpoint of the audit could not be posted");
      const newest = await lastPost(app);
      if (newest && String(newest.number) === id)
        await app.store.keyv(checkpointPosts).set(newestKey, { ...newest, problem: reason });
    },
  };
}

function messageOf(post: Post, buttons: (steps: Step[]) => Block[]): Message {
  const note = checkpointNote(post);
  const text = `Checkpoint ${post.number} of the audit, taken ${moment(post.at)}: ${code(note)}`;
  const why =
    "It seals every entry up to then. Keep this message: nobody who changes the store can change it. Compare the audit log with it at any time.";
  const step = { label: "Compare the audit log", command: "rackbell audit verify", input: { checkpoint: note } };
  return { text, blocks: [section(`${text}\n${why}`), ...buttons([step])] };
}
