import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { changeProject } from "../../platform/customer/projects.ts";
import { code, listing } from "../../views/text.ts";
import { projectFields } from "./fields.ts";
import { project } from "./project.ts";

const kept = "Left empty, it stays as it is";

export const change = defineOperation({
  api: "customer",
  command: "project change",
  summary: "Rename a project, or change its short name, description or colour",
  routes: ["PATCH /projects/{id}", "GET /projects/{id}"],
  scope: "services",
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
});
