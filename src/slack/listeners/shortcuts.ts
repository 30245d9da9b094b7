import type { App } from "@slack/bolt";
import * as z from "#zod";
import { actOn } from "../../commands/act-on.ts";
import { requireLinked } from "../../members/access/access.ts";
import { enqueueOrSay } from "../dispatch.ts";
import { findView } from "../find.ts";
import { guardInteraction, inModal } from "../interaction.ts";
import { shortcuts } from "../manifest.ts";
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

/** Fields of messages, blocks and attachments that contain visible text or a URL. */
const readable = new Set([
  "text",
  "fallback",
  "pretext",
  "title",
  "title_link",
  "from_url",
  "url",
  "footer",
  "author_name",
]);
/** A limit for nesting; Slack's own messages are flatter. */
const deepest = 20;

/** The visible text of a message with its blocks and attachments, as lines: other apps put their alerts' text in either. */
function textOfMessage(message: unknown): string {
  return [...new Set(linesIn(message, 0))].join("\n");
}

function linesIn(part: unknown, depth: number): string[] {
  if (typeof part !== "object" || part === null || depth > deepest) return [];
  if (Array.isArray(part)) return part.flatMap((each: unknown) => linesIn(each, depth + 1));
  const isField = "short" in part || ("title" in part && "value" in part);
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== "string") return linesIn(value, depth + 1);
    return readable.has(name) || (isField && name === "value") ? [value] : [];
  });
}
