import * as z from "#zod";

const NOT_MONEY = "Not an amount of money";

/**
 * Parses an amount of money: a decimal string or a number. The spec names 4 decimals, and a price by the hour may need more: a monthly one
 * divided by 720 ends nowhere. The result is a decimal string with 8 decimals at most. Anything else fails the schema. Customer spec
 * sections 2.3 and 2.6, reseller spec section 1.1.
 */
export const Amount = z.union([z.string(), z.number()], { error: NOT_MONEY }).transform((raw, context) => {
  if (typeof raw === "string" && /^-?\d{1,15}(\.\d{1,40})?$/.test(raw)) return rounded(raw);
  if (typeof raw === "number" && Math.abs(raw) < 1e12) return decimal(raw);
  context.addIssue({ code: "custom", message: NOT_MONEY });
  return z.NEVER;
});
export type Amount = z.infer<typeof Amount>;

/** A currency as the platform names it. */
export const Currency = z.string().min(1).max(8);

const mostDecimals = 8;

/** Rounds the text, half away from zero: as a number, a large amount would lose its cents. */
function rounded(text: string): string {
  const [whole = "", decimals = ""] = text.replace("-", "").split(".");
  if (decimals.length <= mostDecimals) return text;
  const kept = BigInt(whole + decimals.slice(0, mostDecimals)) + (decimals.charAt(mostDecimals) >= "5" ? 1n : 0n);
  const digits = kept.toString().padStart(mostDecimals + 1, "0");
  const sign = text.startsWith("-") && kept > 0n ? "-" : "";
  return sign + shortened(`${digits.slice(0, -mostDecimals)}.${digits.slice(-mostDecimals)}`);
}

function decimal(value: number): string {
  const shortest = String(value);
  if (/^-?\d+(\.\d{1,8})?$/.test(shortest)) return shortest;
  const fixed = shortened(value.toFixed(mostDecimals));
  return fixed === "-0" ? "0" : fixed;
}

/** Without the zeros at the end of its decimals. */
function shortened(text: string): string {
  return text.replace(/\.?(?<!0)0+$/, "");
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
