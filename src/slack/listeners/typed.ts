import * as z from "zod";
import { errorAnswer } from "../../engine/answers/answers.ts";
import { linkStep } from "../../engine/answers/error-text.ts";
import { offerTo } from "../../engine/answers/offer.ts";
import type { Origin } from "../../engine/answers/origin.ts";
import type { Step } from "../../operation/answer.ts";
import { duration } from "../../views/format.ts";
import { escapeText } from "../../views/text.ts";
import { findSecrets } from "../command/language.ts";
import { parseCommand } from "../command/parse.ts";
import { busy } from "../dispatch.ts";
import { originOf } from "../payloads.ts";
import type { Listening } from "./listening.ts";

/** A message as a person sent it: a bot's has its id, and an edit or a removal has a subtype. */
export const PersonsMessage = z.looseObject({
  channel: z.string(),
  user: z.string(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  text: z.string().default(""),
  bot_id: z.null().optional(),
  subtype: z.literal("file_share").nullish(),
});

/** A message of a person's that is read as a command. */
export interface Typed {
  channel: string;
  user: string;
  /** When it was sent, in Slack's seconds; with its channel it is what the message is known by. */
  ts: string;
  thread: string | null;
  /** As Slack writes it, without the mention that it began with. */
  text: string;
}

/** Slack tells of one message up to four times within minutes. */
const heardForMs = 3_600_000;
/** What was typed longer ago is not what somebody waits for: Slack tells of it late after an outage. */
const freshForMs = 60_000;

const helpStep: Step = { label: "What I can do", command: "rackbell help" };

/** Carries out what was typed, once, and tells whoever typed it what is wrong with it. Throws nothing. */
export async function carryOutTyped(listening: Listening, typed: Typed): Promise<void> {
  const { context, dispatch, guard, heard, clock } = listening;
  const { channel, ts, text } = typed;
  const origin = originIn(listening, typed);
  await guard(origin, async () => {
    if (!(await heard.claim(`${channel}:${ts}`, 1, heardForMs))) return;
    const parsed = parseCommand(context.registry, "rackbell", text.trim().replace(/^\//, ""));
    if ("error" in parsed) return tellWrong(listening, origin, text, parsed.error);
    const age = clock.now() - Number(ts) * 1_000;
    if (age > freshForMs) return dispatch.say(origin, lateWords(age));
    const taken =
      "readings" in parsed
        ? dispatch.invokeOneOf(parsed.readings, origin)
        : await dispatch.invoke(parsed.invocation, origin, null);
    if (!taken) await dispatch.say(origin, busy);
  });
}

/** Tells who wrote a secret where others read it, once; a message without one is nobody's business here. */
export async function warnOfSecrets(listening: Listening, typed: Typed): Promise<void> {
  if (findSecrets(typed.text).length === 0) return;
  const origin = originIn(listening, typed);
  await listening.guard(origin, async () => {
    if (!(await listening.heard.claim(`${typed.channel}:${typed.ts}`, 1, heardForMs))) return;
    const parsed = parseCommand(listening.context.registry, "rackbell", typed.text);
    if ("error" in parsed) await tellWrong(listening, origin, typed.text, parsed.error);
  });
}

export function originIn(
  { clock, memberOf }: Listening,
  { channel, user, thread }: Omit<Typed, "ts" | "text">,
): Origin {
  const who = { member: memberOf(user), slackUser: user, channel, responseUrl: null, thread };
  return originOf(who, clock.now());
}

async function tellWrong({ context, reply }: Listening, origin: Origin, text: string, wrong: string): Promise<void> {
  const leaked = findSecrets(text).length > 0;
  if (!leaked) await context.access.admit(origin.slackUser);
  const advice = leaked ? " Delete your message, too." : "";
  const next = leaked ? [linkStep] : [helpStep];
  const offer = offerTo(await context.access.links(origin.member), context.registry);
  const told = { text: escapeText(wrong) + advice, again: null, next };
  await reply.ephemeral(origin, errorAnswer(told, offer, { correct: null, handOver: null }));
}

function lateWords(age: number): string {
  return `Slack told me of this message only ${duration(age)} after it was sent, so I did not act on it. Nothing was done. Send it again if it is still wanted.`;
}
