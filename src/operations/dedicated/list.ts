import * as z from "zod";
import { listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listDedicated } from "../../platform/customer/dedicated.ts";
import { dedicated, markOf } from "./dedicated.ts";

export const list = defineOperation({
  command: "dedicated list",
  summary: "List dedicated servers, filtered by status, project or text",
  act: listDedicated,
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
