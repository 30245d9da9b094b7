import { moment } from "../../../views/format.ts";
import { listing, prose } from "../../../views/text.ts";
import type { Approvers } from "./record.ts";

/** Names those who are asked in direct messages, in plain text: a mention would notify them a second time. */
export function askedApartWords({ direct }: Pick<Approvers, "direct">): string[] {
  if (direct.length === 0) return [];
  return [`Asked in direct messages: ${listing(direct.map(({ name }) => `@${prose(name, 60)}`))}.`];
}

/** A message has a line for so many who are away, and counts the others. */
const mostLines = 5;

/**
 * Says who is notified for whom, and why somebody who was named to stand in is not. Those who are away are named in plain text: a mention would
 * notify them.
 */
export function awayWords({ away, direct }: Pick<Approvers, "away" | "direct">): string[] {
  const apart = new Map(direct.map(({ slackUser, name }) => [slackUser, `@${prose(name, 60)}`]));
  const lines = away.slice(0, mostLines).map((one) => awayLine(one, (user) => apart.get(user) ?? `<@${user}>`));
  const more = away.length - lines.length;
  return more > 0 ? [...lines, `${more} more who could decide it are away.`] : lines;
}

const refusedWords: Record<Approvers["away"][number]["refused"][number]["why"], string> = {
  "is away as well": "is away as well",
  left: "is no member any more",
  "could not act": "cannot decide it",
};

function awayLine(
  { name, until, standIn, refused }: Approvers["away"][number],
  mentionOf: (user: string) => string,
): string {
  const who = `@${prose(name, 60)}`;
  const not = refused.map((one) => `@${prose(one.name, 60)}, who was named, ${refusedWords[one.why]}.`);
  const lead =
    standIn === null
      ? `${who} is away until ${moment(until)}, and nobody is notified in their place.`
      : `${mentionOf(standIn)} is notified for ${who}, who is away until ${moment(until)}.`;
  return [`:palm_tree: ${lead}`, ...not].join(" ");
}
