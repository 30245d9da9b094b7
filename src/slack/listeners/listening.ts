import type { Logger } from "pino";
import type { Chat } from "../../chat/chat.ts";
import type { People } from "../../chat/people.ts";
import type { Clock } from "../../clock.ts";
import type { ActOn } from "../../engine/act-on.ts";
import type { Reply } from "../../engine/answers/reply.ts";
import type { AppContext } from "../../engine/app-context.ts";
import type { Guard } from "../../engine/guard.ts";
import type { Secrets } from "../../engine/records/secrets.ts";
import type { Values } from "../../storage/store.ts";
import type { Dispatch } from "../dispatch.ts";
import type { Forms } from "../forms/form.ts";
import type { WizardForms } from "../forms/wizard.ts";
import type { Home } from "../home/home.ts";
import type { WorkQueue } from "../queue.ts";

/** What Slack's side of the app works with. */
export interface Listening {
  context: AppContext;
  dispatch: Dispatch;
  homeTab: Home;
  guard: Guard;
  forms: Forms;
  wizardForms: WizardForms;
  secrets: Secrets;
  reply: Reply;
  actOn: ActOn;
  /** The messages that were read as commands, so that none is twice. */
  heard: Values;
  chat: Chat;
  people: People;
  queue: WorkQueue;
  clock: Clock;
  log: Logger;
  /** The Slack user that the app is: whom a mention of it names. */
  appUser: string;
  /** `<enterprise or team>:<user>`: who a Slack user is to the rest of the app. */
  memberOf(user: string): string;
  /** Acknowledges, and takes the time that it took. */
  timed(ack: () => Promise<unknown>): Promise<void>;
}
