import * as z from "#zod";
import { requireSession } from "../../members/access/access.ts";
import { listFields } from "../../messages/answers/list.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { Refusal } from "../../operation/errors.ts";
import { listProjects, type Project, readProject } from "../../platform/customer/projects.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { moment } from "../../views/format.ts";
import { clip, code, oneLine, prose } from "../../views/text.ts";
import { defineAppOperation } from "../app-context.ts";
import { card, showCommon } from "../kits/card.ts";
import { listOperation } from "../kits/list.ts";
import { contentWords, findProject, isEmpty, project } from "./project.ts";

export const list = listOperation({
  kind: project,
  command: "project list",
  summary: "List the projects with the number of their resources",
  example: "/project list",
  act: listProjects,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or slug" }),
    page: listFields.page,
    export: listFields.export,
  }),
  many: "projects",
  mark: (state) => (state === "default" ? ":open_file_folder:" : ":file_folder:"),
  more: { label: "New project…", command: "project create" },
});

export const show = defineOperation({
  ...showCommon,
  command: "project show",
  synonyms: ["info", "details"],
  summary: "Show a project and the number of its resources",
  example: "/project show Production",
  act: readProject,
  target: project,
  async run({ target, actor, name }) {
    const text = `${name} has ${contentWords(target)}.`;
    const step = (label: string, command: string) => ({ label, command, target: target.id });
    const use =
      actor.project?.id === target.id
        ? { label: "Work in all projects", command: "project use", input: { project: "all" } }
        : { label: "Work in it", command: "project use", input: { project: target.id } };
    return card({
      text,
      title: `:file_folder: *${text}*`,
      facts: [
        ["Short name", code(target.slug)],
        ["Default", target.is_default ? "Yes: resources without another project are in it" : null],
        ["Description", target.description && prose(target.description)],
        ["Colour", target.color && code(target.color)],
        ["Made", target.created_at && moment(target.created_at)],
      ],
      id: `Project ${code(target.id)}`,
      next: [
        use,
        step("Change…", "project change"),
        step("Move into it…", "project move"),
        ...(target.is_default
          ? []
          : [{ ...step("Delete…", "project delete"), ...(isEmpty(target) ? {} : { form: true as const }) }]),
      ],
    });
  },
});

const everything = { label: "All projects", command: "project use", input: { project: "all" } };

export const use = defineAppOperation({
  command: "project use",
  summary: "Choose the project that you work in: your commands see only that project, until you choose “all”",
  example: "/project use Staging",
  routes: ["GET /projects"],
  verb: "Work in project",
  input: z.object({
    project: z
      .string()
      .optional()
      .meta({ title: "Project", description: "Its name or short name, or all for all projects" }),
  }),
  positional: "project",
  async run({ context, actor, input }) {
    const { link, client } = await requireSession(context, actor.member, "customer");
    const projects = await listProjects(client.in(null));
    if (input.project === undefined) return overview(projects, link.project);
    const wanted = input.project.trim();
    const found = /^(all|none)$/i.test(wanted) ? null : findProject(projects, wanted);
    if (found && link.bound && link.bound.id !== found.id)
      throw new Refusal(
        `Your key is bound to the project ${code(link.bound.name)}, so you cannot work in another. Nothing changed.`,
      );
    await context.identities.chooseProject(actor.member, found && { id: found.id, name: found.name });
    return found ? chosen(found) : { text: "You work in all projects again." };
  },
});

function chosen({ name }: Project): Answer {
  return {
    text: `You now work in the project ${code(name)}: you see and change only its resources, and new resources are created in it. Invoices, credit and the catalogue belong to the whole account. Open requests keep their project.`,
    next: [{ label: "List VPSes", command: "vps list" }, everything],
  };
}

function overview(projects: Project[], present: { id: string; name: PlainText } | null): Answer {
  const steps: Step[] = projects
    .filter(({ id }) => id !== present?.id)
    .slice(0, 20)
    .map(({ id, name }) => ({
      label: clip(oneLine(name), 75),
      command: "project use",
      input: { project: id },
    }));
  const more = projects.length > 21 ? " There are more projects: give the name with the command." : "";
  return {
    text: `${present ? `You work in the project ${code(present.name)}.` : "You work in all projects."} Choose the one to work in.${more}`,
    next: [...(present ? [everything] : []), ...steps],
  };
}
