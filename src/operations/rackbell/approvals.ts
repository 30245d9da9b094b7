import * as z from "zod";
import { defineAppOperation } from "../../engine/app-operation.ts";
import type { Step } from "../../operation/answer.ts";
import { InputError } from "../../operation/errors.ts";
import { incompleteBlocks, incompleteWords, partlyVisible } from "../../requests/partly-visible.ts";
import { isToReview } from "../../requests/request.ts";
import { buttonsOf, reviewAction, stateWords, titleOf } from "../../requests/view.ts";
import type { VisibleRequest } from "../../requests/visibility.ts";
import { actions, type Block, button, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { sentence } from "../../views/text.ts";
import { requireAdmin } from "./connecting.ts";

const perPage = 10;

export const approvals = defineAppOperation({
  command: "rackbell approvals",
  summary: "List the requests that wait to be decided",
  verb: "Approvals",
  input: z.object({ after: z.string().optional().meta({ title: "After" }) }),
  async run({ context, actor, input }) {
    const page = await context.requests.openTo(actor, { limit: perPage, after: input.after });
    const { shown, next } = page;
    if (shown.length === 0) return { text: `Nothing waits to be decided that you can see.${incompleteWords(page)}` };
    const headline = "Requests that are not settled yet, oldest first";
    const older: Step = { label: "More ▶", command: "rackbell approvals", input: { after: next ?? "" }, replace: true };
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...shown.flatMap(requestBlocks), ...incompleteBlocks(page)],
      next: next === undefined ? [] : [older],
    };
  },
});

/** One open request, as far as its reader may see it. A pending one has its buttons. */
export function requestBlocks({ request, visibility }: VisibleRequest): Block[] {
  if (visibility !== "whole") return partlyVisible({ request, visibility });
  if (isToReview(request))
    return [
      section(
        `*${titleOf(request)}* · run without approval by <@${request.glass?.slackUser}>; another admin must look at it`,
      ),
      ...actions([button("I have looked at it", reviewAction, request.id)], `pending:${request.id}`),
    ];
  if (request.state !== "pending") return [section(`*${titleOf(request)}* · ${stateWords(request)}`)];
  const asked = `asked by <@${request.slackUser}> ${moment(request.createdAt)}`;
  return [
    section(`*${titleOf(request)}* · ${asked}\n${request.consequence}`),
    ...actions(buttonsOf(request), `pending:${request.id}`),
  ];
}

export const approvalsChannel = defineAppOperation({
  command: "rackbell approvals channel",
  summary: "For admins: name the channel where requests to destroy are posted, or “none”",
  verb: "Approvals channel",
  input: z.object({
    channel: z.string().meta({
      title: "Channel",
      description: "The command takes none as well: requests then appear where they are typed",
      format: "channel",
    }),
  }),
  positional: "channel",
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    if (input.channel === "none") {
      await context.settings.change({ approvalsChannel: null });
      return { text: "Requests now appear in the channel where they are typed." };
    }
    const id = input.channel.replace(/^#/, "");
    if (!/^[CG][A-Z0-9]{5,}$/.test(id))
      throw new InputError([
        {
          field: "channel",
          message: "Choose the channel from Slack's list as you type it, so that it is sure which one is meant.",
        },
      ]);
    await context.settings.change({ approvalsChannel: id });
    const problem = await context.placeProblem(id);
    const yet = problem ? ` As it is, none can be posted there: ${sentence(problem)}` : "";
    return { text: `Requests to destroy are now posted in <#${id}>.${yet}` };
  },
});

export const approvalsGroup = defineAppOperation({
  command: "rackbell approvals group",
  summary: "For admins: name the user group that is mentioned when somebody must approve, or “none”",
  verb: "Approver group",
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
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    if (input.group === "none") {
      await context.settings.change({ approverGroup: null });
      return { text: "Nobody is mentioned when somebody must approve." };
    }
    const id = input.group.replace(/^@/, "");
    await context.settings.change({ approverGroup: id });
    return { text: `<!subteam^${id}> is now mentioned when somebody must approve.` };
  },
});
