import type { Button } from "@slack/types";
import { type Block, button, context } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { Responsibility } from "./responsibility.ts";

/** "@ana took this at 9:00", with the time at which it goes back; or that it went back. */
export function takeBlocks({ takenBy, wentBack }: Pick<Responsibility, "takenBy" | "wentBack">): Block[] {
  if (takenBy)
    return [
      context(
        `:eyes: <@${takenBy.slackUser}> took this ${moment(takenBy.since)}. It goes back ${moment(takenBy.until)} if they do nothing until then.`,
      ),
    ];
  if (!wentBack) return [];
  return [
    context(
      `:hourglass: <@${wentBack.slackUser}> took this ${moment(wentBack.since)} and did nothing. Nobody has it since ${moment(wentBack.until)}.`,
    ),
  ];
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
