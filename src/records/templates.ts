import { randomUUID } from "node:crypto";
import * as z from "zod";
import { Refusal } from "../operation/errors.ts";
import { namesMeant, sameName } from "../operation/matching.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { code } from "../views/text.ts";

/** Maximum for one command in a workspace: they are one record and read as a whole. */
const most = 200;

const Template = z.object({
  id: z.string(),
  name: z.string(),
  /** The member who saved it. */
  member: z.string(),
  slackUser: z.string(),
  /** True when other members can see and use it, too. */
  shared: z.boolean(),
  /** The values of the form, as its wizard made them; never a secret. */
  saved: z.json(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type Template = z.infer<typeof Template>;
const TemplatesRecord = z.object({ templates: z.array(Template) });

// Saved values of multi-page forms, by the form's command, to fill the form in again.

const templatesKind = defineKind({ name: "templates", namespace: "templates", schema: TemplatesRecord });

/** The member's own and the shared templates, sorted by name. */
export async function listTemplates({ store }: StoreApp, command: string, member: string): Promise<Template[]> {
  const { templates } = (await store.keyv(templatesKind).get(command)) ?? { templates: [] };
  return templates
    .filter((one) => one.shared || one.member === member)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** By id or name, their own first; null where there is none. */
export async function findTemplate(
  app: StoreApp,
  command: string,
  member: string,
  typed: string,
): Promise<Template | null> {
  const all = await listTemplates(app, command, member);
  const named = all.filter(({ id, name }) => id === typed || namesMeant(typed).some((meant) => sameName(name, meant)));
  return named.find((one) => one.member === member) ?? named[0] ?? null;
}

/** Saves a template and replaces the member's own of that name. Refuses when there are too many. */
export async function saveTemplate(
  { store, clock }: TimedApp,
  command: string,
  { name, member, slackUser, saved }: Pick<Template, "name" | "member" | "slackUser" | "saved">,
): Promise<void> {
  let full = false;
  await update(store, templatesKind, command, (before) => {
    const templates = before?.templates ?? [];
    const own = templates.find((one) => one.member === member && sameName(one.name, name));
    full = !own && templates.length >= most;
    if (full) return undefined;
    const made = { id: own?.id ?? randomUUID(), shared: own?.shared ?? false };
    const template: Template = { ...made, name, member, slackUser, saved, at: clock.now() };
    return { templates: [...templates.filter((one) => one !== own), template] };
  });
  if (full)
    throw new Refusal(
      `There are ${most} templates already, so ${code(name)} was not saved. Remove one with \`/order template remove\`.`,
    );
}

/** Changes a template; null removes it. */
export async function changeTemplate(
  { store }: StoreApp,
  command: string,
  id: string,
  change: Partial<Pick<Template, "name" | "shared">> | null,
): Promise<void> {
  await update(store, templatesKind, command, (before) => {
    const templates = before?.templates ?? [];
    if (change === null) return { templates: templates.filter((one) => one.id !== id) };
    return { templates: templates.map((one) => (one.id === id ? { ...one, ...change } : one)) };
  });
}

/** Erases the member's templates that are not shared. */
export async function forgetTemplates({ store }: StoreApp, member: string): Promise<void> {
  for await (const { key: command } of store.scan(templatesKind))
    await update(store, templatesKind, command, (before) => {
      const kept = before?.templates.filter((one) => one.shared || one.member !== member);
      return kept && { templates: kept };
    });
}
