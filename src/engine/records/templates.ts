import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";
import { code } from "../../views/text.ts";
import { sameName } from "../resolve.ts";

/** In one workspace, of one command: they are read as a whole. */
const most = 200;

const Template = z.object({
  id: z.string(),
  name: z.string(),
  /** Who saved it. */
  member: z.string(),
  slackUser: z.string(),
  /** Others see and use it, too. */
  shared: z.boolean(),
  /** What a form is filled in with, as its wizard made it: never a secret. */
  saved: z.json(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type Template = z.infer<typeof Template>;
const Kept = z.object({ templates: z.array(Template) });

/** What members save of a form in pages, to fill it in again, by the form's command. */
export interface Templates {
  /** A member's own and those that are shared, by name. */
  list(command: string, member: string): Promise<Template[]>;
  /** By id or name, their own first; null where there is none. */
  find(command: string, member: string, typed: string): Promise<Template | null>;
  /** Their own of that name is replaced. Refuses what does not fit any more. */
  save(command: string, template: Pick<Template, "name" | "member" | "slackUser" | "saved">): Promise<void>;
  /** Null removes it. */
  change(command: string, id: string, change: Partial<Pick<Template, "name" | "shared">> | null): Promise<void>;
  /** Erases what a member saved and did not share. */
  forget(member: string): Promise<void>;
}

export function createTemplates({ store, clock, log }: { store: Store; clock: Clock; log: Logger }): Templates {
  const records = createRecords(store.values("templates"), { name: "templates", schema: Kept, version: 1, log });

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
      const named = all.filter(({ id, name }) => id === typed || sameName(name, typed));
      return named.find((one) => one.member === member) ?? named[0] ?? null;
    },
    async save(command, { name, member, slackUser, saved }) {
      let full = false;
      await records.update(command, (before) => {
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
      await records.update(command, (before) => {
        const templates = before?.templates ?? [];
        if (change === null) return { templates: templates.filter((one) => one.id !== id) };
        return { templates: templates.map((one) => (one.id === id ? { ...one, ...change } : one)) };
      });
    },
    async forget(member) {
      let after: string | undefined;
      do {
        const page = await records.scan({ after });
        for (const [command] of page.records)
          await records.update(command, (before) => {
            const kept = before?.templates.filter((one) => one.shared || one.member !== member);
            return kept && { templates: kept };
          });
        after = page.next;
      } while (after !== undefined);
    },
  };
}
