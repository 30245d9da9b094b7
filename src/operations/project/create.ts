import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { createProject, listProjects } from "../../platform/customer/projects.ts";
import { code } from "../../views/text.ts";
import { projectFields } from "./fields.ts";

export const create = defineOperation({
  command: "project create",
  summary: "Make a new, empty project",
  act: createProject,
  risk: "change",
  verb: "Create project",
  target: noTarget,
  input: z.object({
    name: projectFields.name,
    slug: projectFields.slug.optional(),
    description: projectFields.description.optional(),
    color: projectFields.color.optional(),
  }),
  positional: "name",
  async run({ client, input }) {
    const { name, slug, description, color } = input;
    const made = await createProject(client.in(null), {
      name,
      ...(slug ? { slug } : {}),
      ...(description ? { description } : {}),
      ...(color ? { color } : {}),
    });
    return {
      text: `The project ${code(made.name)} (${code(made.slug)}) is made, and empty.`,
      next: [
        { label: "Show", command: "project show", target: made.id },
        { label: "Move into it…", command: "project move", target: made.id },
        { label: "Work in it", command: "project use", input: { project: made.id } },
      ],
    };
  },
  async reconcile({ client, input }, { since }) {
    const found = (await listProjects(client.in(null))).some(
      ({ name, created_at: made }) => name === input.name && (!made || Date.parse(made) >= since - 60_000),
    );
    return found
      ? { is: "done", text: "the project is there." }
      : { is: "not done", text: "there is no such project." };
  },
});
