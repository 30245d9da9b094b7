import * as z from "#zod";
import type { Answer } from "../../operation/answer.ts";
import { reviewAction } from "../../requests/actions.ts";
import { askedBecause } from "../../requests/facets/agent/view.ts";
import { deferralWords } from "../../requests/facets/defer/view.ts";
import { overriddenWords } from "../../requests/facets/override/view.ts";
import { scheduleRow } from "../../requests/facets/schedule/view.ts";
import { openTo, scheduledTo, type VisiblePage } from "../../requests/lists.ts";
import { incompleteBlocks, incompleteWords, partlyVisible } from "../../requests/partly-visible.ts";
import { factsLine, outcomeBlocks, pendingButtons } from "../../requests/pending-view.ts";
import { identityLine, lossAfterTitle, titleOf } from "../../requests/request.ts";
import { requestStateWords } from "../../requests/view.ts";
import type { VisibleRequest } from "../../requests/visibility.ts";
import { actions, type Block, button, paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";

const perPage = 10;

/** A list of requests that goes on with the request after the last one shown. */
const after = z.object({ after: z.string().optional().meta({ title: "After" }) });

export const approvals = defineAppOperation({
  command: "rackbell approvals",
  phrase: "Show open requests",
  synonyms: ["requests"],
  summary: "List the requests that wait to be decided",
  example: "/rackbell approvals",
  verb: "Approvals",
  input: after,
  async run({ context, actor, input }) {
    const page = await openTo(context.requests, actor, { limit: perPage, after: input.after });
    return pageAnswer(page, {
      none: "There are no open requests that you can see.",
      headline: "Open requests, oldest first",
      rows: page.shown.flatMap(requestBlocks),
      command: "rackbell approvals",
    });
  },
});

export const scheduled = defineAppOperation({
  command: "rackbell scheduled",
  synonyms: ["schedule", "schedules", "planned"],
  summary: "List scheduled acts, with buttons to move or withdraw them",
  example: "/rackbell scheduled",
  verb: "Show scheduled acts",
  input: after,
  async run({ context, actor, input }) {
    const page = await scheduledTo(context.requests, actor, { limit: perPage, after: input.after });
    return pageAnswer(page, {
      none: "There are no scheduled acts that you can see. Add `at=03:00` or `in=2h` to a command to schedule it.",
      headline: "Scheduled, soonest first",
      rows: page.shown.flatMap(scheduleRow),
      command: "rackbell scheduled",
    });
  },
});

function pageAnswer(
  page: VisiblePage,
  { none, headline, rows, command }: { none: string; headline: string; rows: Block[]; command: string },
): Answer {
  if (page.shown.length === 0) return { text: `${none}${incompleteWords(page)}` };
  return {
    ...headed(headline, [...rows, ...incompleteBlocks(page)]),
    next: page.next === undefined ? [] : [{ label: "Next", command, input: { after: page.next }, replace: true }],
  };
}

/** One open request, as far as its reader may see it. A pending one has its buttons. */
export function requestBlocks(visible: VisibleRequest): Block[] {
  const { request, visibility, may } = visible;
  if (visibility !== "whole") return partlyVisible(visible);
  const review = reviewBlocks(visible);
  if (request.state !== "pending" && review.length > 0) return review;
  if (request.state !== "pending")
    return [section(`*${titleOf(request)}* · ${askedBecause(request)}\n${requestStateWords(request)}`)];
  return [
    ...paragraphs(
      [
        `*${titleOf(request)}* · ${askedBecause(request, moment(request.createdAt))}`,
        identityLine(request),
        lossAfterTitle(request),
        ...deferralWords(request),
      ].filter((line) => line),
    ),
    ...factsLine(request),
    ...outcomeBlocks(request),
    ...actions(pendingButtons(request, { may }), `pending:${request.id}`),
    // The platform refused the act, so the request waits as well.
    ...review,
  ];
}

/** The overrides of a request that another admin must review, with the button for one who can. */
function reviewBlocks({ request, may }: VisibleRequest): Block[] {
  const unreviewed = request.overrides.filter(({ reviewedBy }) => reviewedBy === null);
  if (unreviewed.length === 0) return [];
  const words = unreviewed.map((override) => `${overriddenWords(request, override)}; another admin must review it`);
  return [
    ...words.map((sentence) => section(`*${titleOf(request)}* · ${askedBecause(request)}; ${sentence}`)),
    ...actions(
      may.has("review") ? [button("I have reviewed it", reviewAction, request.id)] : [],
      `review:${request.id}`,
    ),
  ];
}
