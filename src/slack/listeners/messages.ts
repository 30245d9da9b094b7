import type { App } from "@slack/bolt";
import { DirectMessage } from "./authorship.ts";
import type { ListenerDeps } from "./listener-deps.ts";
import { withoutMention } from "./mentions.ts";
import { runTypedMessage } from "./typed.ts";

/** Direct messages to the app: each is a command, with or without its slash. */
export function listenToMessages(app: App, deps: ListenerDeps): void {
  app.event("message", async ({ event }) => {
    const parsed = DirectMessage.safeParse(event);
    if (!parsed.success) return;
    const text = parsed.data.text ?? "";
    await runTypedMessage(deps, parsed.data, withoutMention(deps.appUser, text) ?? text);
  });
}
