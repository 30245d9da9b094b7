import { plannedRow } from "../../engine/requests/planned-view.ts";
import type { Request } from "../../engine/requests/request.ts";
import { outcomeOf, titleOf } from "../../engine/requests/view.ts";
import { requestBlocks } from "../../operations/rackbell/approvals.ts";
import { type Block, context, paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { Day } from "./day.ts";

const mostLines = 8;
const mostPlanned = 3;

/** What waits for a decision, with the buttons that make it. */
export function waitingBlocks({ requests, next }: Day["waiting"]): Block[] {
  if (requests.length === 0) return [section("*Waiting to be decided*\nNothing.")];
  return [
    section("*Waiting to be decided*"),
    ...requests.flatMap(requestBlocks),
    ...(next === undefined ? [] : [context("There are more: `/rackbell approvals` lists them all.")]),
  ];
}

/** What the member has planned, the soonest first, with the buttons to move or withdraw it. */
export function plannedBlocks(own: Request[]): Block[] {
  const planned = own
    .filter(({ state }) => state === "planned")
    .sort((a, b) => (a.planned?.at ?? 0) - (b.planned?.at ?? 0));
  if (planned.length === 0) return [];
  const left = planned.length - mostPlanned;
  return [
    section("*Planned*"),
    ...planned.slice(0, mostPlanned).flatMap(plannedRow),
    ...(left > 0 ? [context(`and ${left} more: \`/rackbell planned\``)] : []),
  ];
}

/** What the member asked for and has not ended. */
export function goingOnBlocks(own: Request[]): Block[] {
  const running = own.filter(({ state }) => state === "working" || state === "claimed" || state === "unknown");
  if (running.length === 0) return [section("*Going on for you*\nNothing.")];
  const lines = running
    .slice(0, mostLines)
    .map((request) => `• *${titleOf(request)}*: ${outcomeOf(request)} (since ${moment(begunAt(request))})`);
  const more = running.length > lines.length ? [`and ${running.length - lines.length} more`] : [];
  return paragraphs(["*Going on for you*", ...lines, ...more]);
}

/** What was planned began at its time, and not when it was asked for. */
function begunAt({ job, planned, createdAt }: Request): number {
  return job?.since ?? planned?.at ?? createdAt;
}
