import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { changeProject, readProject } from "../../platform/customer/projects.ts";
import { code, listing } from "../../views/text.ts";
import { projectFields } from "./fields.ts";
import { project } from "./project.ts";

const kept = "Left empty, it stays as it is";

export const change = defineOperation({
  command: "project change",
  summary: "Rename a project, or change its short name, description or colour",
  act: changeProject,
  reads: [readProject],
  risk: "change",
  verb: "Change project",
  target: project,
  input: z
    .object({
      name: projectFields.name.meta({ title: "New name", description: kept }).optional(),
      slug: projectFields.slug.meta({ title: "New short name", description: kept }).optional(),
      description: projectFields.description
        .meta({ title: "New description", description: kept, format: "lines" })
        .optional(),
      color: projectFields.color.meta({ title: "New colour", description: kept }).optional(),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      path: ["name"],
      message: "give at least one thing to change.",
    }),
  current: ({ name, slug, description, color }) => ({ name, slug, description, color }),
  async run({ client, target, input }) {
    const { name, slug, description, color } = input;
    const now = await changeProject(client.in(null), target.id, {
      ...(name ? { name } : {}),
      ...(slug ? { slug } : {}),
      ...(description ? { description } : {}),
      ...(color ? { color } : {}),
    });
    const done = [
      name && `is called ${code(now.name)} now`,
      slug && `has the short name ${code(now.slug)}`,
      description && "has a new description",
      color && "has a new colour",
    ].filter((part) => typeof part === "string");
    return {
      text: `The project ${code(target.name)} ${listing(done)}.`,
      next: [{ label: "Show", command: "project show", target: target.id }],
    };
  },
  async reconcile({ target, input }) {
    const { name, slug, description, color } = target;
    const asked = Object.entries({ name, slug, description, color }).filter(([field]) => field in input);
    const given = new Map<string, unknown>(Object.entries(input));
    const is = asked.every(([field, now]) => given.get(field) === undefined || given.get(field) === now);
    return is
      ? { is: "done", text: `The project ${code(name)} has these values.` }
      : { is: "not done", text: `The project ${code(name)} is as it was.` };
  },
});
