import * as z from "#zod";
import { doneIf, type Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { nameIs } from "../../operation/preconditions.ts";
import { noTarget } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import {
  changeProject,
  createProject,
  deleteProject,
  listProjects,
  type Project,
  readProject,
} from "../../platform/customer/projects.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { clip, code, listing } from "../../views/text.ts";
import { clearHint, isCleared, isStored, sendCleared } from "../kits/clearing.ts";
import { maybeGone, present } from "../kits/gone.ts";
import { contentWords, isEmpty, movedNouns, namedProject, project, projectChoice } from "./project.ts";

/** The inputs of a project. Spec section 2.8. */
const projectFields = {
  name: z.string().trim().min(1).max(80).meta({ title: "Name" }),
  slug: z
    .string()
    .max(40)
    .regex(/^[a-z0-9-]+$/, "lowercase letters, digits and hyphens only.")
    .meta({ title: "Short name", description: "Lowercase letters, digits and hyphens; 40 at most" }),
  description: z.string().max(2000).meta({ title: "Description", format: "lines" }),
  color: z.string().max(20).meta({ title: "Colour", description: "For display only, such as #336699" }),
};

const Before = z.object({ projects: z.array(z.string()) });

export const create = defineOperation({
  command: "project create",
  synonyms: ["new", "add"],
  summary: "Create a new, empty project",
  example: "/project create testing",
  act: createProject,
  risk: "change",
  effects: [],
  verb: "Create project",
  target: noTarget,
  input: z.object({
    name: projectFields.name,
    slug: projectFields.slug.optional(),
    description: projectFields.description.optional(),
    color: projectFields.color.optional(),
  }),
  positional: "name",
  before: async ({ client }) => ({ projects: (await listProjects(client.in(null))).map(({ id }) => id) }),
  async run({ client, input }) {
    const { name, slug, description, color } = input;
    const made = await createProject(client.in(null), {
      name,
      ...(slug ? { slug } : {}),
      ...(description ? { description } : {}),
      ...(color ? { color } : {}),
    });
    return {
      text: `The project ${code(name)}${made.slug ? ` (${code(made.slug)})` : ""} is created. It is empty.`,
      next: [
        { label: "Show", command: "project show", target: made.id },
        { label: "Move into it…", command: "project move", target: made.id },
        { label: "Work in it", command: "project use", input: { project: made.id } },
      ],
    };
  },
  async reconcile({ client, input }, { before }) {
    const known = Before.safeParse(before).data?.projects ?? [];
    const found = (await listProjects(client.in(null))).some(
      ({ id, name }) => name === input.name && !known.includes(id),
    );
    return doneIf(found, "the project exists.", "there is no such project.");
  },
});

const kept = "Empty: unchanged";

export const change = defineOperation({
  command: "project change",
  synonyms: ["edit", "rename"],
  summary: "Rename a project, or change its short name, description or colour",
  example: "/project change Staging name=Preview",
  act: changeProject,
  risk: "change",
  effects: [],
  verb: "Change project",
  target: project,
  input: z
    .object({
      name: projectFields.name.meta({ title: "New name", description: kept }).optional(),
      slug: projectFields.slug.meta({ title: "New short name", description: kept }).optional(),
      description: projectFields.description
        .meta({ title: "New description", description: clearHint, clearable: true, format: "lines" })
        .optional(),
      color: projectFields.color.meta({ title: "New colour", description: clearHint, clearable: true }).optional(),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      path: ["name"],
      message: "give at least one new value.",
    }),
  current: ({ name, slug, description, color }) => ({
    name: characters(name),
    slug,
    description: description && characters(description),
    color,
  }),
  async run({ client, target, input: { name, slug, description, color }, name: before }) {
    await sendCleared([description, color], (sent) =>
      changeProject(client.in(null), target.id, {
        ...(name ? { name } : {}),
        ...(slug ? { slug } : {}),
        ...(description ? { description: sent(description) } : {}),
        ...(color ? { color: sent(color) } : {}),
      }),
    );
    const done = [
      name && `is called ${code(name)} now`,
      slug && `has the short name ${code(slug)}`,
      description && (isCleared(description) ? "has no description now" : "has a new description"),
      color && (isCleared(color) ? "has no colour now" : "has a new colour"),
    ].filter((part) => typeof part === "string");
    return {
      text: `The project ${before} ${listing(done)}.`,
      next: [{ label: "Show", command: "project show", target: target.id }],
    };
  },
  async reconcile({ target, input }) {
    const { name, slug, description, color } = target;
    const given = new Map(Object.entries(input));
    const asked = Object.entries({ name, slug, description, color });
    const isSet = asked.every(([field, now]) => isStored(given.get(field) ?? (now ? characters(now) : "none"), now));
    return doneIf(isSet, `The project ${code(name)} has these values.`, `The project ${code(name)} is as it was.`);
  },
});

export const remove = defineOperation({
  command: "project delete",
  group: "settings",
  synonyms: ["remove"],
  summary: "Delete a project, and move its resources to another project",
  example: "/project delete empty",
  act: deleteProject,
  reads: [readProject, listProjects],
  risk: "destroy",
  effects: [],
  verb: "Delete project",
  target: maybeGone(project),
  input: z.object({
    to: z
      .string()
      .optional()
      .meta({ title: "Move its resources to", description: "Needed unless the project is empty" }),
  }),
  choices: {
    to: async ({ client, target }) => (await others(client, target.id)).map(projectChoice),
  },
  async relocates({ client, targets: [target], input }) {
    const to = await namedProject(client, input.to);
    if (!target?.row || !to || isEmpty(target.row)) return [];
    const { id, name } = target.row;
    return [{ from: { id, name }, to, nouns: [...new Set(Object.values(movedNouns).flat())] }];
  },
  async review({ client, target, input }) {
    const found = present(target, "project");
    const heirs = await others(client, target.id);
    if (!isEmpty(found) && input.to === undefined) throw askForHeir(found, heirs);
    const heir = heirs.find(({ id, slug }) => id === input.to || slug === input.to);
    if (input.to !== undefined && !heir) throw wrongInput("to", "That project does not exist. Nothing was deleted.");
    const moves =
      heir && !isEmpty(found) ? ` Its resources (${contentWords(found)}) will move to ${code(heir.name)}.` : "";
    return {
      consequence: `This will delete the project ${code(found.name)}.${moves} API keys that are bound to it will stop working. This cannot be undone.`,
      preconditions: {
        project: nameIs("Project", found.name),
        contents: { value: found.resources, label: "Resources", text: contentWords(found) },
        ...(heir && { heir: { value: heir.id, label: "Moves to", text: code(heir.name) } }),
      },
    };
  },
  async run({ client, target, input }) {
    const found = present(target, "project");
    await deleteProject(client.in(null), target.id, input.to);
    const moved = isEmpty(found) ? "" : ` Its resources (${contentWords(found)}) have moved.`;
    return {
      text: `The project ${code(found.name)} is deleted.${moved} API keys that were bound to it no longer work.`,
      next: [{ label: "Projects", command: "project list" }],
    };
  },
  async reconcile({ target: { row } }) {
    if (row === null) return { is: "done", text: "the project is gone." };
    return { is: "not done", text: `the project still exists, with ${contentWords(row)}.` };
  },
});

async function others(client: CustomerClient, id: string): Promise<Project[]> {
  return (await listProjects(client.in(null))).filter((one) => one.id !== id);
}

/** The platform refuses to delete a project with contents, so offer to move them to another project. */
function askForHeir(found: Project, heirs: Project[]): Refusal {
  const steps: Step[] = heirs.slice(0, 10).map(({ id, name }) => ({
    label: clip(plainly`Move all to ${name}…`, 75),
    command: "project delete",
    target: found.id,
    input: { to: id },
  }));
  return new Refusal(
    `${code(found.name)} still has ${contentWords(found)}, so it cannot be deleted yet. Nothing changed. Choose the project to move them to: Rackbell then asks for the deletion.`,
    steps,
  );
}
