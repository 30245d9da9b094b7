import * as z from "zod";
import type { Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { nameIs } from "../../operation/preconditions.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { deleteProject, listProjects, type Project, readProject } from "../../platform/customer/projects.ts";
import { clip, code, oneLine } from "../../views/text.ts";
import { maybeGone, present } from "../gone.ts";
import { contentWords, isEmpty, movedNouns, namedProject, project, projectChoice } from "./project.ts";

export const remove = defineOperation({
  command: "project delete",
  summary: "Delete a project, and move what it holds to another",
  act: deleteProject,
  reads: [readProject, listProjects],
  risk: "destroy",
  verb: "Delete project",
  target: maybeGone(project),
  input: z.object({
    to: z
      .string()
      .optional()
      .meta({ title: "Move what it holds to", description: "Needed unless the project is empty" }),
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
    if (input.to !== undefined && !heir)
      throw new InputError([{ field: "to", message: "That project is not there. Nothing was deleted." }]);
    const moves = heir && !isEmpty(found) ? ` What it holds (${contentWords(found)}) moves to ${code(heir.name)}.` : "";
    return {
      consequence: `The project ${code(found.name)} is deleted.${moves} API keys that are bound to it stop working. This cannot be undone.`,
      preconditions: {
        project: nameIs("Project", found.name),
        contents: { value: found.resources, label: "Holds", text: contentWords(found) },
        ...(heir && { heir: { value: heir.id, label: "Moves to", text: code(heir.name) } }),
      },
      before: found.name,
    };
  },
  async run({ client, target, input }) {
    const found = present(target, "project");
    await deleteProject(client.in(null), target.id, input.to);
    const moved = isEmpty(found) ? "" : ` What it held (${contentWords(found)}) has moved.`;
    return {
      text: `The project ${code(found.name)} is deleted.${moved} API keys that were bound to it no longer work.`,
      next: [{ label: "Projects", command: "project list" }],
    };
  },
  async reconcile({ target }) {
    if (target.row === null) return { is: "done", text: "the project is gone." };
    return { is: "not done", text: `the project is still there and holds ${contentWords(target.row)}.` };
  },
});

async function others(client: CustomerClient, id: string): Promise<Project[]> {
  return (await listProjects(client.in(null))).filter((one) => one.id !== id);
}

/** The platform refuses to delete a project with contents, so offer to move them to another project. */
function askForHeir(found: Project, heirs: Project[]): Refusal {
  const steps: Step[] = heirs.slice(0, 10).map(({ id, name }) => ({
    label: clip(`Move all to ${oneLine(name)}…`, 75),
    command: "project delete",
    target: found.id,
    input: { to: id },
  }));
  return new Refusal(
    `${code(found.name)} still holds ${contentWords(found)}, so it cannot just be deleted. Nothing was asked. Choose the project that all of it moves to; the deletion is then asked for.`,
    steps,
  );
}
