/** A copy of the rows without their ids where they have names: an id says nothing to a reader of prices. */
export function withoutIds(found: unknown): unknown {
  if (Array.isArray(found)) return found.map(withoutIds);
  if (typeof found !== "object" || found === null) return found;
  const named = Object.entries(found).filter(([name]) => !/^id$|_id$|Id$/.test(name));
  return named.some(([name]) => /name$/i.test(name)) ? Object.fromEntries(named) : found;
}
