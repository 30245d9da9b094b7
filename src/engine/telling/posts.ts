import type { Chat, MessageRef } from "../../chat/chat.ts";
import { SlackRefused } from "../../chat/errors.ts";
import type { Priority } from "../../chat/rate-limiter.ts";
import type { Values } from "../../storage/store.ts";
import type { Message } from "../../views/blocks.ts";

/** What a post is known by. */
export interface Marked {
  /** What it is about, and which of its messages it is: how it is found again in Slack. */
  subject: string;
  slot: string;
  priority: Priority;
  /** It cannot have been posted before this (milliseconds since the epoch). */
  since: number;
}

/** The posts of marked messages: none is made a second time where it can be found again. */
export interface Posts {
  post(marked: Marked, channel: string, thread: string | undefined, message: Message): Promise<MessageRef>;
  /** Whether it was tried to post it there, by this process or maybe by one before. */
  mayStandIn(marked: Marked, channel: string): Promise<boolean>;
}

const day = 24 * 60 * 60_000;

export function createPosts(deps: {
  chat: Chat;
  /** What this process has tried to post; gone when it ends. */
  attempts: Values;
  /** When this process began: what is older may have been posted by one that has died. */
  startedAt: number;
}): Posts {
  const { chat, attempts, startedAt } = deps;
  const keyOf = ({ subject, slot }: Marked, channel: string) => `${subject} ${slot} ${channel}`;

  return {
    async post(marked, channel, thread, message) {
      const { subject, slot, priority, since } = marked;
      const mark = { subject, slot };
      const first = await attempts.claim(keyOf(marked, channel), true, day);
      if (!first || since < startedAt) {
        const found = await chat.find(channel, mark, since, thread).catch(notFoundIfRefused);
        if (found) {
          await chat.update(found, message, priority);
          return found;
        }
      }
      return chat.post(channel, message, { priority, mark, ...(thread === undefined ? {} : { thread }) });
    },
    async mayStandIn(marked, channel) {
      return marked.since < startedAt || (await attempts.get(keyOf(marked, channel))) !== undefined;
    },
  };
}

/** Where the app may not read along it cannot look: better told twice than never. */
function notFoundIfRefused(error: unknown): null {
  if (error instanceof SlackRefused) return null;
  throw error;
}
