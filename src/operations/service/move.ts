import { doneIf } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { moveService, readService } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import {
  moveCommon,
  movedConsequence,
  movedNouns,
  namedProject,
  projectName,
  sentProject,
  sourceProjects,
} from "../project/project.ts";
import { service } from "./service.ts";

export const move = defineOperation({
  ...moveCommon,
  command: "service move",
  summary: "Move a service to another project",
  example: "/service move mail project=Staging",
  act: moveService,
  reads: [listProjects, readService, readVps],
  target: service,
  async relocates({ client, targets, input }, ruled) {
    const to = await namedProject(client, input.project);
    const ids = targets.map(({ service: row }) => row.id);
    const all = to ? await sourceProjects(client, service, ids, ruled) : [];
    return all.flatMap((from) => (to ? [{ from, to, nouns: movedNouns.services }] : []));
  },
  review: async ({ client, input, name }) => ({
    consequence: movedConsequence(`${name} moves`, await projectName(client, input.project)),
  }),
  async run({ client, target: { service: row }, input, name }) {
    const project = await sentProject(client, input.project);
    // A header of the member's project could contradict the body.
    await moveService(client.in(null), row.id, project.sent);
    return {
      text: `${name} is in the project ${code(project.name)} now.`,
      next: [{ label: "Show", command: "service show", target: row.id }],
    };
  },
  async reconcile({ client, target: { service: row }, input, name }) {
    if (row.serviceType !== "vps")
      return { is: "unsure", text: `The platform does not show which project ${name} is in.` };
    // The member's project may not show it any more.
    const { project } = await readVps(client.in(null), row.id);
    return doneIf(project.id === input.project, `${name} is in the project ${code(project.name)}.`);
  },
});
