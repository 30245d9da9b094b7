import type { App } from "@slack/bolt";
import * as z from "zod";
import { actOn } from "../../commands/act-on.ts";
import { requireLinked } from "../../members/access/access.ts";
import { inModal } from "../answer-modal.ts";
import { enqueueOrSay } from "../dispatch.ts";
import { findView } from "../find.ts";
import { guardInteraction } from "../interaction.ts";
import { shortcuts } from "../manifest.ts";
import { textOfMessage } from "../message-text.ts";
import { originOf } from "../payloads.ts";
import type { ListenerApp } from "../slack-app.ts";

const OnMessage = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  channel: z.looseObject({ id: z.string() }),
  message: z.looseObject({ thread_ts: z.string().nullish(), ts: z.string().nullish() }),
  trigger_id: z.string(),
  response_url: z.string().nullish(),
});

const Anywhere = z.looseObject({ user: z.looseObject({ id: z.string() }), trigger_id: z.string() });

/** Message shortcuts and global shortcuts. */
export function listenToShortcuts(bolt: App, app: ListenerApp): void {
  const { chat, clock, log, memberOf, timed } = app;

  bolt.shortcut({ callback_id: shortcuts.act.callback_id, type: "message_action" }, async ({ body, ack }) => {
    await timed(() => ack());
    const parsed = OnMessage.safeParse(body);
    if (!parsed.success) return log.error("A message shortcut of unknown shape came from Slack");
    const { user, channel, message, trigger_id: trigger, response_url: responseUrl = null } = parsed.data;
    const by = { member: memberOf(user.id), slackUser: user.id, channel: channel.id, responseUrl };
    const thread = message.thread_ts === message.ts ? null : (message.thread_ts ?? null);
    const origin = originOf({ ...by, thread }, clock.now());
    await guardInteraction(app, origin, async () => {
      // Before any other work: the trigger lives three seconds.
      const shown = await inModal(chat, origin, trigger);
      await enqueueOrSay(app, shown, () => actOn(app, textOfMessage(message), shown));
    });
  });

  bolt.shortcut({ callback_id: shortcuts.find.callback_id, type: "shortcut" }, async ({ body, ack }) => {
    await timed(() => ack());
    const parsed = Anywhere.safeParse(body);
    if (!parsed.success) return log.error("A shortcut of unknown shape came from Slack");
    const { user, trigger_id: trigger } = parsed.data;
    const by = { member: memberOf(user.id), slackUser: user.id, channel: null, responseUrl: null };
    const origin = originOf(by, clock.now());
    await guardInteraction(app, origin, async () => {
      const { id } = await chat.openView(trigger, findView(origin));
      const shown = { ...origin, view: { id, full: false } };
      // The modal then tells a member without a link to make one.
      await enqueueOrSay(app, shown, () => requireLinked(app, shown));
    });
  });
}
