import * as z from "zod";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { plannedRow } from "../../engine/requests/planned-view.ts";
import type { Step } from "../../operation/answer.ts";
import { section } from "../../views/blocks.ts";

const perPage = 10;

export const planned = defineAppOperation({
  command: "rackbell planned",
  summary: "List what is planned for later, with its buttons to move or withdraw it",
  verb: "Planned",
  input: z.object({ after: z.string().optional().meta({ title: "After" }) }),
  async run({ context, input }) {
    const { requests, next } = await context.requests.planned({ limit: perPage, after: input.after });
    if (requests.length === 0)
      return { text: "Nothing is planned. Every change takes `at=03:00` or `in=2h`, and is then done by itself." };
    const headline = "Planned, soonest first";
    const later: Step = { label: "More ▶", command: "rackbell planned", input: { after: next ?? "" }, replace: true };
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...requests.flatMap(plannedRow)],
      next: next === undefined ? [] : [later],
    };
  },
});
