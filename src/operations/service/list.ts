import * as z from "zod";
import { everyProject, listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import type { TargetKind } from "../../operation/target.ts";
import { noTarget } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listServices, type ServiceDetail } from "../../platform/customer/services.ts";
import { context } from "../../views/blocks.ts";
import { renderJson } from "../../views/json.ts";
import { sideBySide } from "./lines.ts";
import { markOf, service } from "./service.ts";

export const list = defineOperation({
  command: "service list",
  summary: "List services of every kind with their counts and totals, filtered by status or text",
  act: listServices,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name, host name or id" }),
    status: z.string().optional().meta({ title: "Status", description: "Such as active, suspended or pending" }),
    sort: z.enum(["name", "state"]).optional().meta({ title: "Sorted by" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  positional: "text",
  async run(call) {
    let stats: unknown;
    // The totals come with the page, so they cost no further call.
    async function list(client: CustomerClient, query: { page: number; limit: number; status?: string }) {
      const page = await listServices(client, query);
      stats = page.stats;
      return { rows: page.rows.map((row) => ({ service: row })), pagination: page.pagination };
    }
    const kind: TargetKind<"customer", ServiceDetail> = { ...service, list };
    const options = {
      kind,
      byStatus: list,
      command: "service list",
      open: "service show",
      many: "services",
      mark: markOf,
    };
    const answer = await listAnswer(call, options);
    const totals = stats === undefined ? [] : [context(sideBySide(renderJson(stats), 1_900))];
    return answer.blocks ? { ...answer, blocks: [...answer.blocks, ...totals] } : answer;
  },
});
