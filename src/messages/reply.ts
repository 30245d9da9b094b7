import type { Answer } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import type { Clock } from "../process/clock.ts";
import { context, type Message, textMessage } from "../views/blocks.ts";
import { csvText } from "../views/csv.ts";
import { code } from "../views/text.ts";
import { answerView } from "./answer-view.ts";
import { channelProblem, postProblem } from "./chat/channel-problem.ts";
import type { Chat } from "./chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "./chat/errors.ts";
import type { People } from "./chat/people.ts";
import type { HomeNotes } from "./home-notes.ts";
import { isDirect, type Origin } from "./origin.ts";

/** Brings answers to members: privately, or into the channel in which they acted. */
export interface Reply {
  /**
   * Sends a private answer. It vanishes when the member's Slack reloads, except in the app's direct messages. A press on the Home tab is
   * answered there. `once`: for a message that the caller sends again by itself. It throws where Slack may have shown it already: the next
   * way would show it, and its buttons, twice.
   */
  ephemeral(origin: Origin, message: Message, options?: { replace?: boolean; once?: boolean }): Promise<void>;
  /** Sends a sentence as a private answer. */
  say(origin: Origin, text: string): Promise<void>;
  /** Replaces the message or modal of the interaction; false when that is no longer possible. */
  replaceEphemeral(origin: Origin, message: Message): Promise<boolean>;
  /** Removes the question with the pressed button, if that is still possible. */
  dismiss(origin: Origin): Promise<void>;
  /** The same, but throws while Slack does not answer: for a question whose buttons must go. */
  remove(origin: Origin): Promise<void>;
  /** Sends a file to the member's direct messages; one of rows with times in their zone. */
  file(origin: Origin, file: NonNullable<Answer["file"]>, comment: string): Promise<void>;
  /**
   * Posts in the channel or thread in which the member acted, or in `place`, visible to all. If that is impossible or forbidden, the member
   * gets it privately with the reason, where they acted.
   */
  inChannel(origin: Origin, message: Message, place?: Pick<Origin, "channel" | "thread">): Promise<void>;
}

export function createReply(deps: { chat: Chat; people: People; homeNotes: HomeNotes; clock: Clock }): Reply {
  const { chat, people, homeNotes, clock } = deps;

  /** A direct message between two people looks the same as the app's own, and the other person must not read the answer. */
  async function isOwnDirect(origin: Origin): Promise<boolean> {
    if (!isDirect(origin)) return false;
    return (await chat.directChannel(origin.slackUser).catch(() => null)) === origin.channel;
  }

  /** False where the modal has been closed. */
  function inView(view: string, message: Message, origin: Origin): Promise<boolean> {
    return wasTaken(chat.updateView(view, answerView(message, origin)));
  }

  async function ephemeral(origin: Origin, message: Message, { replace = false, once = false } = {}): Promise<void> {
    const { thread } = origin;
    if (origin.view !== null && (await inView(origin.view.id, message, origin))) return;
    if (origin.home && homeNotes.leave(origin.member, message)) return;
    if (origin.channel && !replace && (await isOwnDirect(origin))) {
      await chat.post(origin.channel, message, { thread });
      return;
    }
    if (await responded(origin, message, { replace: replace && !origin.public, once })) return;
    if (await shownInChannel(origin, message)) return;
    await chat.postDirectMessage(origin.slackUser, message);
  }

  /** False if the response URL is used up or gone: other ways still reach the member. */
  async function responded(
    { responseUrl, until, thread }: Origin,
    message: Message,
    { replace, once }: { replace: boolean; once: boolean },
  ): Promise<boolean> {
    if (!responseUrl || clock.now() >= until) return false;
    try {
      await chat.respond(responseUrl, message, replace ? { replace } : { thread });
      return true;
    } catch (error) {
      if (once && maybeShown(error)) throw error;
      return false;
    }
  }

  /** False where Rackbell may not write in the channel. */
  async function shownInChannel({ channel, slackUser, thread }: Origin, message: Message): Promise<boolean> {
    if (!channel) return false;
    try {
      await chat.postEphemeral(channel, slackUser, message, { thread });
      return true;
    } catch (error) {
      if (maybeShown(error)) throw error;
      return false;
    }
  }

  function say(origin: Origin, text: string): Promise<void> {
    return ephemeral(origin, textMessage(text));
  }

  /** The response URL that can replace the private message with the pressed button; null if there is none. */
  function ownUrl({ pressed, public: isPublic = false, responseUrl, until }: Origin): string | null {
    return pressed && !isPublic && clock.now() < until ? responseUrl : null;
  }

  async function remove(origin: Origin): Promise<void> {
    const url = ownUrl(origin);
    if (url !== null) await wasTaken(chat.deleteOriginal(url));
  }

  async function elsewhere(origin: Origin, { text, blocks }: Message, problem: string): Promise<void> {
    await ephemeral(origin, { text, blocks: [...blocks, context(`${problem}, so only you see this.`)] });
  }

  return {
    ephemeral,
    say,
    async replaceEphemeral(origin, message) {
      if (origin.view !== null) return inView(origin.view.id, message, origin);
      const url = ownUrl(origin);
      return url !== null && wasTaken(chat.respond(url, message, { replace: true }));
    },
    remove,
    // If this fails, a pressed button stays; another press of it is answered with an explanation.
    dismiss: (origin) => remove(origin).catch(() => {}),
    async file(origin, { name, content }, comment) {
      const isWritten = typeof content === "string" || Buffer.isBuffer(content);
      const written = isWritten ? content : csvText(content, (await people.person(origin.slackUser)).zone);
      await chat.upload(origin.slackUser, { name, content: written }, comment).catch((error: unknown) => {
        if (!(error instanceof SlackRefused) || error.reason !== "missing_scope") throw error;
        throw new Refusal(
          `${code(name)} could not be sent: this workspace has not granted me the scope \`files:write\`. An admin can grant it by installing me again.`,
        );
      });
      await say(origin, "The file is in your direct messages with me.");
    },
    async inChannel(origin, message, { channel, thread } = origin) {
      if (!channel) {
        await chat.postDirectMessage(origin.slackUser, message);
        return;
      }
      const problem = await channelProblem(people, channel);
      if (problem) return elsewhere(origin, message, problem);
      try {
        await chat.post(channel, message, { thread });
      } catch (error) {
        if (!(error instanceof SlackRefused)) throw error;
        await elsewhere(origin, message, postProblem(error.reason));
      }
    },
  };
}

/** False where Slack refused the call. */
async function wasTaken(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof SlackRefused) return false;
    throw error;
  }
}

/** True unless Slack did nothing for certain. */
function maybeShown(error: unknown): boolean {
  if (error instanceof SlackRefused) return false;
  return !(error instanceof SlackUnanswered) || error.maybeApplied;
}
