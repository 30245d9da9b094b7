import * as z from "zod";
import type { Answer, Step } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import { listProjects, type Project } from "../../platform/customer/projects.ts";
import { clip, code, oneLine } from "../../views/text.ts";
import { defineAppOperation } from "../app-operation.ts";
import { findProject } from "./project.ts";

const everything = { label: "All projects", command: "project use", input: { project: "all" } };

export const use = defineAppOperation({
  command: "project use",
  summary: "Choose the project that you work in: all that you do is narrowed to it, until you say “all”",
  routes: ["GET /projects"],
  verb: "Work in project",
  input: z.object({
    project: z
      .string()
      .optional()
      .meta({ title: "Project", description: "Its name or short name; all to work in all" }),
  }),
  positional: "project",
  async run({ context, actor, input }) {
    const { link, client } = await context.access.session(actor.member, "customer");
    const projects = await listProjects(client.in(null));
    if (input.project === undefined) return overview(projects, link.project);
    const wanted = input.project.trim();
    const found = /^(all|none)$/i.test(wanted) ? null : findProject(projects, wanted);
    if (found && link.bound && link.bound.id !== found.id)
      throw new Refusal(
        `Your key is confined to the project ${code(link.bound.name)}, so you cannot work in another. Nothing changed.`,
      );
    await context.identities.chooseProject(actor.member, found && { id: found.id, name: found.name });
    return found ? chosen(found) : { text: "You work in all projects again: nothing that you do is narrowed." };
  },
});

function chosen({ name }: Project): Answer {
  return {
    text: `You now work in the project ${code(name)}: you see and change only what is in it, and what you make is made in it. Invoices, credit and the catalogue belong to the whole account. Requests that wait keep the project that they were made in.`,
    next: [{ label: "List VPSes", command: "vps list" }, everything],
  };
}

function overview(projects: Project[], present: { id: string; name: string } | null): Answer {
  const steps: Step[] = projects
    .filter(({ id }) => id !== present?.id)
    .slice(0, 20)
    .map(({ id, name }) => ({
      label: clip(oneLine(name), 75),
      command: "project use",
      input: { project: id },
    }));
  const more = projects.length > 21 ? " There are more: give the name with the command." : "";
  return {
    text: `${present ? `You work in the project ${code(present.name)}.` : "You work in all projects."} Choose the one to work in.${more}`,
    next: [...(present ? [everything] : []), ...steps],
  };
}
