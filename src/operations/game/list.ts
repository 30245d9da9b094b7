import * as z from "zod";
import { everyProject, listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listServices } from "../../platform/customer/services.ts";
import { game } from "./game.ts";

export const list = defineOperation({
  command: "game list",
  summary: "List the game servers",
  act: listServices,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name, host name or id" }),
    status: z.string().optional().meta({ title: "Status", description: "Such as active or suspended" }),
    sort: z.enum(["name", "state"]).optional().meta({ title: "Sorted by" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  positional: "text",
  run: (call) =>
    listAnswer(call, {
      kind: game,
      command: "game list",
      open: "game show",
      many: "game servers",
      mark: (state) => (state === "active" ? ":video_game:" : ":white_circle:"),
    }),
});
