import type { Chat, MessageRef } from "../../chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../../chat/errors.ts";
import type { People } from "../../chat/people.ts";
import type { Values } from "../../storage/store.ts";
import { context, type Message } from "../../views/blocks.ts";
import { channelProblem, problemOf } from "../answers/channel-problem.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import { createPosts, type Marked, type Posts } from "./posts.ts";

/** Where a message belongs. */
export type Place =
  /** A channel, or a thread in it; where it may not or cannot stand there, its origin's member gets it, or nobody does. `lasting`: it will be edited. */
  | { in: "channel"; channel: string; thread?: string; otherwise: Origin | null; lasting: boolean }
  | { in: "direct"; user: string }
  /** A reply under another message of the same subject; where that cannot be, `user` gets it, if there is one. */
  | { in: "thread"; under: string; user: string | null }
  /** Shown to who asked, and to nobody else. `fleeting`: it stands elsewhere as well, and need not reach who does not look any more. */
  | { in: "private"; origin: Origin; fleeting: boolean };

/** A message to be placed, and what is known of it. */
export interface Placing extends Marked {
  to: Place;
  message: Message;
  /** Where it stands by now; undefined where it has not been placed, and null where it cannot be found again. */
  now: MessageRef | null | undefined;
  /** Where the message stands that it is a reply to. */
  under: MessageRef | null;
}

export type Placed = { ref: MessageRef | null } | { unplaced: string };

/** Puts a message where it belongs, or brings the one that stands there up to date; never posts it a second time. Throws what Slack does not answer. */
export interface Postman {
  place(placing: Placing): Promise<Placed>;
}

export function createPostman(deps: {
  chat: Chat;
  people: People;
  reply: Reply;
  /** What this process has tried to post; gone when it ends. */
  attempts: Values;
  /** When this process began: what is older may have been posted by one that has died. */
  startedAt: number;
}): Postman {
  const { chat, people, reply } = deps;
  const posts = createPosts(deps);

  async function direct(placing: Placing, user: string, message = placing.message): Promise<Placed> {
    await posts.attempt(placing, user);
    return { ref: await posts.post(placing, await chat.directChannel(user), undefined, message) };
  }

  /** Where it stands in somebody's direct messages, though it is not noted that it does. */
  async function inDirect(placing: Placing, user: string): Promise<MessageRef | null> {
    if (!(await posts.mayStandIn(placing, user))) return null;
    return posts.find(placing, await chat.directChannel(user));
  }

  async function inChannel(placing: Placing, to: Extract<Place, { in: "channel" }>): Promise<Placed> {
    // It stays where it stands: it may have gone to direct messages while Slack did not let it into the channel.
    const stands = to.otherwise && (await inDirect(placing, to.otherwise.slackUser));
    if (stands) return again(placing, stands);
    const { known } = await people.channel(to.channel);
    // What nobody gets elsewhere waits until Slack tells; what may stand there already is said nowhere else.
    if (!known && (to.otherwise === null || (await posts.mayStandIn(placing, to.channel))))
      throw new SlackUnanswered("conversations.info", {
        maybeApplied: false,
        why: "Slack does not tell who reads the channel of a message that belongs in no other place",
      });
    const problem = await channelProblem(people, to.channel);
    if (problem) return elsewhere(placing, to, problem);
    try {
      return { ref: await posts.post(placing, to.channel, to.thread, placing.message) };
    } catch (error) {
      // What was done is done: whatever Slack has against the channel, its news reaches who asked.
      if (!(error instanceof SlackRefused)) throw error;
      return elsewhere(placing, to, problemOf(error.reason));
    }
  }

  async function elsewhere(placing: Placing, to: Extract<Place, { in: "channel" }>, problem: string): Promise<Placed> {
    const { otherwise, lasting } = to;
    if (!otherwise) return { unplaced: problem };
    const { text, blocks } = placing.message;
    if (!lasting) {
      await reply.ephemeral(otherwise, { text, blocks: [...blocks, context(`${problem}, so only you see this.`)] });
      return { ref: null };
    }
    const placed = await direct(placing, otherwise.slackUser);
    const words = `${problem}, so only you see this. The news of it comes to your direct messages.`;
    await reply.ephemeral(otherwise, { text, blocks: [...blocks, context(words)] });
    return placed;
  }

  async function firstTime(placing: Placing): Promise<Placed> {
    const { to, message, under } = placing;
    if (to.in === "channel") return inChannel(placing, to);
    if (to.in === "direct") return direct(placing, to.user);
    if (to.in === "thread") {
      const placed = under ? await inThread(posts, placing, under) : { unplaced: "Its message is gone" };
      return "unplaced" in placed && to.user !== null ? direct(placing, to.user) : placed;
    }
    if (to.fleeting) await reply.replaceEphemeral(to.origin, message);
    else await reply.ephemeral(to.origin, message);
    return { ref: null };
  }

  async function again(placing: Placing, ref: MessageRef): Promise<Placed> {
    const { to, message, priority } = placing;
    try {
      await chat.update(ref, message, priority);
      return { ref };
    } catch (error) {
      if (!(error instanceof SlackRefused)) throw error;
      // The message is gone, or the app was removed: what it would say still reaches who asked.
      const user = to.in === "channel" ? to.otherwise?.slackUser : to.in === "private" ? to.origin.slackUser : to.user;
      return user === undefined || user === null ? { unplaced: problemOf(error.reason) } : direct(placing, user);
    }
  }

  return {
    async place(placing) {
      const { now, to, message } = placing;
      if (now === undefined) return firstTime(placing);
      if (now !== null) return again(placing, now);
      const origin = to.in === "private" ? to.origin : to.in === "channel" ? to.otherwise : null;
      // It may have gone to direct messages unheard, while what one person was shown could not be edited.
      const stands = origin && (await inDirect(placing, origin.slackUser));
      if (stands) return again(placing, stands);
      if (origin && (await reply.replaceEphemeral(origin, message))) return { ref: null };
      // Nobody can edit what one person was shown once its half hour is over.
      return origin && !(to.in === "private" && to.fleeting) ? direct(placing, origin.slackUser) : { ref: null };
    },
  };
}

/** A reply under what stands there; the channel may have gone since that was posted. */
async function inThread(posts: Posts, placing: Placing, { channel, ts, thread }: MessageRef): Promise<Placed> {
  try {
    // Threads do not branch: under a reply it goes on in the same one.
    return { ref: await posts.post(placing, channel, thread ?? ts, placing.message) };
  } catch (error) {
    if (!(error instanceof SlackRefused)) throw error;
    return { unplaced: problemOf(error.reason) };
  }
}
