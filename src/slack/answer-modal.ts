import { waitingAnswer } from "../messages/answer-view.ts";
import type { Chat } from "../messages/chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../messages/chat/errors.ts";
import type { Origin } from "../messages/origin.ts";

/** Opens a waiting modal for the answer, and returns the origin with it. If Slack refuses the modal, returns the origin unchanged. */
export async function inModal(chat: Chat, origin: Origin, trigger: string): Promise<Origin> {
  try {
    const { id } = await chat.openView(trigger, waitingAnswer(origin), origin.view);
    return { ...origin, view: { id, full: false } };
  } catch (error) {
    // Without a modal the answer goes to the origin's usual place.
    if (error instanceof SlackRefused || error instanceof SlackUnanswered) return origin;
    throw error;
  }
}
