/** Rows of what is held or on offer without their ids: they are named where they have a name, and an id tells a person nothing of a price. */
export function withoutIds(found: unknown): unknown {
  if (Array.isArray(found)) return found.map(withoutIds);
  if (typeof found !== "object" || found === null) return found;
  const named = Object.entries(found).filter(([name]) => !/^id$|_id$|Id$/.test(name));
  return named.some(([name]) => /name$/i.test(name)) ? Object.fromEntries(named) : found;
}
