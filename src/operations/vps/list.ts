import * as z from "zod";
import { listAnswer, listFields } from "../../engine/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { listedOf, noTarget } from "../../operation/target.ts";
import { project } from "../project/project.ts";
import { markOf } from "./card.ts";
import { vps, vpsStates } from "./vps.ts";

export const list = defineOperation({
  api: "customer",
  command: "vps list",
  summary: "List VPSes, filtered by status, project or text",
  routes: ["GET /vps"],
  scope: "read",
  risk: "read",
  target: noTarget,
  input: z.object(listFields),
  positional: "text",
  run: (call) =>
    listAnswer(call, {
      ...{ kind: vps, command: "vps list", open: "vps show", many: "VPSes", mark: markOf },
      ...{ states: vpsStates, projects: listedOf(project) },
    }),
});
