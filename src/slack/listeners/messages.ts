import type { App } from "@slack/bolt";
import * as z from "zod";
import type { Listening } from "./listening.ts";
import { withoutMention } from "./mentions.ts";
import { carryOutTyped, PersonsMessage } from "./typed.ts";

const Said = PersonsMessage.extend({ channel_type: z.literal("im") });

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
