import type { Button } from "@slack/types";
import { type Block, button, context } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { Responsibility } from "./responsibility.ts";
import { nextStep, reachedWords, reachNotes, type StepsAhead, stepsSoFar, type WaitStep } from "./steps.ts";

/** "@ana took this at 9:00", with the time at which it goes back; or that it went back. `isOver`: it waits for nobody any more. `endsAt`: a take up to there never goes back. */
export function takeBlocks(
  { takenBy, wentBack }: Pick<Responsibility, "takenBy" | "wentBack">,
  { isOver = false, endsAt = null }: { isOver?: boolean; endsAt?: number | null } = {},
): Block[] {
  if (takenBy) {
    const ending =
      endsAt !== null && takenBy.until >= endsAt
        ? "It is theirs until it expires."
        : `It goes back ${moment(takenBy.until)} if they do nothing in Rackbell until then.`;
    const taken = `:eyes: <@${takenBy.slackUser}> took this ${moment(takenBy.since)}.`;
    return [context(isOver ? taken : `${taken} ${ending}`)];
  }
  if (!wentBack || isOver) return [];
  return [
    context(
      `:hourglass: <@${wentBack.slackUser}> took this ${moment(wentBack.since)}. No act through Rackbell followed, so nobody has it since ${moment(wentBack.until)}.`,
    ),
  ];
}

/** The people who may not hear it, those who were notified last, and those who are next, with the time. Nothing where a mention that all hear says it already. */
export function waitBlocks(record: Responsibility, waiting: StepsAhead | null): Block[] {
  if (!waiting) return [];
  const steps = stepsSoFar(record, waiting);
  const last = steps.at(-1);
  const next = nextStep({ ...record, steps }, waiting);
  // A card that says who has it must not say that nobody has.
  const isTaken = last?.kind === "unanswered" && record.takenBy !== null;
  const isPlain = last?.kind === "notified" && reachNotes(last).length === 0 && last.notified.length > 0;
  const parts = [
    ...steps.slice(0, -1).flatMap(reachNotes),
    ...(last && !isPlain && !isTaken && last.kind !== "reminded" ? [reachedWords(last)] : []),
    ...(next ? nextWords(next.step, next.at, record) : []),
  ];
  if (parts.length === 0) return [];
  return [context(`${last?.notified.length === 0 && !isTaken ? ":warning:" : ":bell:"} ${parts.join(" ")}`)];
}

/** "Next: @ops-leads at 3:20 if nobody takes it." */
function nextWords({ kind, to }: WaitStep, at: number, { takenBy }: Responsibility): string[] {
  if (kind === "unanswered") return [];
  if (kind === "reminded") return [`Next: a reminder ${moment(at)} if nobody decides it.`];
  return [`Next: ${to} ${moment(at)} if ${takenBy ? "it goes back" : "nobody takes it"}.`];
}

const releases = "release:";

export function takeButton(actionId: string, id: string, { takenBy }: Pick<Responsibility, "takenBy">): Button {
  return takenBy ? button("Release", actionId, `${releases}${id}`) : button("Take", actionId, id);
}

/** The subject and the kind of press in the value of such a button. */
export function readTakeValue(value: string): { id: string; release: boolean } {
  const release = value.startsWith(releases);
  return { id: release ? value.slice(releases.length) : value, release };
}
