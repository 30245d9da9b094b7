import * as z from "zod";
import { listAnswer } from "../../engine/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { markOf } from "./card.ts";
import { vps } from "./vps.ts";

export const list = defineOperation({
  api: "customer",
  command: "vps list",
  summary: "List VPSes, filtered by status, project or text",
  routes: ["GET /vps"],
  scope: "read",
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().max(250).optional().meta({ title: "Text", description: "In the name, host name, address or id" }),
    status: z
      .string()
      .max(40)
      .optional()
      .meta({ title: "Status", description: "Such as running, stopped, suspended or pending" }),
    project: z.string().max(80).optional().meta({ title: "Project" }),
    sort: z.enum(["name", "state", "project"]).optional().meta({ title: "Sorted by" }),
    page: z.number().int().min(1).default(1).meta({ title: "Page" }),
  }),
  positional: "text",
  run: (call) => listAnswer(call, { kind: vps, command: "vps list", open: "vps show", many: "VPSes", mark: markOf }),
});
