import type { ProjectRef } from "./target.ts";

/** A move of resources from one project into another: the approval rules of both projects apply to it. */
export interface Relocation {
  /** Null if the platform does not name it. */
  from: ProjectRef | null;
  to: ProjectRef;
  /** The nouns of the commands that act on the moved resources. */
  nouns: string[];
}

/** Removes duplicates, and moves that end in the same project. */
export function distinctRelocations(relocations: readonly Relocation[]): Relocation[] {
  const moved = relocations.filter(({ from, to }) => from?.id !== to.id);
  return [...new Map(moved.map((one) => [JSON.stringify([one.from?.id ?? null, one.to.id, one.nouns]), one])).values()];
}
