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
  /** Its message in that channel or thread; null where there is none, or the app may not look. */
  find(marked: Marked, channel: string, thread?: string): Promise<MessageRef | null>;
  /** Notes that it is tried to post it at `place`, a channel or a person. True if it was not tried before. */
  attempt(marked: Marked, place: string): Promise<boolean>;
  /** Whether it was tried to post it there, by this process or maybe by one before. */
  mayStandIn(marked: Marked, place: string): Promise<boolean>;
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
  const keyOf = ({ subject, slot }: Marked, place: string) => `${subject} ${slot} ${place}`;

  function attempt(marked: Marked, place: string): Promise<boolean> {
    return attempts.claim(keyOf(marked, place), true, day);
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
      const { subject, slot, priority, since } = marked;
      const first = await attempt(marked, channel);
      if (!first || since < startedAt) {
        const found = await find(marked, channel, thread);
        if (found) {
          await chat.update(found, message, priority);
          return found;
        }
      }
      const mark = { subject, slot };
      return chat.post(channel, message, { priority, mark, ...(thread === undefined ? {} : { thread }) });
    },
    async mayStandIn(marked, place) {
      return marked.since < startedAt || (await attempts.get(keyOf(marked, place))) !== undefined;
    },
  };
}

/** Where the app may not read along it cannot look: better told twice than never. */
function notFoundIfRefused(error: unknown): null {
  if (error instanceof SlackRefused) return null;
  throw error;
}
