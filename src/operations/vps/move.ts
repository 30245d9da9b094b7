import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { moveVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { projectChoices } from "../project/project.ts";
import { vps } from "./vps.ts";

export const move = defineOperation({
  api: "customer",
  command: "vps move",
  summary: "Move a VPS to another project",
  routes: ["PATCH /vps/{id}", "GET /projects", "GET /vps/{id}"],
  scope: "services",
  risk: "change",
  target: vps,
  bulk: true,
  input: z.object({ project: z.string().meta({ title: "Project" }) }),
  choices: { project: projectChoices },
  async reconcile({ target, input }) {
    const moved = target.project.id === input.project;
    return { is: moved ? "done" : "not done", text: `${code(target.name)} is in ${code(target.project.name)}.` };
  },
  async run({ client, target, input }) {
    const project = (await listProjects(client)).find(({ id }) => id === input.project);
    await moveVps(client, target.id, project?.is_default ? null : input.project);
    return {
      text: `${code(target.name)} moved from ${code(target.project.name)} to ${code(project?.name ?? input.project)}.`,
      next: [{ label: "Move back", command: "vps move", target: target.id, input: { project: target.project.id } }],
    };
  },
});
