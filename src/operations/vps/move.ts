import { doneIf } from "../../operation/answer.ts";
import { distinctRelocations } from "../../operation/bulk.ts";
import { defineOperation } from "../../operation/define.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { moveVps } from "../../platform/customer/vps.ts";
import { characters } from "../../process/plain-text.ts";
import { code } from "../../views/text.ts";
import { moveCommon, movedConsequence, namedProject, projectName, sentProject } from "../project/project.ts";
import { vps } from "./vps.ts";

export const move = defineOperation({
  ...moveCommon,
  command: "vps move",
  summary: "Move a VPS to another project",
  example: "/vps move mail project=Staging",
  act: moveVps,
  reads: [listProjects],
  target: vps,
  bulk: {
    each: ({ project }, _, labels) => movedConsequence("it moves", labels.get(project) ?? project),
    harmless: true,
  },
  async relocates({ client, targets, input }) {
    const to = await namedProject(client, input.project);
    return to ? distinctRelocations(targets.map(({ project: from }) => ({ from, to, nouns: ["vps", "service"] }))) : [];
  },
  review: async ({ client, target, input, name }) => ({
    consequence: movedConsequence(
      `${name} moves from ${code(target.project.name)}`,
      await projectName(client, input.project),
    ),
  }),
  current: ({ project }) => ({ project: characters(project.name) }),
  reconcile: async ({ target, input, name }) =>
    doneIf(target.project.id === input.project, `${name} is in ${code(target.project.name)}.`),
  async run({ client, target, input, name }) {
    const project = await sentProject(client, input.project);
    // A header of the member's project could contradict the body.
    await moveVps(client.in(null), target.id, project.sent);
    return {
      text: `${name} moved from ${code(target.project.name)} to ${code(project.name)}.`,
      next: [{ label: "Move back", command: "vps move", target: target.id, input: { project: target.project.id } }],
    };
  },
});
