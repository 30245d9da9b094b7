import type { App } from "@slack/bolt";
import { errorText } from "../../engine/answers/error-text.ts";
import { section } from "../../views/blocks.ts";
import { homeView, unpaidBlocks } from "../home.ts";
import type { Listening } from "./listening.ts";

/** What Slack tells of by itself: the Home tab was opened, somebody changed. */
export function listenToEvents(app: App, { context, chat, people, queue, clock, log, memberOf }: Listening): void {
  async function showHome(user: string): Promise<void> {
    const member = memberOf(user);
    await chat.publishHome(user, await homeView(context, { member, user }, []));
    // The platform is asked for what is unpaid: the rest must not wait for it.
    const unpaid = await unpaidBlocks(context, member).catch((error: unknown) => [
      section(`*Unpaid*\n${errorText(error, clock.now()).text}`),
    ]);
    if (unpaid.length > 0) await chat.publishHome(user, await homeView(context, { member, user }, unpaid));
  }

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
      showHome(event.user).catch((error: unknown) => log.warn({ err: error }, "The Home tab could not be shown")),
    );
  });

  app.event("user_change", async ({ event }) => {
    await people.forget(event.user.id);
    if (event.user.deleted === true) await forgetDeactivated(event.user.id);
  });
}
