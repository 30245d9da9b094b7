import type { App } from "@slack/bolt";
import type { Listening } from "./listening.ts";

/** What Slack tells of by itself: the Home tab was opened, somebody changed. */
export function listenToEvents(app: App, { context, homeTab, people, queue, log, memberOf }: Listening): void {
  async function forgetDeactivated(user: string): Promise<void> {
    const member = memberOf(user);
    const { customer, reseller } = await context.identities.links(member);
    for (const link of [customer, reseller].filter((one) => one !== null)) {
      await context.identities.unlink(member, link.api, { retire: await context.requests.isUnclear(link) });
      await context.requests.endFor(link, "The one who asked for it was deactivated. Nothing was done.");
      log.info({ api: link.api }, "A deactivated member's key was erased");
    }
  }

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
    if (event.user.deleted === true) await forgetDeactivated(event.user.id);
  });
}
