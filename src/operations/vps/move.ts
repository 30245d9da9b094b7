import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { distinctRelocations } from "../../operation/relocation.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { moveVps, readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { namedProject, projectChoices } from "../project/project.ts";
import { vps } from "./vps.ts";

export const move = defineOperation({
  command: "vps move",
  summary: "Move a VPS to another project",
  act: moveVps,
  reads: [listProjects, readVps],
  risk: "change",
  target: vps,
  bulk: true,
  input: z.object({ project: z.string().meta({ title: "Project" }) }),
  choices: { project: projectChoices },
  async relocates({ client, targets, input }) {
    const to = await namedProject(client, input.project);
    return to ? distinctRelocations(targets.map(({ project: from }) => ({ from, to, nouns: ["vps", "service"] }))) : [];
  },
  async review({ client, target, input }) {
    const to = (await namedProject(client, input.project))?.name ?? input.project;
    return {
      consequence: `${code(target.name)} moves from ${code(target.project.name)} to ${code(to)}. It keeps running; the approval rules of ${code(to)} are its own from then on.`,
    };
  },
  current: ({ project }) => ({ project: project.name }),
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
