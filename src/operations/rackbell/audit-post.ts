import * as z from "zod";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { Refusal } from "../../operation/errors.ts";
import { noteAdmin, requireAdmin } from "./connecting.ts";

const about = { command: "rackbell audit post" };

export const auditPost = defineAppOperation({
  command: "rackbell audit post",
  summary: "For admins: post the audit's newest checkpoint to the approvals channel once a day, or stop that",
  verb: "Post checkpoints",
  input: z.object({
    state: z.enum(["on", "off"]).default("on").meta({ title: "Post it", description: "on: once a day; off: no more" }),
  }),
  positional: "state",
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    if (input.state === "off") {
      const outcome = "Checkpoints of the audit are no longer posted.";
      await noteAdmin(context, actor, { ...about, what: "checkpoints not posted", outcome });
      await context.settings.change({ checkpointsPosted: false });
      return { text: outcome };
    }
    const { approvalsChannel } = await context.settings.read();
    if (approvalsChannel === null)
      throw new Refusal(
        "There is no approvals channel to post to. Name one first: `/rackbell approvals channel #ops`. Nothing changed.",
      );
    const problem = await context.placeProblem(approvalsChannel);
    if (problem !== null) throw new Refusal(`Nothing can be posted there: ${problem}. Nothing changed.`);
    const outcome = `The audit's newest checkpoint is now posted in <#${approvalsChannel}> once a day where there is a new one, beginning now.`;
    await noteAdmin(context, actor, { ...about, what: "checkpoints posted", outcome });
    await context.settings.change({ checkpointsPosted: true });
    await context.auditSystem.posting.look();
    return { text: outcome };
  },
});
