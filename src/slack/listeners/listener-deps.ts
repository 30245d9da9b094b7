import type { Logger } from "pino";
import type { Chat } from "../../chat/chat.ts";
import type { People } from "../../chat/people.ts";
import type { Clock } from "../../clock.ts";
import type { Reply } from "../../notifications/reply.ts";
import type { Secrets } from "../../notifications/secrets.ts";
import type { AppContext } from "../../operations/app-context.ts";
import type { Dispatch } from "../dispatch.ts";
import type { Home } from "../home/home.ts";
import type { WorkQueue } from "../queue.ts";
import type { SlackApp } from "../slack-app.ts";

/** The dependencies of the listeners. */
export interface ListenerDeps {
  app: SlackApp;
  context: AppContext;
  dispatch: Dispatch;
  homeTab: Home;
  guard: Home["guard"];
  secrets: Secrets;
  reply: Reply;
  /** Marks a message as seen, so that none runs twice; false if it was seen before. */
  isFirstSight: (message: string) => Promise<boolean>;
  chat: Chat;
  people: People;
  queue: WorkQueue;
  clock: Clock;
  log: Logger;
  /** The app's own Slack user id, which mentions contain. */
  appUser: string;
  /** The member id of a Slack user: `<enterprise or team>:<user>`. */
  memberOf(user: string): string;
  /** Runs `ack` and measures it. */
  timed(ack: () => Promise<unknown>): Promise<void>;
}
