import type { App } from "@slack/bolt";
import { hasLink } from "../../identities/link.ts";
import type { ListenerDeps } from "./listener-deps.ts";

/** Slack's events: the Home tab was opened, or a user changed. */
export function listenToEvents(app: App, { context, homeTab, people, queue, log, memberOf }: ListenerDeps): void {
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
    // The user may be deactivated, or have become or ceased to be an admin.
    const member = memberOf(event.user.id);
    if (event.user.deleted === true || hasLink(await context.identities.links(member)))
      await context.leavers.look(member);
  });

  // A returning user may have other rights than the cached ones.
  app.event("team_join", ({ event }) => people.forget(event.user.id));
}
