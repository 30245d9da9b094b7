import type { AppWith } from "../commands/app.ts";
import type { Chat } from "../messages/chat/chat.ts";
import type { People } from "../messages/chat/people.ts";
import type { HomeNotes } from "../messages/home-notes.ts";
import type { AppContext } from "../operations/app-context.ts";
import type { WorkQueue } from "./queue.ts";

/** The parts of the app that the handlers of Slack's payloads use. */
export interface SlackApp extends AppWith<AppContext> {
  chat: Chat;
  people: People;
  homeNotes: HomeNotes;
  queue: WorkQueue;
}

/** The same with what the listeners need to read a payload and to acknowledge it. */
export interface ListenerApp extends SlackApp {
  /** The app's own Slack user id, which mentions contain. */
  appUser: string;
  /** The member id of a Slack user: `<enterprise or team>:<user>`. */
  memberOf(user: string): string;
  /** Runs `ack` and measures it. */
  timed(ack: () => Promise<unknown>): Promise<void>;
}
