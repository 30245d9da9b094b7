import type { App } from "@slack/bolt";
import type { Listening } from "./listening.ts";

/** What Slack tells of by itself: the Home tab was opened, somebody changed. */
export function listenToEvents(app: App, { context, homeTab, people, queue, log, memberOf }: Listening): void {
  app.event("app_home_opened", async ({ event }) => {
    if (event.tab !== "home") return;
    queue.tryEnqueue(() =>
      homeTab
        .show({ member: memberOf(event.user), user: event.user })
        .catch((error: unknown) => log.warn({ err: error }, "The Home tab could not be shown")),
    );
  });

  app.event("user_change", async ({ event }) => {
    await people.forget(event.user.id);
    if (event.user.deleted === true) await context.leavers.look(memberOf(event.user.id));
  });

  // Who comes back is not who was remembered.
  app.event("team_join", ({ event }) => people.forget(event.user.id));
}
