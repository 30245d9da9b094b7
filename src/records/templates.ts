import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import { Refusal } from "../operation/errors.ts";
import { namesMeant, sameName } from "../operation/matching.ts";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";
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

/** Saved values of multi-page forms, by the form's command, to fill the form in again. */
export interface Templates {
  /** The member's own and the shared templates, sorted by name. */
  list(command: string, member: string): Promise<Template[]>;
  /** By id or name, their own first; null where there is none. */
  find(command: string, member: string, typed: string): Promise<Template | null>;
  /** Saves a template and replaces the member's own of that name. Refuses when there are too many. */
  save(command: string, template: Pick<Template, "name" | "member" | "slackUser" | "saved">): Promise<void>;
  /** Changes a template; null removes it. */
  change(command: string, id: string, change: Partial<Pick<Template, "name" | "shared">> | null): Promise<void>;
  /** Erases the member's templates that are not shared. */
  forget(member: string): Promise<void>;
}

const templatesKind = defineKind({ name: "templates", namespace: "templates", schema: TemplatesRecord, version: 1 });

export function createTemplates({ store, clock }: { store: Store; clock: Clock }): Templates {
  const records = store.keyv(templatesKind);

  async function list(command: string, member: string): Promise<Template[]> {
    const { templates } = (await records.get(command)) ?? { templates: [] };
    return templates
      .filter((one) => one.shared || one.member === member)
      .toSorted((a, b) => a.name.localeCompare(b.name));
  }

  return {
    list,
    async find(command, member, typed) {
      const all = await list(command, member);
      const named = all.filter(
        ({ id, name }) => id === typed || namesMeant(typed).some((meant) => sameName(name, meant)),
      );
      return named.find((one) => one.member === member) ?? named[0] ?? null;
    },
    async save(command, { name, member, slackUser, saved }) {
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
    },
    async change(command, id, change) {
      await update(store, templatesKind, command, (before) => {
        const templates = before?.templates ?? [];
        if (change === null) return { templates: templates.filter((one) => one.id !== id) };
        return { templates: templates.map((one) => (one.id === id ? { ...one, ...change } : one)) };
      });
    },
    async forget(member) {
      for await (const { key: command } of store.scan(templatesKind))
        await update(store, templatesKind, command, (before) => {
          const kept = before?.templates.filter((one) => one.shared || one.member !== member);
          return kept && { templates: kept };
        });
    },
  };
}
