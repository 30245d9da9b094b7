import type { Identities } from "../members/identities/identities.ts";
import { listProjects, type Project } from "../platform/customer/projects.ts";
import { isPlatformError, keyRejected } from "../platform/http/errors.ts";
import type { Rule } from "./rule.ts";

interface RuledProjectsApp {
  identities: Pick<Identities, "session">;
}

/**
 * The rules with the present names of their projects, and the ids of rules whose project this member's key should see and does not. When
 * the platform does not answer, the names are those of the last read, and no project counts as gone.
 */
export async function rulesAsSeenBy(
  app: RuledProjectsApp,
  member: string,
  rules: readonly Rule[],
): Promise<{ rules: Rule[]; gone: Set<string> }> {
  const seen = rules.some(({ when }) => when.project) ? await readProjects(app, member).catch(noneIfUnanswered) : null;
  if (!seen) return { rules: [...rules], gone: new Set() };
  const byId = new Map(seen.projects.map(({ id, name }) => [id, { id, name }]));
  const named = rules.map((rule) => {
    const project = rule.when.project && byId.get(rule.when.project.id);
    return project ? { ...rule, when: { ...rule.when, project } } : rule;
  });
  const missing = rules.filter(({ when: { project } }) => project && !byId.has(project.id));
  return { rules: named, gone: new Set(seen.confined ? [] : missing.map(({ id }) => id)) };
}

/** The ids of the projects that a member's key sees; none while the platform does not answer. */
export async function projectsSeenBy(
  app: Pick<RuledProjectsApp, "identities">,
  member: string,
): Promise<ReadonlySet<string>> {
  const seen = await readProjects(app, member).catch(noneIfUnanswered);
  return new Set(seen?.projects.map(({ id }) => id));
}

/** Null without a customer key that the platform accepts. */
async function readProjects(
  { identities }: RuledProjectsApp,
  member: string,
): Promise<{ projects: Project[]; confined: boolean } | null> {
  const session = await identities.session(member, "customer");
  if (!session || session.link.rejectedAt !== null) return null;
  return { projects: await listProjects(session.client.in(null)), confined: session.link.bound !== null };
}

function noneIfUnanswered(error: unknown): null {
  if (isPlatformError(error) || keyRejected(error)) return null;
  throw error;
}
