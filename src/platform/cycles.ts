const months = new Map([
  ["monthly", 1n],
  ["quarterly", 3n],
  ["semi-annually", 6n],
  ["annually", 12n],
]);

/** The months of a billing cycle in an order's words; null for an hour, and for any other word. Customer spec section 2.8, reseller spec section 4.1. */
export function monthsIn(cycle: string): bigint | null {
  return months.get(cycle) ?? null;
}
