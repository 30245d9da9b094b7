import { linkStep } from "../../access/error-text.ts";
import { hasLink } from "../../identities/link.ts";
import { stepBlocks } from "../../notifications/answers/answers.ts";
import { dueIn, findConcerns } from "../../operations/rackbell/concerns.ts";
import { nameOfPart, resourcesIn } from "../../operations/rackbell/home-kinds.ts";
import { type Block, context, divider, header, section } from "../../views/blocks.ts";
import { momentAgo } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { listing } from "../../views/text.ts";
import { agentBlocks, concernBlocks, countBlocks, dueBlocks, favouriteBlocks, watchBlocks } from "./estate-blocks.ts";
import type { HomeData } from "./home-data.ts";
import { goingOnBlocks, scheduledBlocks, waitingBlocks } from "./request-blocks.ts";
import { endBlocks, linkBlocks, wayBlocks } from "./way-blocks.ts";

/** The Home tab of an admitted member: the ways in, approvals, alerts, schedules; the inventory and the keys last. */
export function homeBlocks(day: HomeData, notes: Block[]): Block[] {
  if (!hasLink(day.links)) return fitted([header("Rackbell"), ...notes, ...welcome(day), ...requestParts(day)]);
  const resources = resourcesIn(day.parts);
  return fitted([
    header("Rackbell"),
    ...notes,
    ...wayBlocks(day),
    ...ageBlocks(day),
    ...waitingBlocks(day.waiting),
    ...concernBlocks(findConcerns(resources, day.now), day, isAllKnown(day)),
    ...scheduledBlocks(day.own),
    ...goingOnBlocks(day.own),
    divider(),
    ...dueBlocks(dueIn(resources, day.now), day),
    ...favouriteBlocks(day.favourites, resources),
    ...watchBlocks(day.watches),
    ...agentBlocks(day.agents),
    ...countBlocks(resources),
    divider(),
    ...endBlocks(day),
    ...linkBlocks(day.links),
  ]);
}

function requestParts(day: HomeData): Block[] {
  return [...waitingBlocks(day.waiting), ...goingOnBlocks(day.own), ...scheduledBlocks(day.own)];
}

function welcome({ offer }: HomeData): Block[] {
  return [
    section(
      "You have not linked a key yet: Rackbell acts with your own key of the hosting platform, and can do no more than it.",
    ),
    ...stepBlocks([linkStep, { label: "Help", command: "rackbell help" }], offer),
    divider(),
  ];
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
