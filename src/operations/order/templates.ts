import * as z from "zod";
import { requireAdmin } from "../../access/admins.ts";
import { rowBlocks } from "../../notifications/answers/answers.ts";
import type { Json, Step } from "../../operation/answer.ts";
import type { Actor, CallContext } from "../../operation/call-context.ts";
import { Refusal } from "../../operation/errors.ts";
import type { WizardState } from "../../operation/wizard.ts";
import { characters } from "../../plain-text.ts";
import { type ProductDetail, readProduct } from "../../platform/customer/catalog.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { billingCycles } from "../../platform/customer/orders.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { changeTemplate, findTemplate, listTemplates, type Template } from "../../records/templates.ts";
import { cycleName } from "../../views/cycles.ts";
import { moment } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { cyclesOf } from "../catalog/product.ts";
import { headed } from "../kits/card.ts";
import { type Draft, emptyDraft, type Line, newLine } from "./draft.ts";
import { orderSources } from "./where.ts";

const NamedRef = z.object({ id: z.string(), name: z.string() });

/** The stored part of an order. It has no host name, no discount code, and nothing that may be secret: no keys, no user data. */
const Saved = z.object({
  lines: z.array(
    z.object({
      product: NamedRef,
      cycle: z.enum(billingCycles).nullable(),
      quantity: z.number(),
      options: z.array(NamedRef.extend({ quantity: z.number() })),
      /** "os:<id>" or "own:<id>", as in a draft. */
      image: NamedRef.nullable(),
    }),
  ),
  location: NamedRef.nullable(),
  project: NamedRef.nullable(),
});
type Saved = z.infer<typeof Saved>;
type SavedLine = Saved["lines"][number];

/** A draft as a template. It stores names beside ids, so that a message can name what is gone later. */
export async function templateOf(call: CallContext<"customer">, draft: Draft): Promise<Json> {
  const { client } = call;
  const [products, own, projects] = await Promise.all([
    productsOf(
      draft.lines.map(({ product }) => product),
      client,
    ),
    orderSources(call, draft.project).then((sources) => listCustomImages(sources.client)),
    draft.project === null ? [] : listProjects(client.in(null)),
  ]);
  const project = projects.find(({ id }) => id === draft.project);
  const saved: Saved = {
    lines: draft.lines.map(({ product: id, name, cycle, quantity, options, image }) => {
      const found = products.get(id);
      const nameOf = (option: string) => found?.options?.find((one) => one.id === option)?.name ?? option;
      const images = [...imagesOf(found), ...own.map((one) => ({ id: `own:${one.id}`, name: characters(one.name) }))];
      return {
        product: { id, name },
        cycle,
        quantity,
        options: Object.entries(options).map(([option, amount]) => ({
          id: option,
          name: nameOf(option),
          quantity: amount,
        })),
        image: image === null ? null : (images.find((one) => one.id === image) ?? { id: image, name: image }),
      };
    }),
    location: draft.location === null ? null : { id: draft.location, name: draft.place || draft.location },
    project: project ? { id: project.id, name: characters(project.name) } : null,
  };
  return Saved.parse(saved);
}

const anew = "The template has no host name, SSH keys or user data: enter them again.";

/**
 * Fills in the form from a template and opens it at the first line. Products and options that no longer exist are left out, and
 * the notice names them.
 */
