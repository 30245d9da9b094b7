import type { App } from "@slack/bolt";
import * as z from "zod";
import type { Listening } from "./listening.ts";
import { carryOutTyped, originIn, PersonsMessage, warnOfSecrets } from "./typed.ts";

/** A message that mentions the app: Slack tells of each edit anew. */
const Mention = PersonsMessage.extend({
  bot_profile: z.null().optional(),
  edited: z.looseObject({ ts: z.string() }).nullish(),
});

const editedWords =
  "I do not act on messages that were edited, so nothing new was done. Send it as a new message if it is still wanted.";
/** Slack tells of one edit up to four times within minutes. */
const heardForMs = 3_600_000;

/** `@Rackbell reboot web-1`, in channels and threads: a message that begins with the mention is a command. */
export function listenToMentions(app: App, listening: Listening): void {
  const { appUser, heard, guard, dispatch } = listening;
  app.event("app_mention", async ({ event }) => {
    const mention = Mention.safeParse(event);
    if (!mention.success) return;
    const { channel, user, ts, thread_ts: thread = null, text, edited } = mention.data;
    const said = { channel, user, ts, thread };
    const typed = withoutMention(appUser, text);
    // Who only speaks of the app asks for nothing.
    if (typed === null) return warnOfSecrets(listening, { ...said, text });
    if (!edited) return carryOutTyped(listening, { ...said, text: typed });
    const origin = originIn(listening, said);
    await guard(origin, async () => {
      if (await heard.claim(`${channel}:${ts}:${edited.ts}`, 1, heardForMs)) await dispatch.say(origin, editedWords);
    });
  });
}

/** What follows the mention of `user` that a text begins with; null where it begins otherwise. */
export function withoutMention(user: string, text: string): string | null {
  const [mention, id] = /^\s*<@([A-Z0-9]+)(?:\|[^>]*)?>[\s:,]*/i.exec(text) ?? [];
  return mention !== undefined && id === user ? text.slice(mention.length) : null;
}
