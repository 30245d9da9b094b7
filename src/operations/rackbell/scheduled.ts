import * as z from "zod";
import { defineAppOperation } from "../../engine/app-operation.ts";
import type { Step } from "../../operation/answer.ts";
import { incompleteBlocks, incompleteWords } from "../../requests/partly-visible.ts";
import { scheduleRow } from "../../requests/schedule-view.ts";
import { section } from "../../views/blocks.ts";

const perPage = 10;

export const scheduled = defineAppOperation({
  command: "rackbell planned",
  summary: "List what is planned for later, with its buttons to move or withdraw it",
  verb: "Planned",
  input: z.object({ after: z.string().optional().meta({ title: "After" }) }),
  async run({ context, actor, input }) {
    const page = await context.requests.plannedTo(actor, { limit: perPage, after: input.after });
    const { shown, next } = page;
    if (shown.length === 0)
      return {
        text: `Nothing is planned that you can see. Every change takes \`at=03:00\` or \`in=2h\`, and is then done by itself.${incompleteWords(page)}`,
      };
    const headline = "Planned, soonest first";
    const later: Step = { label: "More ▶", command: "rackbell planned", input: { after: next ?? "" }, replace: true };
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...shown.flatMap(scheduleRow), ...incompleteBlocks(page)],
      next: next === undefined ? [] : [later],
    };
  },
});
