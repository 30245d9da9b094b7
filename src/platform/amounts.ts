/** Parses an amount, a decimal string with up to four decimals, into whole ten-thousandths. Sums and comparisons in these units are exact. */
export function unitsOf(amount: string): bigint {
  const [, sign = "", whole = "0", decimals = ""] = /^(-?)(\d+)(?:\.(\d{1,4}))?/.exec(amount) ?? [];
  const units = BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, "0"));
  return sign ? -units : units;
}

/** Turns ten-thousandths back into a decimal string, with two decimals or as many as it needs. */
export function amountOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(5, "0");
  const decimals = digits.slice(-4).replace(/0{1,2}$/, "");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -4)}.${decimals}`;
}

/** The smaller of two amounts. */
export function lesser(a: string, b: string): string {
  return unitsOf(a) <= unitsOf(b) ? a : b;
}
