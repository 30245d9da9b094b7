import { linkStep } from "../../members/access/access.ts";
import { hasLink } from "../../members/identities/link.ts";
import { rowBlocks, stepBlocks } from "../../messages/answers/answers.ts";
import { rowButton } from "../../messages/answers/buttons.ts";
import { dueIn, findConcerns } from "../../operations/rackbell/attention.ts";
import { ageBlocks, isAllRead, refusedSentences } from "../../operations/rackbell/home-kinds.ts";
import { requestBlocks } from "../../operations/rackbell/requests.ts";
import { setupStep } from "../../operations/rackbell/setup.ts";
import { scheduleRow } from "../../requests/facets/schedule/view.ts";
import { type Request, titleOf } from "../../requests/request.ts";
import { outcomeWords } from "../../requests/view.ts";
import type { VisibleRequest } from "../../requests/visibility.ts";
import { type Block, context, divider, header, paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
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

/** The Home tab of an admitted member: the ways in, approvals, alerts, schedules; the inventory and the keys last. */
export function homeBlocks(data: HomeData, notes: Block[]): Block[] {
  if (!hasLink(data.links))
    return withinLimit([
      header("Rackbell"),
      ...notes,
      ...firstBlocks(data),
      ...setupBlocks(data),
      divider(),
      ...awayBlocks(data),
      ...requestParts(data),
    ]);
  const { resources } = data;
  return withinLimit([
    header("Rackbell"),
    ...notes,
    ...navigationBlocks(data),
    ...setupBlocks(data),
    ...awayBlocks(data),
    ...onCallBlocks(data),
    ...ageBlocks(data.parts, data.unread),
    ...refusedSentences(data.refused).map((words) => context(words)),
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

/** That the member is away, or the stand-in of somebody. */
function awayBlocks({ away: { lines, next }, offer }: HomeData): Block[] {
  return lines.length === 0 ? [] : rowBlocks(lines.join("\n"), "away", next, offer);
}

/** The people on call, where the workspace has rotations. */
function onCallBlocks({ onCall: { lines, next }, offer }: HomeData): Block[] {
  return lines.length === 0 ? [] : rowBlocks(lines.join("\n"), "on-call", next, offer);
}

function requestParts(data: HomeData): Block[] {
  return [...waitingBlocks(data.waiting), ...runningBlocks(data.own), ...scheduledBlocks(data.own)];
}

function firstBlocks({ notLinked, offer }: HomeData): Block[] {
  return [section(notLinked), ...stepBlocks([linkStep, { label: "Help", command: "rackbell help" }], offer)];
}

function setupBlocks({ setup }: HomeData): Block[] {
  return setup === null ? [] : [section(setup, rowButton(setupStep.label, setupStep, "home"))];
}

/** Each part has its own limit. If all are full at once, the end is cut. */
function withinLimit(blocks: Block[]): Block[] {
  return blocks.slice(0, limits.view.blocks);
}

const mostLines = 8;
const mostScheduled = 3;

/** Requests that wait for a decision, with their buttons. */
function waitingBlocks({ shown, next }: HomeData["waiting"]): Block[] {
  if (shown.length === 0) return [];
  return [
    section("*Approvals*"),
    ...shown.flatMap(requestBlocks),
    ...(next === undefined ? [] : [context("There are more: `/rackbell approvals` lists them all.")]),
  ];
}

/** The member's scheduled requests, the soonest first, with buttons to reschedule or withdraw them. */
function scheduledBlocks(own: VisibleRequest[]): Block[] {
  const scheduled = own
    .filter(({ request }) => request.state === "scheduled")
    .sort((a, b) => (a.request.schedule?.at ?? 0) - (b.request.schedule?.at ?? 0));
  if (scheduled.length === 0) return [];
  const left = scheduled.length - mostScheduled;
  return [
    section("*Scheduled*"),
    ...scheduled.slice(0, mostScheduled).flatMap(scheduleRow),
    ...(left > 0 ? [context(`and ${left} more: \`/rackbell scheduled\``)] : []),
  ];
}

/** The member's requests in progress. */
function runningBlocks(own: VisibleRequest[]): Block[] {
  const running = own
    .map(({ request }) => request)
    .filter(({ state }) => state === "working" || state === "claimed" || state === "unknown");
  if (running.length === 0) return [];
  const lines = running
    .slice(0, mostLines)
    .map((request) => `• *${titleOf(request)}*: ${outcomeWords(request)} (since ${moment(begunAt(request))})`);
  const more = running.length > lines.length ? [`and ${running.length - lines.length} more`] : [];
  return paragraphs(["*In progress*", ...lines, ...more]);
}

/** The start of a request; a scheduled one began at its time and not when it was made. */
function begunAt({ job, schedule, createdAt }: Request): number {
  return job?.since ?? schedule?.at ?? createdAt;
}
