import * as z from "zod";
import type { Answer } from "../../operation/answer.ts";
import { changeSettings } from "../../records/settings.ts";
import { reviewAction } from "../../requests/actions.ts";
import { placeProblem } from "../../requests/audience.ts";
import { askedBecause } from "../../requests/facets/agent/view.ts";
import { isToReview } from "../../requests/facets/override/record.ts";
import { scheduleRow } from "../../requests/facets/schedule/view.ts";
import { openTo, scheduledTo, type VisiblePage } from "../../requests/lists.ts";
import { incompleteBlocks, incompleteWords, partlyVisible } from "../../requests/partly-visible.ts";
import { factsLine, pendingButtons } from "../../requests/pending-view.ts";
import { identityLine, lossText, titleOf } from "../../requests/request.ts";
import { requestStateWords } from "../../requests/view.ts";
import type { VisibleRequest } from "../../requests/visibility.ts";
import { actions, type Block, button, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { sentence } from "../../views/text.ts";
import { defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { channelIdOf } from "./admin.ts";

const perPage = 10;

/** A list of requests that goes on with the request after the last one shown. */
const after = z.object({ after: z.string().optional().meta({ title: "After" }) });

export const approvals = defineAppOperation({
  command: "rackbell approvals",
  phrase: "Show open requests",
  synonyms: ["requests"],
  summary: "List the requests that wait to be decided",
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
  if (isToReview(request))
    return [
      section(
        `*${titleOf(request)}* · ${askedBecause(request)}; run without approval by <@${request.override?.slackUser}>; another admin must review it`,
      ),
      ...actions(
        may.has("review") ? [button("I have reviewed it", reviewAction, request.id)] : [],
        `pending:${request.id}`,
      ),
    ];
  if (request.state !== "pending")
    return [section(`*${titleOf(request)}* · ${askedBecause(request)}\n${requestStateWords(request)}`)];
  return [
    section(
      [
        `*${titleOf(request)}* · ${askedBecause(request, moment(request.createdAt))}`,
        identityLine(request),
        lossText(request),
      ]
        .filter((line) => line)
        .join("\n"),
    ),
    ...factsLine(request),
    ...actions(pendingButtons(request, { may }), `pending:${request.id}`),
  ];
}

export const approvalsChannel = defineAppOperation({
  command: "rackbell approvals channel",
  summary: "For admins: name the channel where requests to destroy are posted, or “none”",
  admins: true,
  verb: "Set approvals channel",
  input: z.object({
    channel: z.string().meta({
      title: "Channel",
      description: "The command takes none as well: requests then appear where they are typed",
      format: "channel",
    }),
  }),
  positional: "channel",
  async run({ context, note, input }) {
    const id = input.channel === "none" ? null : channelIdOf(input.channel);
    const outcome =
      id === null
        ? "Requests now appear in the channel where they are typed."
        : `Requests to destroy are now posted in <#${id}>.`;
    await changeSettings(context, { approvalsChannel: id });
    await note("approvals channel set", outcome);
    if (id === null) return { text: outcome };
    const problem = await placeProblem(context.requests.people, id);
    const yet = problem ? ` As it is, none can be posted there: ${sentence(problem)}` : "";
    return { text: `${outcome}${yet}` };
  },
});

export const approvalsGroup = defineAppOperation({
  command: "rackbell approvals group",
  summary: "For admins: name the user group that is mentioned when somebody must approve, or “none”",
  admins: true,
  verb: "Set approver group",
  input: z.object({
    group: z
      .string()
      .regex(/^(none|@?S[A-Z0-9]{5,})$/, {
        error:
          "choose the group from Slack's list as you type the command, /rackbell approvals group @oncall, or give its id here; the group's own menu copies it.",
      })
      .meta({
        title: "User group",
        description:
          "Slack offers groups in a command alone: /rackbell approvals group @oncall. Here: its id, which the group's own menu copies, or none",
      }),
  }),
  positional: "group",
  async run({ context, note, input }) {
    const id = input.group === "none" ? null : input.group.replace(/^@/, "");
    const outcome =
      id === null
        ? "Nobody is mentioned when somebody must approve."
        : `<!subteam^${id}> is now mentioned when somebody must approve.`;
    await changeSettings(context, { approverGroup: id });
    await note("approver group set", outcome);
    return { text: outcome };
  },
});
