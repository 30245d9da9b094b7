import type { Chat } from "../chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../chat/errors.ts";
import { waitingAnswer } from "../engine/answers/answer-view.ts";
import type { Origin } from "../engine/answers/origin.ts";

/** The origin with a modal, opened at once, that shows what comes of it; as it is where Slack opens none. */
export async function inModal(chat: Chat, origin: Origin, trigger: string): Promise<Origin> {
  try {
    const { id } = await chat.openView(trigger, waitingAnswer(origin), origin.view);
    return { ...origin, view: { id, full: false } };
  } catch (error) {
    // Without a modal it is answered where answers go otherwise.
    if (error instanceof SlackRefused || error instanceof SlackUnanswered) return origin;
    throw error;
  }
}
