import type { Chat } from "../chat/chat.ts";
import type { AppWith } from "../engine/app.ts";
import type { AppContext } from "../operations/app-context.ts";

/** The parts of the app that the handlers of Slack's payloads use. */
export interface SlackApp extends AppWith<AppContext> {
  chat: Chat;
}
