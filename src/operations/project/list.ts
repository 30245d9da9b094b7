import * as z from "zod";
import { listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { project } from "./project.ts";

export const list = defineOperation({
  command: "project list",
  summary: "List the projects and what each holds",
  act: listProjects,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or slug" }),
    page: listFields.page,
    export: listFields.export,
  }),
  positional: "text",
  async run(call) {
    const answer = await listAnswer(call, {
      kind: project,
      command: "project list",
      open: "project show",
      many: "projects",
      mark: (state) => (state === "default" ? ":open_file_folder:" : ":file_folder:"),
    });
    return { ...answer, next: [...(answer.next ?? []), { label: "New project…", command: "project create" }] };
  },
});
