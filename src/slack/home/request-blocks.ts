import { requestBlocks } from "../../operations/rackbell/requests.ts";
import { scheduleRow } from "../../requests/facets/schedule/view.ts";
import { type Request, titleOf } from "../../requests/request.ts";
import { outcomeWords } from "../../requests/view.ts";
import type { VisibleRequest } from "../../requests/visibility.ts";
import { type Block, context, paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { HomeData } from "./home-data.ts";

const mostLines = 8;
const mostScheduled = 3;

/** Requests that wait for a decision, with their buttons. */
export function waitingBlocks({ shown, next }: HomeData["waiting"]): Block[] {
  if (shown.length === 0) return [];
  return [
    section("*Approvals*"),
    ...shown.flatMap(requestBlocks),
    ...(next === undefined ? [] : [context("There are more: `/rackbell approvals` lists them all.")]),
  ];
}

/** The member's scheduled requests, the soonest first, with buttons to reschedule or withdraw them. */
export function scheduledBlocks(own: VisibleRequest[]): Block[] {
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
export function runningBlocks(own: VisibleRequest[]): Block[] {
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
