const onceWords = /setup|install|activation|one_?time|once|(^|_)fees?(_|$)|Fee/;

/**
 * True if a row of the catalogue names a fee beside its price. The spec shows neither its name nor its charging, so a sum without
 * it could be too small: callers then name no sum.
 */
export function namesFee(row: unknown): boolean {
  if (typeof row !== "object" || row === null) return false;
  return Object.entries(row).some(([name, value]) => (onceWords.test(name) ? isAmount(value) : namesFee(value)));
}

/** A fee that cannot be read counts as a fee. */
function isAmount(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === "boolean") return false;
  return typeof value === "object" || Number(value) !== 0;
}
