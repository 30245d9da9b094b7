import type { Chat } from "../chat/chat.ts";
import type { People } from "../chat/people.ts";
import type { AppWith } from "../engine/app.ts";
import type { HomeNotes } from "../notifications/home-notes.ts";
import type { AppContext } from "../operations/app-context.ts";
import type { HomeDraws } from "./home/home-draws.ts";
import type { WorkQueue } from "./queue.ts";

/** The parts of the app that the handlers of Slack's payloads use. */
export interface SlackApp extends AppWith<AppContext> {
  chat: Chat;
  people: People;
  homeNotes: HomeNotes;
  homeDraws: HomeDraws;
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
