import type { Chat, MessageRef } from "../../chat/chat.ts";
import { SlackRefused } from "../../chat/chat.ts";
import type { People } from "../../chat/people.ts";
import type { Clock } from "../../clock.ts";
import { context, type Message, section } from "../../views/blocks.ts";
import type { Origin } from "./origin.ts";

/** Brings answers to people: privately to who asked, or into the channel where they asked. */
export interface Reply {
  ephemeral(origin: Origin, message: Message, options?: { replace?: boolean }): Promise<void>;
  /** Replaces what the origin's interaction came from; false where that is not possible any more. */
  replaceEphemeral(origin: Origin, message: Message): Promise<boolean>;
  /** Sends a file to the member's direct messages. */
  file(origin: Origin, file: { name: string; content: string }, comment: string): Promise<void>;
  /**
   * Posts where the member acted, in view of all. Where that cannot be, or must not be, they get it privately with the
   * reason. `lasting`: a message is needed that can be edited later, so it then goes to their direct messages.
   */
  inChannel(origin: Origin, message: Message, options?: { lasting?: boolean }): Promise<MessageRef | null>;
}

/** What to say where Slack lets nothing be posted. */
const hints: Record<string, string> = {
  not_in_channel:
    "I am not in this channel, so only you see this. To let the channel see it, type `/invite @Rackbell`.",
  channel_not_found:
    "I am not in this channel, so only you see this. To let the channel see it, type `/invite @Rackbell`.",
  is_archived: "This channel is archived, so only you see this.",
};
const hint = "Slack does not let me post in this channel, so only you see this.";

export function createReply({ chat, people, clock }: { chat: Chat; people: People; clock: Clock }): Reply {
  async function ephemeral(origin: Origin, message: Message, { replace = false } = {}): Promise<void> {
    if (origin.responseUrl && clock.now() < origin.until) {
      try {
        return await chat.respond(origin.responseUrl, message, { replace });
      } catch {
        // Used up or gone: the ways below still reach the member.
      }
    }
    if (origin.channel) {
      try {
        return await chat.postEphemeral(origin.channel, origin.slackUser, message);
      } catch (error) {
        if (!(error instanceof SlackRefused)) throw error;
      }
    }
    await chat.postDirectMessage(origin.slackUser, message);
  }

  async function whyNot(channel: string): Promise<string | null> {
    const { shared } = await people.channel(channel);
    return shared ? "Another organisation reads this channel, so nothing is posted in it: only you see this." : null;
  }

  async function elsewhere(
    origin: Origin,
    message: Message,
    reason: string,
    lasting: boolean,
  ): Promise<MessageRef | null> {
    if (!lasting) {
      await ephemeral(origin, { ...message, blocks: [...message.blocks, context(reason)] });
      return null;
    }
    const ref = await chat.postDirectMessage(origin.slackUser, message);
    await ephemeral(origin, {
      text: message.text,
      blocks: [...message.blocks, context(`${reason} The news of it comes to your direct messages.`)],
    });
    return ref;
  }

  return {
    ephemeral,
    async replaceEphemeral(origin, message) {
      if (!origin.pressed || !origin.responseUrl || clock.now() >= origin.until) return false;
      try {
        await chat.respond(origin.responseUrl, message, { replace: true });
        return true;
      } catch (error) {
        if (error instanceof SlackRefused) return false;
        throw error;
      }
    },
    async file(origin, file, comment) {
      await chat.upload(origin.slackUser, file, comment);
      const text = "The file is in your direct messages with me.";
      await ephemeral(origin, { text, blocks: [section(text)] });
    },
    async inChannel(origin, message, { lasting = false } = {}) {
      if (!origin.channel) return chat.postDirectMessage(origin.slackUser, message);
      const reason = await whyNot(origin.channel);
      if (reason) return elsewhere(origin, message, reason, lasting);
      try {
        return await chat.post(origin.channel, message);
      } catch (error) {
        // What was done is done: whatever Slack has against the channel, its news reaches who asked.
        if (!(error instanceof SlackRefused)) throw error;
        return elsewhere(origin, message, hints[error.reason] ?? hint, lasting);
      }
    },
  };
}
