import { linkStep } from "../../members/access/access.ts";
import { hasLink } from "../../members/identities/link.ts";
import { stepBlocks } from "../../messages/answers/answers.ts";
import { dueIn, findConcerns } from "../../operations/rackbell/attention.ts";
import { ageBlocks, isAllRead } from "../../operations/rackbell/home-kinds.ts";
import { type Block, divider, header, section } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import {
  agentList,
  concernBlocks,
  countBlocks,
  dueBlocks,
  favouriteBlocks,
  savedBlocks,
  watchBlocks,
} from "./estate-blocks.ts";
import type { HomeData } from "./home-data.ts";
import { footerBlocks, linkBlocks, navigationBlocks } from "./navigation-blocks.ts";
import { runningBlocks, scheduledBlocks, waitingBlocks } from "./request-blocks.ts";

/** The Home tab of an admitted member: the ways in, approvals, alerts, schedules; the inventory and the keys last. */
export function homeBlocks(data: HomeData, notes: Block[]): Block[] {
  if (!hasLink(data.links)) return withinLimit([header("Rackbell"), ...notes, ...welcome(data), ...requestParts(data)]);
  const { resources } = data;
  return withinLimit([
    header("Rackbell"),
    ...notes,
    ...navigationBlocks(data),
    ...ageBlocks(data.parts, data.unread),
    ...waitingBlocks(data.waiting),
    ...concernBlocks(findConcerns(resources, data.downs, data.now), data, isAllRead(data.parts, data.unread)),
    ...scheduledBlocks(data.own),
    ...runningBlocks(data.own),
    divider(),
    ...dueBlocks(dueIn(resources, data.now), data),
    ...favouriteBlocks(data.favourites, resources),
    ...savedBlocks(data.saved),
    ...watchBlocks(data.watches),
    ...agentList(data.agents),
    ...countBlocks(resources),
    divider(),
    ...footerBlocks(data),
    ...linkBlocks(data.links),
  ]);
}

function requestParts(data: HomeData): Block[] {
  return [...waitingBlocks(data.waiting), ...runningBlocks(data.own), ...scheduledBlocks(data.own)];
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

/** Each part has its own limit. If all are full at once, the end is cut. */
function withinLimit(blocks: Block[]): Block[] {
  return blocks.slice(0, limits.view.blocks);
}
