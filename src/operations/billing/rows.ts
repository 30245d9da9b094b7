/** A row of which the contract names no field, without what says nothing to a person: ids, and fields that are empty. */
export function readable(row: unknown): unknown {
  if (Array.isArray(row)) return row.map(readable);
  if (typeof row !== "object" || row === null) return row;
  const told = Object.entries(row).filter(
    ([key, value]) => !/^id$|_id$/i.test(key) && value !== null && value !== undefined && value !== "",
  );
  return Object.fromEntries(told.map(([key, value]) => [key, readable(value)]));
}
