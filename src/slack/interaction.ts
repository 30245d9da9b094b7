import { currentAct, guard } from "../commands/guard.ts";
import { waitingAnswer } from "../messages/answer-view.ts";
import type { Chat } from "../messages/chat/chat.ts";
import { SlackRefused, SlackUnanswered } from "../messages/chat/errors.ts";
import type { Origin } from "../messages/origin.ts";
import type { Invocation } from "../operation/operation.ts";
import { homeNotShown, showHomeWith } from "./home/home.ts";
import type { SlackApp } from "./slack-app.ts";

/** The engine's guard for an interaction of Slack's. After an act on the Home tab, it shows that again, with the answer. */
export async function guardInteraction(app: SlackApp, origin: Origin, work: () => Promise<void>): Promise<void> {
  if (!origin.home) {
    await guard(app, origin, work);
    return;
  }
  const notes = await app.homeNotes.during(origin.member, async () => {
    await guard(app, origin, work);
  });
  await showHomeWith(app, origin, notes).catch((error: unknown) => {
    homeNotShown(app, error);
    currentAct.getStore()?.unanswered();
  });
}

/**
 * For a press on Home, in a modal or on *Details*: opens the modal for its answer, and returns the origin with it. Else returns the origin
 * unchanged.
 */
export async function placeForAnswer(
  { chat }: SlackApp,
  { replace, details }: Invocation,
  origin: Origin,
  trigger: string,
): Promise<Origin> {
  const staysInMessage = !origin.home && origin.view === null && !details;
  return staysInMessage || (replace && origin.view !== null) ? origin : inModal(chat, origin, trigger);
}

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
