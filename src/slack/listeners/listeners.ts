// slack/listeners/: Bolt's listeners, one file per kind of payload: acknowledge in time, and hand on.

import type { InterceptedApp } from "../bolt.ts";
import type { PendingActs } from "../pending-acts.ts";
import type { ListenerApp, SlackApp } from "../slack-app.ts";
import { listenToActions } from "./actions.ts";
import { actIn } from "./acts.ts";
import { listenToCommands } from "./commands.ts";
import { listenToEvents } from "./events.ts";
import { listenToOptions } from "./options.ts";
import { listenToShortcuts } from "./shortcuts.ts";
import { listenToSubmissions } from "./submissions.ts";
import { listenToMentions, listenToMessages } from "./typed.ts";

/**
 * Registers all listeners. An act is stored before its listener runs. A listener acknowledges first, then hands the work on; a command that
 * needs no form is queued before that, so that the acknowledgement can say that the queue is full.
 */
export function registerListeners(
  bolt: InterceptedApp,
  slackApp: SlackApp,
  {
    appUser,
    home,
    onAcknowledged,
    pendingActs,
  }: {
    appUser: string;
    /** Enterprise or team id, the first part of every member id. */
    home: string;
    /** Called with the seconds from arrival to each acknowledgement. */
    onAcknowledged: (seconds: number) => void;
    pendingActs: Pick<PendingActs, "take">;
  },
): void {
  const app: ListenerApp = {
    ...slackApp,
    appUser,
    memberOf: (user) => `${home}:${user}`,
    async timed(ack) {
      const began = performance.now();
      await ack();
      onAcknowledged((performance.now() - began) / 1000);
    },
  };
  bolt.intercept = (body, process) => {
    const act = actIn(app, body);
    if (!act) return process();
    const { responseUrl, slackUser } = act.origin;
    if (responseUrl) app.chat.received(responseUrl);
    // Every act asks who its member is. Slack answers that while the act is being stored.
    return pendingActs.take(act, process, () => app.people.expectPerson(slackUser));
  };
  // Commands and presses come first: Bolt passes each payload through the listeners in order.
  listenToCommands(bolt, app);
  listenToActions(bolt, app);

  listenToOptions(bolt, app);
  listenToSubmissions(bolt, app);
  listenToEvents(bolt, app);
  listenToMessages(bolt, app);
  listenToMentions(bolt, app);
  listenToShortcuts(bolt, app);
}