export async function draftFromTemplate(
  call: CallContext<"customer">,
  kept: Json,
): Promise<Omit<WizardState, "draft"> & { draft: Draft }> {
  const { client } = call;
  const saved = Saved.parse(kept);
  const [products, projects] = await Promise.all([
    productsOf(
      saved.lines.map(({ product }) => product.id),
      client,
    ),
    saved.project === null ? [] : listProjects(client.in(null)),
  ]);
  const project = projects.find(({ id }) => id === saved.project?.id);
  const own = await listCustomImages((await orderSources(call, project?.id)).client);
  const ready = own
    .filter(({ status }) => status === "available")
    .map(({ id, name }) => ({ id: `own:${id}`, name: characters(name) }));
  const gone: string[] = [];
  const found = saved.lines.flatMap((line) => restored(line, products.get(line.product.id), ready, gone));
  // The form asks only on the line that it opens with, so leave out other lines with missing values.
  const lines = found.filter((line, at) => at === 0 || isWhole(line, products.get(line.product)));
  const left = found.length - lines.length;
  if (left > 0) gone.push(count(left, "line", "lines"));
  const place = products.get(lines[0]?.product ?? "")?.locations.find(({ value }) => value === saved.location?.id);
  if (saved.location && lines.length > 0 && !place) gone.push(`location ${prose(saved.location.name, 60)}`);
  if (saved.project && !project) gone.push(`project ${code(saved.project.name, 60)}`);
  const draft: Draft = {
    ...emptyDraft,
    lines,
    current: lines[0] ?? null,
    location: place?.value ?? null,
    place: place?.name ?? "",
    project: project?.id ?? null,
  };
  const notice = `${gone.length > 0 ? `:warning: No longer available, and left out: ${listing(gone)}. ` : ":information_source: "}${anew}`;
  return { page: lines.length > 0 ? "plan" : "product", draft, notice };
}

/** A line with everything that can still be ordered; empty if its plan is gone. Adds the missing parts to `gone`. */
function restored(
  { product, cycle, quantity, options, image }: SavedLine,
  found: ProductDetail | undefined,
  own: readonly z.infer<typeof NamedRef>[],
  gone: string[],
): Line[] {
  const plan = code(product.name, 60);
  if (!found) {
    gone.push(`plan ${plan}`);
    return [];
  }
  const held = new Set(found.options?.map(({ id }) => id));
  const sold = cycle === null || cyclesOf(found).some(({ name }) => name === cycle);
  const system = image === null ? null : [...imagesOf(found), ...own].find(({ id }) => id === image.id);
  for (const option of options.filter(({ id }) => !held.has(id)))
    gone.push(`option ${code(option.name, 60)} of ${plan}`);
  if (!sold) gone.push(`“${cycleName(cycle ?? "")}” for ${plan}`);
  if (system === undefined && image) gone.push(`system ${code(image.name, 60)} of ${plan}`);
  const kept = options.filter(({ id }) => held.has(id)).map(({ id, quantity: amount }) => [id, amount] as const);
  return [
    {
      ...newLine(found),
      cycle: sold ? cycle : null,
      quantity,
      image: system?.id ?? null,
      options: Object.fromEntries(kept),
    },
  ];
}

function isWhole({ cycle, image }: Line, found: ProductDetail | undefined): boolean {
  return cycle !== null && (image !== null || found?.os_images.length === 0);
}

function imagesOf(found: ProductDetail | undefined): z.infer<typeof NamedRef>[] {
  return (found?.os_images ?? []).map(({ id, name }) => ({ id: `os:${id}`, name }));
}

/** The products of these ids that the catalogue still has. */
async function productsOf(
  ids: string[],
  client: CallContext<"customer">["client"],
): Promise<Map<string, ProductDetail>> {
  const read = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, await readProduct(client, id).catch(nullIfRefused(404))] as const),
  );
  return new Map(read.flatMap(([id, product]) => (product ? [[id, product] as const] : [])));
}

/** The command whose form the templates fill in. */
const command = "order new";

const name = z.string().max(60).meta({ title: "Template", description: "Its name" });
const list = { label: "Templates", command: "order template list" };

export const templateList = defineAppOperation({
  command: "order template list",
  verb: "List order templates",
  summary: "List the order templates: your own, and those that others share",
  needs: "customer",
  input: z.object({}),
  async run({ context, actor }) {
    const find = (of: string) => context.registry.find(of) ?? null;
    const all = await listTemplates(context, command, actor.member);
    if (all.length === 0)
      return {
        text: "There are no order templates. The last page of `/order new` saves one: fill in “Save as a template”.",
        next: [{ label: "Order…", command }],
      };
    return headed(
      `${count(all.length, "template")} for orders`,
      all.flatMap((one) => rowBlocks(lineOf(one, actor), one.id, stepsOf(one, actor), find)),
    );
  },
});

