import * as z from "zod";
import type { Chat, MessageRef } from "../chat/chat.ts";
import { SlackRefused } from "../chat/errors.ts";
import type { Priority } from "../chat/rate-limiter.ts";
import { defineKind } from "../storage/kind.ts";
import type { RunToken, TypedKeyv } from "../storage/store.ts";
import type { Message } from "../views/blocks.ts";

/** Identifies a post, so that it can be found in Slack again. */
export interface Marked {
  /** Its subject, and its slot among the subject's messages: the mark by which it is found in Slack. */
  subject: string;
  slot: string;
  priority: Priority;
  /** It cannot have been posted before this (milliseconds since the epoch). */
  since: number;
  /** The run that updates it. Once another instance has taken the run over, nothing is posted for it. */
  run: RunToken;
}

/** Posts marked messages; one that can be found again is edited and not posted twice. */
export interface Posts {
  post(marked: Marked, channel: string, thread: string | undefined, message: Message): Promise<MessageRef>;
  /** The posted message in that channel or thread; null when there is none, or the app may not read there. */
  find(marked: Marked, channel: string, thread?: string): Promise<MessageRef | null>;
  /** Records an attempt to post it at `place`, a channel or a person. True for the first attempt. */
  attempt(marked: Marked, place: string): Promise<boolean>;
  /** True when this process, or possibly an earlier one, attempted to post it there. */
  mayStandIn(marked: Marked, place: string): Promise<boolean>;
}

/** Posts that this process attempted; lost when it ends. */
export const postAttempts = defineKind({
  name: "mark of an attempt",
  namespace: "post-attempts",
  schema: z.literal(true),
  ttlMs: 24 * 60 * 60_000,
  lasts: "memory",
});

export function createPosts(deps: {
  chat: Chat;
  /** Posts that this process attempted; lost when it ends. */
  attempts: TypedKeyv<true>;
  /** True when this process created the message's subject. */
  madeHere: (subject: string) => Promise<boolean>;
}): Posts {
  const { chat, attempts, madeHere } = deps;
  const keyOf = ({ subject, slot }: Marked, place: string) => `${subject} ${slot} ${place}`;

  async function attempt(marked: Marked, place: string): Promise<boolean> {
    // The run lets no other instance attempt the same post at the same time, so that two steps suffice.
    const first = !(await attempts.has(keyOf(marked, place)));
    await attempts.set(keyOf(marked, place), true);
    return first;
  }

  function find(
    { subject, slot, since }: Marked,
    channel: string,
    thread: string | undefined,
  ): Promise<MessageRef | null> {
    return chat.find(channel, { subject, slot }, since, thread).catch(notFoundIfRefused);
  }

  return {
    attempt,
    find,
    async post(marked, channel, thread, message) {
      const { subject, slot, priority, run } = marked;
      const first = await attempt(marked, channel);
      if (!first || !(await madeHere(subject))) {
        const found = await find(marked, channel, thread);
        if (found) {
          await chat.update(found, message, { priority, run });
          return found;
        }
      }
      const mark = { subject, slot };
      return chat.post(channel, message, { priority, mark, run, ...(thread === undefined ? {} : { thread }) });
    },
    async mayStandIn(marked, place) {
      return !(await madeHere(marked.subject)) || (await attempts.has(keyOf(marked, place)));
    },
  };
}

/** The app cannot read this channel's history. A message that comes twice is better than none. */
function notFoundIfRefused(error: unknown): null {
  if (error instanceof SlackRefused) return null;
  throw error;
}
