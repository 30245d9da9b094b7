import type { Cycle } from "../world/service.ts";

// Money is whole cents inside; the wire has strings or numbers, as the spec says for each.

export const cycles = ["hourly", "monthly", "quarterly", "semi-annually", "annually"] as const satisfies Cycle[];

export const monthsOf: Record<Cycle, number> = {
  hourly: 0,
  monthly: 1,
  quarterly: 3,
  "semi-annually": 6,
  annually: 12,
};

export function euros(cents: number): number {
  return Math.round(cents) / 100;
}

export function eurosText(cents: number): string {
  return euros(cents).toFixed(2);
}

/** The four decimals of what a service bills. */
export function billedText(cents: number): string {
  return (cents / 100).toFixed(4);
}

export function toCents(euros: number | string): number {
  return Math.round(Number(euros) * 100);
}

export function taxOn(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}

/** The end of the period that starts at `from`. */
export function addCycle(from: number, cycle: Cycle): string {
  const date = new Date(from);
  date.setUTCMonth(date.getUTCMonth() + monthsOf[cycle]);
  return date.toISOString();
}
