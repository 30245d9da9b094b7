import { moment } from "../../../views/format.ts";
import { prose } from "../../../views/text.ts";
import type { Approvers } from "./record.ts";

/** A message has a line for so many who are away, and counts the others. */
const mostLines = 5;

/**
 * Says who is notified for whom, and why somebody who was named to stand in is not. Those who are away are named in plain text: a mention would
 * notify them.
 */
export function awayWords({ away }: Pick<Approvers, "away">): string[] {
  const lines = away.slice(0, mostLines).map(awayLine);
  const more = away.length - lines.length;
  return more > 0 ? [...lines, `${more} more who could decide it are away.`] : lines;
}

const refusedWords: Record<Approvers["away"][number]["refused"][number]["why"], string> = {
  "is away as well": "is away as well",
  left: "is no member any more",
  "could not act": "cannot decide it",
};

function awayLine({ name, until, standIn, refused }: Approvers["away"][number]): string {
  const who = `@${prose(name, 60)}`;
  const not = refused.map((one) => `@${prose(one.name, 60)}, who was named, ${refusedWords[one.why]}.`);
  const lead =
    standIn === null
      ? `${who} is away until ${moment(until)}, and nobody is notified in their place.`
      : `<@${standIn}> is notified for ${who}, who is away until ${moment(until)}.`;
  return [`:palm_tree: ${lead}`, ...not].join(" ");
}
