import type { BoundOperation } from "../../members/access/bound.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";

import { AgentError } from "./errors.ts";

/** The resource of a name or id, never a guess between two. Throws InputError if there is none. */
export async function resolveResource(
  bound: BoundOperation,
  typed: string | undefined,
): Promise<{ id: string; name: PlainText | null }> {
  const label = bound.operation.target?.label ?? "resource";
  if (!typed?.trim()) throw new AgentError(`Name the ${label} as "target": its name or its id. Nothing was done.`);
  const found = await bound.resolve(typed);
  if (found.is === "id") return found;
  const entries = found.is === "ambiguous" ? found.entries : [];
  const names = entries.slice(0, 10).map(({ name, id }) => plainly`“${name}” (${id})`);
  throw new AgentError(
    `Several fit “${typed.slice(0, 100)}”: ${names.join(", ")}. Nothing was done. Name one by its id.`,
  );
}
