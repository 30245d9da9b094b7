import { randomUUID } from "node:crypto";
import * as z from "zod";
import { characters, type PlainText } from "../plain-text.ts";
import { prose } from "../views/text.ts";
import type { Rule } from "./rule.ts";

/** A rule of version 1 kept its project's name and no id. */
const FirstRule = z.looseObject({ when: z.looseObject({ project: z.string().nullable() }) });
const First = z.looseObject({
  rules: z.array(FirstRule),
  proposal: z.looseObject({ rules: z.array(FirstRule) }).nullable(),
});

function withoutIds(rules: z.infer<typeof FirstRule>[]) {
  return rules.map(({ when, ...rule }) => ({
    ...rule,
    when: { ...when, project: when.project === null ? null : { id: null, name: when.project } },
  }));
}

/** Stored rules of older versions, in the shape of the next one. */
export const upcasts = {
  1: (older: unknown) => {
    const { rules, proposal, ...first } = First.parse(older);
    return {
      ...first,
      rules: withoutIds(rules),
      proposal: proposal && { ...proposal, rules: withoutIds(proposal.rules) },
    };
  },
};

/** A project as an admin's key sees it. */
export interface KnownProject {
  id: string;
  name: PlainText;
  slug: string;
}

/** The rule with its project's id. Version 1 stored the shown name (escaped and clipped), or what an admin without projects typed. */
export function settled(rule: Rule, projects: readonly KnownProject[]): Rule[] {
  const { project } = rule.when;
  if (project?.id !== null) return [rule];
  const kept = characters(project.name).toLowerCase();
  const found = projects.filter(({ id, name, slug }) =>
    [id, slug, name, prose(name, 80)].some((text) => characters(text).toLowerCase() === kept),
  );
  if (found.length === 0) return [rule];
  return found.map(({ id, name }, at) => ({
    ...rule,
    id: at === 0 ? rule.id : randomUUID().slice(0, 8),
    when: { ...rule.when, project: { id, name } },
  }));
}
