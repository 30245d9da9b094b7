import type { App } from "@slack/bolt";
import type { ListenerApp } from "../slack-app.ts";
import { DirectMessage } from "./authorship.ts";
import { withoutMention } from "./mentions.ts";
import { runTypedMessage } from "./typed.ts";

/** Direct messages to the app: each is a command, with or without its slash. */
export function listenToMessages(bolt: App, app: ListenerApp): void {
  bolt.event("message", async ({ event }) => {
    const parsed = DirectMessage.safeParse(event);
    if (!parsed.success) return;
    const text = parsed.data.text ?? "";
    await runTypedMessage(app, parsed.data, withoutMention(app.appUser, text) ?? text);
  });
}
