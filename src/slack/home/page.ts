import { stepBlocks } from "../../engine/answers/answers.ts";
import { linkStep } from "../../engine/answers/error-text.ts";
import { hasLink } from "../../identities/link.ts";
import { actions, type Block, button, context, divider, header, section } from "../../views/blocks.ts";
import { momentAgo } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { listing } from "../../views/text.ts";
import { concernsIn, dueIn } from "./concerns.ts";
import type { Day } from "./day.ts";
import { nameOfPart, thingsIn } from "./estate.ts";
import { concernBlocks, countBlocks, dueBlocks, favouriteBlocks, watchBlocks } from "./estate-blocks.ts";
import { goingOnBlocks, plannedBlocks, waitingBlocks } from "./request-blocks.ts";
import { linkBlocks, wayBlocks } from "./way-blocks.ts";

/** The button that reads everything anew: a press on Home does that anyhow. */
export const refreshAction = "home:refresh";

/** The button that opens the search over everything. */
export const searchAction = "home:search";

/** The Home tab of somebody who may use Rackbell: what needs them first, and the ways to everything else last. */
export function homeBlocks(day: Day, notes: Block[]): Block[] {
  if (!hasLink(day.links)) return fitted([header("Rackbell"), ...notes, ...welcome(day), ...requestParts(day)]);
  const things = thingsIn(day.parts);
  return fitted([
    header("Rackbell"),
    ...notes,
    ...concernBlocks(concernsIn(things, day.now), day, isAllKnown(day)),
    ...topButtons(),
    ...ageBlocks(day),
    divider(),
    ...requestParts(day),
    ...dueBlocks(dueIn(things, day.now), day),
    ...favouriteBlocks(day.favourites, things),
    ...watchBlocks(day.watches),
    ...countBlocks(things),
    divider(),
    ...wayBlocks(day),
    ...linkBlocks(day.links),
  ]);
}

function requestParts(day: Day): Block[] {
  return [...waitingBlocks(day.waiting), ...goingOnBlocks(day.own), ...plannedBlocks(day.own)];
}

function welcome({ offer }: Day): Block[] {
  return [
    section(
      "You have not linked a key yet. Rackbell acts with your own key of the hosting platform, so that it can do what you can do and no more.",
    ),
    ...stepBlocks([linkStep, { label: "Help", command: "rackbell help" }], offer),
    divider(),
  ];
}

function topButtons(): Block[] {
  return actions([button("Search…", searchAction, "-"), button("Refresh", refreshAction, "-")], "top");
}

function isAllKnown({ parts, unread }: Day): boolean {
  return unread.length === 0 && parts.every(({ at }) => at !== null);
}

/** How old the oldest of it is, and what is missing. */
function ageBlocks({ parts, unread }: Day): Block[] {
  const times = parts.flatMap(({ at }) => at ?? []);
  const missing = parts.filter(({ at }) => at === null).map(nameOfPart);
  const age = times.length > 0 ? [`As of ${momentAgo(Math.min(...times))}.`] : [];
  const late = missing.length > 0 ? [`Not read yet: ${listing(missing)}.`] : [];
  const words = [...age, ...late].join(" ");
  return [
    ...(words === "" ? [] : [context(words)]),
    ...unread.slice(0, 1).map((text) => section(`:warning: Not all of it could be read. ${text}`)),
  ];
}

/** Every part has its own measure; should all of them be full at once, the ways at the end give way. */
function fitted(blocks: Block[]): Block[] {
  return blocks.slice(0, limits.view.blocks);
}
