import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { moveService } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { projectChoices } from "../project/project.ts";
import { nameOf, service } from "./service.ts";

export const move = defineOperation({
  api: "customer",
  command: "service move",
  summary: "Move a service to another project",
  routes: ["PATCH /services/{id}", "GET /projects", "GET /services/{id}", "GET /vps/{id}"],
  scope: "services",
  risk: "change",
  target: service,
  input: z.object({ project: z.string().meta({ title: "Project" }) }),
  choices: { project: projectChoices },
  async run({ client, target: { service: row }, input }) {
    const project = (await listProjects(client)).find(({ id }) => id === input.project);
    await moveService(client, row.id, project?.is_default ? null : input.project);
    return {
      text: `${code(nameOf(row))} is in the project ${code(project?.name ?? input.project)} now.`,
      next: [{ label: "Show", command: "service show", target: row.id }],
    };
  },
  async reconcile({ client, target: { service: row }, input }) {
    const name = code(nameOf(row));
    if (row.serviceType !== "vps")
      return { is: "unsure", text: `The platform does not tell in which project ${name} is.` };
    const { project } = await readVps(client, row.id);
    const there = project.id === input.project;
    return { is: there ? "done" : "not done", text: `${name} is in the project ${code(project.name)}.` };
  },
});