export const templateRename = defineAppOperation({
  command: "order template rename",
  verb: "Rename a template",
  summary: "Give one of your order templates another name",
  needs: "customer",
  input: z.object({ name, to: z.string().min(1).max(60).meta({ title: "New name" }) }),
  positional: "name",
  async run({ context, actor, input }) {
    const found = await ownTemplate(context, actor, input.name);
    const taken = await findTemplate(context, command, actor.member, input.to);
    if (taken && taken.member === actor.member && taken.id !== found.id)
      throw new Refusal(`You have a template ${code(input.to)} already. Nothing changed.`);
    await changeTemplate(context, command, found.id, { name: input.to });
    return { text: `The template ${code(found.name)} is now called ${code(input.to)}.`, next: [list] };
  },
});

export const templateShare = defineAppOperation({
  command: "order template share",
  verb: "Share a template",
  summary: "Let others use one of your order templates, or shared=no to end that",
  needs: "customer",
  input: z.object({ name, shared: z.boolean().default(true).meta({ title: "Shared" }) }),
  positional: "name",
  async run({ context, actor, input }) {
    const found = await ownTemplate(context, actor, input.name);
    await changeTemplate(context, command, found.id, { shared: input.shared });
    const who = input.shared
      ? "is shared: everybody here who can order can use it, each with their own key"
      : "is yours alone again";
    return { text: `The template ${code(found.name)} ${who}.`, next: [list] };
  },
});

export const templateRemove = defineAppOperation({
  command: "order template remove",
  verb: "Remove a template",
  summary: "Remove one of your order templates; admins remove shared ones, too",
  needs: "customer",
  interrupts: "The template is removed. Services that were ordered with it stay.",
  input: z.object({ name }),
  positional: "name",
  async check({ context, actor, input }) {
    await removableTemplate(context, actor, input.name);
  },
  async run({ context, actor, input }) {
    const found = await removableTemplate(context, actor, input.name);
    await changeTemplate(context, command, found.id, null);
    return { text: `The template ${code(found.name)} is removed.`, next: [list] };
  },
});

/** Its owner changes and removes it; everybody who sees it orders with it. */
function stepsOf({ id, name: called, member, shared }: Template, actor: Actor): Step[] {
  const order: Step = { label: "Order…", command, input: { template: id } };
  if (member !== actor.member) return [order];
  return [
    order,
    { label: "Change…", command: "order template rename", input: { name: called, to: called }, form: true },
    shared
      ? { label: "Stop sharing", command: "order template share", input: { name: called, shared: false } }
      : { label: "Share", command: "order template share", input: { name: called } },
    { label: "Remove…", command: "order template remove", input: { name: called } },
  ];
}

function lineOf({ name: called, member, slackUser, shared, at }: Template, actor: Actor): string {
  const whose = member === actor.member ? (shared ? "yours, shared" : "yours alone") : `shared by <@${slackUser}>`;
  return `:page_facing_up: ${code(called, 60)}\n${whose} · saved ${moment(at)}`;
}

async function templateNamed(context: AppContext, actor: Actor, typed: string): Promise<Template> {
  const found = await findTemplate(context, command, actor.member, typed);
  if (found) return found;
  throw new Refusal(`There is no template ${code(typed)} that you can see. Nothing changed.`, [list]);
}

async function removableTemplate(context: AppContext, actor: Actor, typed: string): Promise<Template> {
  const found = await templateNamed(context, actor, typed);
  if (found.member !== actor.member) await requireAdmin(context, actor.slackUser);
  return found;
}

async function ownTemplate(context: AppContext, actor: Actor, typed: string): Promise<Template> {
  const found = await templateNamed(context, actor, typed);
  if (found.member === actor.member) return found;
  throw new Refusal(
    `The template ${code(found.name)} belongs to <@${found.slackUser}>: only they can change it. Nothing changed.`,
  );
}
