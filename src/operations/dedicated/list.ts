import * as z from "zod";
import { listAnswer } from "../../engine/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { dedicated, markOf } from "./dedicated.ts";

export const list = defineOperation({
  api: "customer",
  command: "dedicated list",
  summary: "List dedicated servers, filtered by status, project or text",
  routes: ["GET /dedicated"],
  scope: "read",
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name, host name, address or id" }),
    status: z.string().optional().meta({ title: "Status", description: "Such as active, pending or suspended" }),
    project: z.string().optional().meta({ title: "Project" }),
    sort: z.enum(["name", "state", "project"]).optional().meta({ title: "Sorted by" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "text",
  run: (call) =>
    listAnswer(call, {
      kind: dedicated,
      command: "dedicated list",
      open: "dedicated show",
      many: "dedicated servers",
      mark: markOf,
    }),
});
