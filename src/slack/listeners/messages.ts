import type { App } from "@slack/bolt";
import * as z from "zod";
import type { Listening } from "./listening.ts";
import { withoutMention } from "./mentions.ts";
import { carryOutTyped } from "./typed.ts";

/** What a person typed: what the app says itself has a bot's id, and an edit or a removal has a subtype. */
const Said = z.looseObject({
  channel_type: z.literal("im"),
  channel: z.string(),
  user: z.string(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  text: z.string().default(""),
  bot_id: z.null().optional(),
  subtype: z.literal("file_share").nullish(),
});

/** The app's direct messages: what a member types there is a command, with its slash or without. */
export function listenToMessages(app: App, listening: Listening): void {
  app.event("message", async ({ event }) => {
    const said = Said.safeParse(event);
    if (!said.success) return;
    const { channel, user, ts, thread_ts: thread = null, text } = said.data;
    const typed = withoutMention(listening.appUser, text) ?? text;
    await carryOutTyped(listening, { channel, user, ts, thread, text: typed });
  });
}
