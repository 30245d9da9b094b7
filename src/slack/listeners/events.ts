import type { App } from "@slack/bolt";
import * as z from "#zod";
import { channelJoined } from "../../alerts/notices.ts";
import { editReported } from "../../alerts/socket-check.ts";
import { hasLink } from "../../members/identities/link.ts";
import { checkTurns } from "../../members/people/rotations.ts";
import { offerAway } from "../../operations/rackbell/away-offer.ts";
import { followGroups } from "../../policy/pins.ts";
import { checkMembership } from "../../requests/leavers.ts";
import { showHome } from "../home/home.ts";
import type { ListenerApp } from "../slack-app.ts";

/** An edit in the direct messages of the app. */
const Edit = z.looseObject({
  subtype: z.literal("message_changed"),
  channel: z.string(),
  message: z.looseObject({ ts: z.string(), text: z.string() }),
});

/** The next person on call reads how many requests wait. Those of a deactivated member must not count, and end within this. */
const requestsEndMs = 2_000;

/** Slack's events: the Home tab was opened, a user changed, the app joined a channel, or a message was edited. */
export function listenToEvents(bolt: App, app: ListenerApp): void {
  const { people, identities, queue, log, memberOf } = app;

  bolt.event("app_home_opened", async ({ event }) => {
    if (event.tab !== "home") return;
    queue.tryEnqueue(() =>
      showHome(app, { member: memberOf(event.user), slackUser: event.user }).catch((error: unknown) =>
        log.warn({ err: error }, "The Home tab could not be shown"),
      ),
    );
  });

  bolt.event("user_change", async ({ event }) => {
    await people.forget(event.user.id);
    // The user may be deactivated, or have become a guest, or have become or ceased to be an admin.
    const member = memberOf(event.user.id);
    const isLinked = hasLink(await identities.links(member));
    const {
      deleted = false,
      is_restricted: isGuest = false,
      is_ultra_restricted: isGuestOfOneChannel = false,
    } = event.user;
    const isOut = deleted || isGuest || isGuestOfOneChannel;
    if (isOut || isLinked) await checkMembership(app.requests, member);
    if (isOut) await checkTurns(app.context, requestsEndMs);
    const { status_text: text, status_emoji: emoji, status_expiration: expiration } = event.user.profile;
    if (isLinked && !isOut) await offerAway(app.context, event.user.id, { text, emoji, expiration });
  });

  bolt.event("subteam_members_changed", () => people.forgetGroups());
  bolt.event("subteam_updated", async ({ event }) => {
    await people.forgetGroups();
    await followGroups(app.context, event.subteam.updated_by ? memberOf(event.subteam.updated_by) : null);
    await checkTurns(app.context);
  });

  bolt.event("member_joined_channel", async ({ event }) => {
    if (event.user === app.appUser) await channelJoined(app.context, event.channel);
  });

  bolt.event("message", async ({ event, context }) => {
    const edit = Edit.safeParse(event).data;
    if (!edit) return;
    const { ts, text } = edit.message;
    await editReported(app, { channel: edit.channel, ts, text, attempt: context.retryNum ?? 0 });
  });

  // A returning user may have other rights than the cached ones.
  bolt.event("team_join", ({ event }) => people.forget(event.user.id));
}
