import * as z from "zod";
import { listAnswer, listFields } from "../../engine/answers/list.ts";
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
  input: z.object(listFields),
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
