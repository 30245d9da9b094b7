import type { Button } from "@slack/types";
import * as z from "#zod";
import { type Block, button, context } from "../views/blocks.ts";
import { moment } from "../views/format.ts";

/** A member who looks after an alert or a request, shown to all. `until`: when it ends by itself (milliseconds since the epoch). */
export const Take = z.object({ slackUser: z.string(), until: z.number() });
export type Take = z.infer<typeof Take>;

/** Milliseconds. A member who fell asleep must not keep others away for longer. */
const takenFor = 60 * 60_000;

export function isTaken(taken: Take | null, now: number): taken is Take {
  return taken !== null && taken.until > now;
}

/** When the messages about it change by themselves; undefined if they do not. */
export function takeEndsAt(taken: Take | null, now: number): number | undefined {
  return isTaken(taken, now) ? taken.until : undefined;
}

/**
 * The take after a press of *Take* or *Release*. `problem`: why the press changes nothing, as a sentence: only one member at a time looks.
 */
export function pressTake(
  taken: Take | null,
  { slackUser, release, now }: { slackUser: string; release: boolean; now: number },
): { taken: Take | null } | { problem: string } {
  const by = isTaken(taken, now) ? taken : null;
  if (by && by.slackUser !== slackUser)
    return {
      problem: `<@${by.slackUser}> is looking (until ${moment(by.until)}). Only they can release it before.`,
    };
  if (release) return { taken: null };
  return { taken: { slackUser, until: now + takenFor } };
}

/** "@ana is looking". */
export function takeBlocks(taken: Take | null, now: number): Block[] {
  return isTaken(taken, now)
    ? [context(`:eyes: <@${taken.slackUser}> is looking (until ${moment(taken.until)}).`)]
    : [];
}

/** The action id of the button of an alert. */
export const takeAlertAction = "alert:take";

const releases = "release:";

export function takeButton(actionId: string, id: string, isTakenNow: boolean): Button {
  return isTakenNow ? button("Release", actionId, `${releases}${id}`) : button("Take", actionId, id);
}

/** The subject and the kind of press in the value of such a button. */
export function readTakeValue(value: string): { id: string; release: boolean } {
  const release = value.startsWith(releases);
  return { id: release ? value.slice(releases.length) : value, release };
}
