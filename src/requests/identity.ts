import type { Act } from "../operation/act.ts";
import { code } from "../views/text.ts";
import type { Request } from "./request.ts";

/** Facts by which people recognised the resource when they decided. Null: unknown at that time. */
export interface Identity {
  name: string | null;
  hostname: string | null;
  /** The id is null if only the name was stored. */
  project: { id: string | null; name: string } | null;
}

/**
 * Compares a resource with the one that was approved, and returns sentences about the differences. Its name may belong to another machine
 * now, and a machine may have moved to a protected project. A renamed project stays the same.
 */
export function identityChanges(was: Identity, now: Pick<Act, "target" | "hostname" | "project">): string[] {
  const [name, hostname] = [now.target?.name ?? "", now.hostname ?? "no host name"];
  return [
    ...(was.name === null || was.name === name
      ? []
      : [`It was called ${code(was.name)} and is called ${code(name)} now.`]),
    ...(was.hostname === null || was.hostname === hostname
      ? []
      : [`Its host name was ${code(was.hostname)} and is ${code(hostname)} now.`]),
    ...(was.project === null || isSameProject(was.project, now.project)
      ? []
      : [`It was in ${code(was.project.name)} and is in ${code(now.project?.name ?? "no project")} now.`]),
  ];
}

/** The identity that a request stored. */
export function identityOf({ target, identity }: Pick<Request, "target" | "identity">): Identity {
  return { name: target?.name ?? null, hostname: identity?.hostname ?? null, project: identity?.project ?? null };
}

function isSameProject(was: NonNullable<Identity["project"]>, now: Act["project"]): boolean {
  return was.id === null ? was.name === now?.name : was.id === now?.id;
}
