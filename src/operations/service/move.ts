import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { moveService, readService } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { movedNouns, namedProject, projectChoices, sourceProjects } from "../project/project.ts";
import { nameOf, service } from "./service.ts";

export const move = defineOperation({
  command: "service move",
  summary: "Move a service to another project",
  act: moveService,
  reads: [listProjects, readService, readVps],
  risk: "change",
  target: service,
  input: z.object({ project: z.string().meta({ title: "Project" }) }),
  choices: { project: projectChoices },
  async relocates({ client, targets, input }, ruled) {
    const to = await namedProject(client, input.project);
    const ids = targets.map(({ service: row }) => row.id);
    const all = to ? await sourceProjects(client, service, ids, ruled) : [];
    return all.flatMap((from) => (to ? [{ from, to, nouns: movedNouns.services }] : []));
  },
  async review({ client, target: { service: row }, input }) {
    const to = code((await namedProject(client, input.project))?.name ?? input.project);
    return {
      consequence: `${code(nameOf(row))} moves to ${to}. It keeps running; the approval rules of ${to} are its own from then on.`,
    };
  },
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
