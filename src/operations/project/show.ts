import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { type Project, readProject } from "../../platform/customer/projects.ts";
import { context, facts, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import { contentWords, project } from "./project.ts";

export const show = defineOperation({
  command: "project show",
  summary: "Show a project and what it holds",
  act: readProject,
  risk: "read",
  target: project,
  input: z.object({}),
  async run({ target, actor }) {
    const text = `${code(target.name)} holds ${contentWords(target)}.`;
    const step = (label: string, command: string) => ({ label, command, target: target.id });
    const use =
      actor.project?.id === target.id
        ? { label: "Work in all projects", command: "project use", input: { project: "all" } }
        : { label: "Work in it", command: "project use", input: { project: target.id } };
    return {
      text,
      blocks: [section(`:file_folder: *${text}*`), ...facts(factsOf(target)), context(`Project ${code(target.id)}`)],
      next: [
        use,
        step("Change…", "project change"),
        step("Move into it…", "project move"),
        ...(target.is_default ? [] : [step("Delete…", "project delete")]),
      ],
    };
  },
});

function factsOf({ slug, description, color, is_default: isDefault, created_at: created }: Project) {
  const rows: [string, string | null | undefined][] = [
    ["Short name", code(slug)],
    ["Default", isDefault ? "Yes: what was never put into another project is in it" : null],
    ["Description", description && prose(description)],
    ["Colour", color && code(color)],
    ["Made", created && moment(created)],
  ];
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}
