// slack/listeners/: Bolt's listeners, one file per kind of event: acknowledge first, then hand on.
// May import: slack/, slack/*, engine/, engine/*, operation/, operations/*, views/, chat/, identities/, platform/, platform/*, storage/, the clock.

import type { App } from "@slack/bolt";
import { listenToActions } from "./actions.ts";
import { listenToCommands } from "./commands.ts";
import { listenToEvents } from "./events.ts";
import type { Listening } from "./listening.ts";
import { listenToMentions } from "./mentions.ts";
import { listenToMessages } from "./messages.ts";
import { listenToOptions } from "./options.ts";
import { listenToShortcuts } from "./shortcuts.ts";
import { listenToSubmissions } from "./submissions.ts";

/** Slack's side of the app: everything is acknowledged before any other work, then handed on. */
export function registerListeners(
  app: App,
  deps: Omit<Listening, "memberOf" | "timed"> & {
    /** Enterprise or team, which members are keyed by. */
    home: string;
    /** Told of each acknowledgement: seconds from arrival. */
    onAcknowledged: (seconds: number) => void;
  },
): void {
  const listening: Listening = {
    ...deps,
    memberOf: (user) => `${deps.home}:${user}`,
    async timed(ack) {
      const began = performance.now();
      await ack();
      deps.onAcknowledged((performance.now() - began) / 1000);
    },
  };
  // What people wait for most comes before Bolt's listeners: for whatever comes it goes through all of them.
  listenToCommands(app, listening);
  listenToActions(app, listening);

  listenToOptions(app, listening);
  listenToSubmissions(app, listening);
  listenToEvents(app, listening);
  listenToMessages(app, listening);
  listenToMentions(app, listening);
  listenToShortcuts(app, listening);
}
