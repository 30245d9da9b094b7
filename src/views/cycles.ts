import { prose } from "./text.ts";

const words = new Map<string, { name: string; each: string }>([
  ["hourly", { name: "By the hour", each: "an hour" }],
  ["monthly", { name: "Monthly", each: "a month" }],
  ["quarterly", { name: "Quarterly", each: "a quarter" }],
  ["semi-annually", { name: "Every half year", each: "every half year" }],
  ["annually", { name: "Yearly", each: "a year" }],
]);

/** The label of a billing cycle in a form: "Every half year". */
export function cycleName(cycle: string): string {
  return words.get(cycle)?.name ?? cycle;
}

/** "20.00 EUR a month"; an unknown cycle keeps its own name. */
export function perCycle(price: string, cycle: string): string {
  const each = words.get(cycle.toLowerCase())?.each;
  return each ? `${price} ${each}` : `${price} · ${prose(cycle, 40)}`;
}
