import { channelProblem, problemOf } from "../chat/channel-problem.ts";
import type { Chat, MessageRef } from "../chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../chat/errors.ts";
import type { People } from "../chat/people.ts";
import type { Timers, TypedKeyv } from "../storage/store.ts";
import { context, type Message } from "../views/blocks.ts";
import type { Origin } from "./origin.ts";
import { createPosts, type Marked, type Posts } from "./posts.ts";
import type { Reply } from "./reply.ts";

/** The place in which a message belongs. */
export type Place =
  /**
   * A channel or a thread in it. If it cannot be posted there, the member of `otherwise` gets it, or nobody. `lasting`: it will be edited
   * later.
   */
  | { in: "channel"; channel: string; thread?: string; otherwise: Origin | null; lasting: boolean }
  | { in: "direct"; user: string }
  /** A reply under another message of the same subject. If that is impossible, `user` gets it, unless that is null. */
  | { in: "thread"; under: string; user: string | null }
  /**
   * Shown to the requester alone. `fleeting`: the message is elsewhere as well, so it need not reach a member who no longer looks. `gone`:
   * the place has a message for all that says it, so the private one is removed.
   */
  | { in: "private"; origin: Origin; fleeting: boolean; gone?: boolean };

/** A message to post or edit, with its known state. */
export interface Placing extends Marked {
  to: Place;
  message: Message;
  /** The posted message; undefined before the first post, and null when it cannot be found again. */
  now: MessageRef | null | undefined;
  /** The posted message that this one replies to. */
  under: MessageRef | null;
  /** The message is up to date, and is edited only because an older edit may arrive late. If it is gone, nobody gets it elsewhere. */
  settling: boolean;
}

export type Placed = { ref: MessageRef | null } | { unplaced: string };

/** Posts a message in its place, or edits the posted one; never posts it twice. Throws when Slack does not answer. */
export interface Postman {
  place(placing: Placing): Promise<Placed>;
}

export function createPostman(deps: {
  chat: Chat;
  people: People;
  reply: Reply;
  /** Posts that this process attempted; lost when it ends. */
  attempts: TypedKeyv<true>;
  /** True when this process created the message's subject. */
  madeHere: (subject: string) => Promise<boolean>;
  /** Rejects when another instance has taken the run over. Must be called before a message that takes no turn of a channel. */
  prove: Timers["prove"];
}): Postman {
  const { chat, people, reply, prove } = deps;
  const posts = createPosts(deps);

  async function direct(placing: Placing, user: string, message = placing.message): Promise<Placed> {
    await posts.attempt(placing, user);
    return { ref: await posts.post(placing, await chat.directChannel(user), undefined, message) };
  }

  /** Finds the message in a user's direct messages, after a post there that may not have been recorded. */
  async function inDirect(placing: Placing, user: string): Promise<MessageRef | null> {
    if (!(await posts.mayStandIn(placing, user))) return null;
    return posts.find(placing, await chat.directChannel(user));
  }

  async function inChannel(placing: Placing, to: Extract<Place, { in: "channel" }>): Promise<Placed> {
    // Keep the message in direct messages: it may have gone there while Slack refused the channel.
    const stands = to.otherwise && (await inDirect(placing, to.otherwise.slackUser));
    if (stands) return again(placing, stands);
    const { known } = await people.channel(to.channel);
    // Wait for Slack's answer if nobody else would get the message, or if it may be in the channel already.
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
      // The act is done, so the requester must get its outcome even if Slack refuses the channel.
      if (!(error instanceof SlackRefused)) throw error;
      return elsewhere(placing, to, problemOf(error.reason));
    }
  }

  async function elsewhere(placing: Placing, to: Extract<Place, { in: "channel" }>, problem: string): Promise<Placed> {
    const { otherwise, lasting } = to;
    if (!otherwise) return { unplaced: problem };
    const { text, blocks } = placing.message;
    await prove(placing.run);
    if (!lasting) {
      await reply.ephemeral(otherwise, { text, blocks: [...blocks, context(`${problem}, so only you see this.`)] });
      return { ref: null };
    }
    const placed = await direct(placing, otherwise.slackUser);
    const words = `${problem}, so only you see this. Further messages come to your direct messages.`;
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
    await prove(placing.run);
    if (to.gone) await reply.remove(to.origin);
    else if (to.fleeting) await reply.replaceEphemeral(to.origin, message);
    else await reply.ephemeral(to.origin, message);
    return { ref: null };
  }

  async function again(placing: Placing, ref: MessageRef): Promise<Placed> {
    const { to, message, priority, run, settling } = placing;
    try {
      await chat.update(ref, message, { priority, run });
      return { ref };
    } catch (error) {
      if (!(error instanceof SlackRefused)) throw error;
      if (settling) return { ref };
      // The message was deleted, or the app removed from the channel; the requester still gets the text.
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
      // A direct message may exist without a record, sent when the private message could not be edited.
      const stands = origin && (await inDirect(placing, origin.slackUser));
      if (stands) return again(placing, stands);
      await prove(placing.run);
      if (to.in === "private" && to.gone) {
        await reply.remove(to.origin);
        return { ref: null };
      }
      if (origin && (await reply.replaceEphemeral(origin, message))) return { ref: null };
      // Slack lets nobody edit a private message once its half hour is over.
      return origin && !(to.in === "private" && to.fleeting) ? direct(placing, origin.slackUser) : { ref: null };
    },
  };
}

/** Posts a reply; the channel may have gone since the message above was posted. */
async function inThread(posts: Posts, placing: Placing, { channel, ts, thread }: MessageRef): Promise<Placed> {
  try {
    // Threads do not branch: a reply to a reply goes into the same thread.
    return { ref: await posts.post(placing, channel, thread ?? ts, placing.message) };
  } catch (error) {
    if (!(error instanceof SlackRefused)) throw error;
    return { unplaced: problemOf(error.reason) };
  }
}
