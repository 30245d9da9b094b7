import type { App } from "@slack/bolt";
import type { ListenerApp } from "../slack-app.ts";
import { authorshipOf, Mention } from "./authorship.ts";
import { runTypedMessage, warnOfSecrets } from "./typed.ts";

/** `@Rackbell reboot web-1`, in channels and threads: a message that begins with the mention is a command. */
export function listenToMentions(bolt: App, app: ListenerApp): void {
  bolt.event("app_mention", async ({ event }) => {
    const mention = Mention.safeParse(event).data;
    if (!mention) return;
    const typed = withoutMention(app.appUser, mention.text ?? "");
    if (typed !== null) return runTypedMessage(app, mention, typed);
    // A message that only mentions the app is no command.
    if (authorshipOf(mention) !== "another's") await warnOfSecrets(app, mention);
  });
}

/** The text after a mention of `user` at its start; null if it does not start with one. */
export function withoutMention(user: string, text: string): string | null {
  const [mention, id] = /^\s*<@([A-Z0-9]+)(?:\|[^>]*)?>[\s:,]*/i.exec(text) ?? [];
  return mention !== undefined && id === user ? text.slice(mention.length) : null;
}
