import * as z from "#zod";

const NOT_MONEY = "Not an amount of money";

/**
 * Parses an amount of money: a decimal string or a number. The spec names 4 decimals, and a price by the hour may need more. The result is a decimal string. A string keeps its
 * decimals; a number loses only the noise of binary fractions. Anything else fails the schema. Spec sections 2.3 and 2.6.
 */
export const Amount = z.union([z.string(), z.number()], { error: NOT_MONEY }).transform((raw, context) => {
  if (typeof raw === "string" && /^-?\d{1,15}(\.\d{1,8})?$/.test(raw)) return raw;
  if (typeof raw === "number" && Math.abs(raw) < 1e12) return decimal(raw);
  context.addIssue({ code: "custom", message: NOT_MONEY });
  return z.NEVER;
});
export type Amount = z.infer<typeof Amount>;

/** A currency as the platform names it. */
export const Currency = z.string().min(1).max(8);

function decimal(value: number): string {
  const shortest = String(value);
  if (/^-?\d+(\.\d{1,8})?$/.test(shortest)) return shortest;
  const rounded = value.toFixed(8).replace(/\.?(?<!0)0+$/, "");
  return rounded === "-0" ? "0" : rounded;
}

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
