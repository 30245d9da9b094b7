import { linkStep } from "../../access/error-text.ts";
import { hasLink } from "../../identities/link.ts";
import { stepBlocks } from "../../notifications/answers/answers.ts";
import { actions, type Block, button, context, divider, header, section } from "../../views/blocks.ts";
import { momentAgo } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { listing } from "../../views/text.ts";
import { dueIn, findConcerns } from "./concerns.ts";
import { nameOfPart, resourcesIn } from "./estate.ts";
import { concernBlocks, countBlocks, dueBlocks, favouriteBlocks, watchBlocks } from "./estate-blocks.ts";
import type { HomeData } from "./home-data.ts";
import { goingOnBlocks, plannedBlocks, waitingBlocks } from "./request-blocks.ts";
import { linkBlocks, wayBlocks } from "./way-blocks.ts";

/** The refresh button. It needs no code of its own: every press on Home reads again. */
export const refreshAction = "home:refresh";

/** The button that opens the search. */
export const searchAction = "home:search";

/** The Home tab of an admitted member: concerns first, links to everything else last. */
export function homeBlocks(day: HomeData, notes: Block[]): Block[] {
  if (!hasLink(day.links)) return fitted([header("Rackbell"), ...notes, ...welcome(day), ...requestParts(day)]);
  const resources = resourcesIn(day.parts);
  return fitted([
    header("Rackbell"),
    ...notes,
    ...concernBlocks(findConcerns(resources, day.now), day, isAllKnown(day)),
    ...topButtons(),
    ...ageBlocks(day),
    divider(),
    ...requestParts(day),
    ...dueBlocks(dueIn(resources, day.now), day),
    ...favouriteBlocks(day.favourites, resources),
    ...watchBlocks(day.watches),
    ...countBlocks(resources),
    divider(),
    ...wayBlocks(day),
    ...linkBlocks(day.links),
  ]);
}

function requestParts(day: HomeData): Block[] {
  return [...waitingBlocks(day.waiting), ...goingOnBlocks(day.own), ...plannedBlocks(day.own)];
}

function welcome({ offer }: HomeData): Block[] {
  return [
    section(
      "You have not linked a key yet. Rackbell acts with your own key of the hosting platform. It can do what your key can do, and no more.",
    ),
    ...stepBlocks([linkStep, { label: "Help", command: "rackbell help" }], offer),
    divider(),
  ];
}

function topButtons(): Block[] {
  return actions([button("Search…", searchAction, "-"), button("Refresh", refreshAction, "-")], "top");
}

function isAllKnown({ parts, unread }: HomeData): boolean {
  return unread.length === 0 && parts.every(({ at }) => at !== null);
}

/** The age of the oldest list, and the missing lists. */
function ageBlocks({ parts, unread }: HomeData): Block[] {
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

/** Each part has its own limit. If all are full at once, the end is cut. */
function fitted(blocks: Block[]): Block[] {
  return blocks.slice(0, limits.view.blocks);
}
