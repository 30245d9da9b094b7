import * as z from "zod";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { barChart, type ChartBlock, timeCharts } from "../../views/chart.ts";
import { limits } from "../../views/limits.ts";
import type { Figures } from "../sweep/estate.ts";

/** What was charged a month, by project and currency, at one report. */
export const Past = z.object({
  at: z.number(),
  sums: z.array(z.object({ project: z.string(), currency: z.string(), amount: z.string() })),
});
export type Past = z.infer<typeof Past>;

/** Weeks that are remembered: half a year of them. */
export const mostPast = 26;

/** The sum in each currency, the largest first. */
export function totalsOf(sums: Past["sums"]): { currency: string; amount: string }[] {
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency);
  const totals = [...byCurrency].map(([currency, all]) => ({ currency, units: unitsIn(all) }));
  return totals
    .toSorted((a, b) => compare(b.units, a.units))
    .map(({ currency, units }) => ({ currency, amount: amountOf(units) }));
}

/** By how much a currency's sum differs from the report before; null where that did not know it. */
export function changeOf(currency: string, sums: Past["sums"], before: Past | undefined): string | null {
  if (!before || before.sums.length === 0) return null;
  const of = (all: Past["sums"]) => unitsIn(all.filter((one) => one.currency === currency));
  return amountOf(of(sums) - of(before.sums));
}

/** Others than the largest projects of a currency are drawn as one. */
const others = "Others";

/** Over the weeks where there are any before; side by side in the first. At most as many charts as a message holds. */
export function priceCharts(sums: Figures["sums"], at: number, past: readonly Past[]): ChartBlock[] {
  const charts = totalsOf(sums).flatMap(({ currency }) => {
    const own = sums.filter((one) => one.currency === currency);
    const largest = own.toSorted((a, b) => compare(unitsOf(b.amount), unitsOf(a.amount)));
    const drawn = largest.slice(0, limits.chart.series - 1).map(({ project }) => project);
    const nameIn = (project: string) => (drawn.includes(project) ? nameOf(project) : others);
    const title = "Recurring price by project";
    const weeks = [...past.filter((one) => one.at < at), { at, sums: largest }];
    const namesOf = [
      ...new Set(weeks.flatMap((one) => inCurrency(one.sums, currency).map((sum) => nameIn(sum.project)))),
    ];
    const valueAt = (week: Past, name: string) =>
      Number(amountOf(unitsIn(inCurrency(week.sums, currency).filter(({ project }) => nameIn(project) === name))));
    if (weeks.length === 1) {
      const bars = namesOf.map((label) => ({ label, value: valueAt({ at, sums: own }, label) }));
      return barChart(title, "Price", bars, `${currency} a month`);
    }
    const series = namesOf.map((name) => ({
      name,
      points: weeks.map((week) => ({ at: week.at, value: valueAt(week, name) })),
    }));
    return timeCharts(title, series, `${currency} a month`);
  });
  return charts.slice(0, limits.chart.inMessage);
}

/** A row's project may have no name. */
export function nameOf(project: string): string {
  return project === "" ? "No project" : project;
}

function inCurrency(sums: Past["sums"], currency: string): Past["sums"] {
  return sums.filter((one) => one.currency === currency);
}

function unitsIn(sums: Past["sums"]): bigint {
  return sums.reduce((total, { amount }) => total + unitsOf(amount), 0n);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
