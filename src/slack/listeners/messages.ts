import type { App } from "@slack/bolt";
import * as z from "zod";
import { errorAnswer } from "../../engine/answers/answers.ts";
import { linkStep } from "../../engine/answers/error-text.ts";
import { offerTo } from "../../engine/answers/offer.ts";
import type { Step } from "../../operation/answer.ts";
import { escapeText } from "../../views/text.ts";
import { findSecrets } from "../command/language.ts";
import { parseCommand } from "../command/parse.ts";
import { busy } from "../dispatch.ts";
import { originOf } from "../payloads.ts";
import type { Listening } from "./listening.ts";

/** What a person typed: what the app says itself has a bot's id, and an edit or a removal has a subtype. */
const Typed = z.looseObject({
  channel_type: z.literal("im"),
  channel: z.string(),
  user: z.string(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  text: z.string().default(""),
  bot_id: z.null().optional(),
  subtype: z.literal("file_share").nullish(),
});

/** Slack tells of one message up to four times within minutes. */
const heardForMs = 3_600_000;

const helpStep: Step = { label: "What I can do", command: "rackbell help" };

/** The app's direct messages: what a member types there is a command, with its slash or without. */
export function listenToMessages(app: App, listening: Listening): void {
  const { context, dispatch, guard, reply, heard, clock, memberOf } = listening;

  app.event("message", async ({ event }) => {
    const typed = Typed.safeParse(event);
    if (!typed.success) return;
    const { channel, user, ts, thread_ts: thread = null, text } = typed.data;
    const who = { member: memberOf(user), slackUser: user, channel, responseUrl: null, thread };
    const origin = originOf(who, clock.now());
    await guard(origin, async () => {
      if (!(await heard.claim(`${channel}:${ts}`, 1, heardForMs))) return;
      const parsed = parseCommand(context.registry, "rackbell", text.trim().replace(/^\//, ""));
      if ("invocation" in parsed) {
        if (!(await dispatch.invoke(parsed.invocation, origin, null))) await dispatch.say(origin, busy);
        return;
      }
      const offer = offerTo(await context.access.links(origin.member), context.registry);
      const leaked = findSecrets(text).length > 0;
      const advice = leaked ? " Delete your message, too." : "";
      const next = leaked ? [linkStep] : [helpStep];
      await reply.ephemeral(
        origin,
        errorAnswer({ text: escapeText(parsed.error) + advice, again: null, next }, offer, {
          correct: null,
          handOver: null,
        }),
      );
    });
  });
}
