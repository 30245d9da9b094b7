/** An offer's row without its ids, which tell a person nothing of a price. */
export function withoutIds(row: unknown): unknown {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !/^id$|_id$|Id$/.test(name)));
}
