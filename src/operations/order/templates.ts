import * as z from "zod";
import { rowButton } from "../../notifications/answers/buttons.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Template } from "../../records/templates.ts";
import { section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, count } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { defineAppOperation } from "../app-operation.ts";
import { requireAdmin } from "../rackbell/admin.ts";

/** The command whose form the templates fill in. */
const command = "order new";

const name = z.string().max(60).meta({ title: "Template", description: "Its name" });
const list = { label: "Templates", command: "order template list" };

export const templateList = defineAppOperation({
  command: "order template list",
  summary: "List the order templates: your own, and those that others share",
  needs: "customer",
  input: z.object({}),
  async run({ context, actor }) {
    const all = await context.templates.list(command, actor.member);
    if (all.length === 0)
      return {
        text: "There are no order templates. The last page of `/order new` saves one: fill in “Save as a template”.",
        next: [{ label: "Order…", command }],
      };
    return {
      text: `${count(all.length, "template")} for orders`,
      blocks: [
        section(`*${count(all.length, "template")} for orders*`),
        ...all.map((one) =>
          section(lineOf(one, actor), rowButton("Order…", { command, input: { template: one.id } }, one.id)),
        ),
      ],
    };
  },
});

export const templateRename = defineAppOperation({
  command: "order template rename",
  summary: "Give one of your order templates another name",
  needs: "customer",
  input: z.object({ name, to: z.string().min(1).max(60).meta({ title: "New name" }) }),
  positional: "name",
  async run({ context, actor, input }) {
    const found = await ownTemplate(context, actor, input.name);
    const taken = await context.templates.find(command, actor.member, input.to);
    if (taken && taken.member === actor.member && taken.id !== found.id)
      throw new Refusal(`You have a template ${code(input.to)} already. Nothing changed.`);
    await context.templates.change(command, found.id, { name: input.to });
    return { text: `The template ${code(found.name)} is called ${code(input.to)} now.`, next: [list] };
  },
});

export const templateShare = defineAppOperation({
  command: "order template share",
  summary: "Let others use one of your order templates, or shared=no to end that",
  needs: "customer",
  input: z.object({ name, shared: z.boolean().default(true).meta({ title: "Shared" }) }),
  positional: "name",
  async run({ context, actor, input }) {
    const found = await ownTemplate(context, actor, input.name);
    await context.templates.change(command, found.id, { shared: input.shared });
    const who = input.shared
      ? "is shared: everybody here who can order can use it, each with their own key"
      : "is yours alone again";
    return { text: `The template ${code(found.name)} ${who}.`, next: [list] };
  },
});

export const templateRemove = defineAppOperation({
  command: "order template remove",
  summary: "Remove one of your order templates; admins remove shared ones, too",
  needs: "customer",
  interrupts: "The template is forgotten. What was ordered with it stays.",
  input: z.object({ name }),
  positional: "name",
  async run({ context, actor, input }) {
    const found = await templateNamed(context, actor, input.name);
    if (found.member !== actor.member) await requireAdmin(context, actor);
    await context.templates.change(command, found.id, null);
    return { text: `The template ${code(found.name)} is removed.`, next: [list] };
  },
});

function lineOf({ name: called, member, slackUser, shared, at }: Template, actor: Actor): string {
  const whose = member === actor.member ? (shared ? "yours, shared" : "yours alone") : `shared by <@${slackUser}>`;
  return `:page_facing_up: ${code(called, 60)}\n${whose} · saved ${moment(at)}`;
}

async function templateNamed({ templates }: AppContext, actor: Actor, typed: string): Promise<Template> {
  const found = await templates.find(command, actor.member, typed);
  if (found) return found;
  throw new Refusal(`There is no template ${code(typed)} that you can see. Nothing changed.`, [list]);
}

async function ownTemplate(context: AppContext, actor: Actor, typed: string): Promise<Template> {
  const found = await templateNamed(context, actor, typed);
  if (found.member === actor.member) return found;
  throw new Refusal(
    `The template ${code(found.name)} is <@${found.slackUser}>'s: only they can change it. Nothing changed.`,
  );
}
