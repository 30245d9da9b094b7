import * as z from "#zod";
import { slackUserOf } from "../../members/identities/link.ts";
import { standInFor } from "../../members/people/away.ts";
import type { Rotation } from "../../members/people/rotation.ts";
import { type OnCall, onCallBy, readRotations, turnTimer } from "../../members/people/rotations.ts";
import { noticeChange } from "../../messages/answers/notices.ts";
import { defineKind } from "../../storage/kind.ts";
import { deleting, replacing } from "../../storage/record.ts";
import type { LaneHandlers } from "../../storage/store.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { onCallStep, onCallWords } from "./oncall-words.ts";
import { readAlertWords, readRequestWords } from "./waiting-words.ts";

const day = 24 * 60 * 60_000;

/** The person who was on call by a rotation when it was last looked at. */
const turns = defineKind({
  name: "turn of a rotation",
  namespace: "turns",
  schema: z.object({ slackUser: z.string().nullable() }),
});

/** Notifies the person whose turn begins, once for each hand-over. */
export function turnTimers(context: AppContext): LaneHandlers {
  return { [turnTimer]: (timerId) => handOver(context, timerId.slice(turnTimer.length)) };
}

/** Resolves to the time of the next look; undefined once the rotation was removed. */
async function handOver(context: AppContext, id: string): Promise<number | undefined> {
  const { store, clock, people } = context;
  const rotation = (await readRotations(context)).find((one) => one.id === id);
  const before = await store.read(turns, id);
  if (!rotation) {
    if (before.value) await store.transact({ records: [deleting(before)] });
    return undefined;
  }
  const now = clock.now();
  const found = await onCallBy(context, rotation, now);
  const { slackUser } = found;
  if (before.value?.slackUser !== slackUser) {
    // Rejects while Slack does not answer, so that nobody is notified who may have left: the look is repeated.
    if (slackUser !== null) await people.person(slackUser);
    const notice = await noticeOf(context, rotation, found, now);
    // A person who made a rotation and is on call by it at once has read so in the answer.
    const isAnswered = before.value === undefined && notice.user === rotation.by;
    const { user, text } = notice;
    const sent = isAnswered ? null : await noticeChange(context, { to: { users: [user] }, text, steps: [onCallStep] });
    // In one transaction, so that neither a crash nor a second instance notifies twice.
    const records = [replacing(before, { slackUser }), ...(sent?.records ?? [])];
    if (!(await store.transact({ records, timers: sent?.timers ?? [] }))) return now;
  }
  // Slack's word of a person who left, or of a group that changed, may be lost.
  return Math.min(found.until ?? Number.POSITIVE_INFINITY, now + day);
}

/** The message about a turn that begins, and its reader: the person who set the rotation, where nobody else can be notified. */
async function noticeOf(
  context: AppContext,
  { name, by }: Rotation,
  found: OnCall,
  now: number,
): Promise<{ user: string; text: string }> {
  const { slackUser, setBy } = found;
  const rotation = `the rotation ${code(name)}`;
  const words = onCallWords(found);
  if (slackUser === null) return { user: by, text: `In ${rotation}, which you set: ${words}` };
  const setWords = setBy === null || setBy === slackUser ? "" : ` <@${setBy}> set it.`;
  const standIn = await standInFor(context, slackUser, now);
  if (standIn === null) {
    const lines = [
      `Your turn in ${rotation} begins.`,
      `${words}${setWords}`,
      ...(await waitingFor(context, slackUser)),
    ];
    return { user: slackUser, text: lines.join("\n") };
  }
  const away = `They are away until ${moment(standIn.until)}`;
  if (standIn.to === null)
    return {
      user: by,
      text: `In ${rotation}, which you set: ${words} ${away}, without a stand-in. Nobody else was notified.`,
    };
  const lines = [`A turn in ${rotation} begins.`, `${words} ${away}, and you are their stand-in.`];
  return { user: standIn.to, text: [...lines, ...(await waitingFor(context, standIn.to))].join("\n") };
}

/** Sentences about all that waits now, as far as this person may see it. */
async function waitingFor(context: AppContext, slackUser: string): Promise<string[]> {
  const links = (await context.identities.all()).find((one) => slackUserOf(one) === slackUser);
  const requests = links ? await readRequestWords(context, { member: links.member, slackUser }) : [];
  return [...(await readAlertWords(context, slackUser)), ...requests];
}
