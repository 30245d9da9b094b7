import * as z from "#zod";
import type { Figures } from "../../members/resources/estate.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { barChart, type ChartBlock, timeCharts } from "../../views/chart.ts";
import { limits } from "../../views/limits.ts";

/** Recurring prices a month at one report, by project and currency. `at`: milliseconds since the epoch. */
export const PastPrices = z.object({
  at: z.number(),
  sums: z.array(z.object({ project: z.string(), currency: z.string(), amount: z.string() })),
});
export type PastPrices = z.infer<typeof PastPrices>;

/** Reports whose prices are stored: half a year. */
export const mostPastReports = 26;

/** The sum in each currency, the largest first. */
export function priceTotals(sums: PastPrices["sums"]): { currency: string; amount: string }[] {
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency);
  const totals = [...byCurrency].map(([currency, all]) => ({ currency, units: unitsIn(all) }));
  return totals
    .toSorted((a, b) => compare(b.units, a.units))
    .map(({ currency, units }) => ({ currency, amount: amountOf(units) }));
}

/** The difference of a currency's sum from the report before; null where that report had no prices. */
export function priceChange(currency: string, sums: PastPrices["sums"], before: PastPrices | undefined): string | null {
  if (!before || before.sums.length === 0) return null;
  const of = (all: PastPrices["sums"]) => unitsIn(all.filter((one) => one.currency === currency));
  return amountOf(of(sums) - of(before.sums));
}

/** The name under which all but the largest projects of a currency are drawn together. */
const others = "Others";

/** Line charts over the weeks, or bars for the first report; at most as many as a message may have. */
export function priceCharts(sums: Figures["sums"], at: number, past: readonly PastPrices[]): ChartBlock[] {
  const charts = priceTotals(sums).flatMap(({ currency }) => {
    const own = sums.filter((one) => one.currency === currency);
    const largest = own.toSorted((a, b) => compare(unitsOf(b.amount), unitsOf(a.amount)));
    const drawn = largest.slice(0, limits.chart.series - 1).map(({ project }) => project);
    const nameIn = (project: string) => (drawn.includes(project) ? projectLabel(project) : others);
    const title = "Recurring price by project";
    const weeks = [...past.filter((one) => one.at < at), { at, sums: largest }];
    const namesOf = [
      ...new Set(weeks.flatMap((one) => inCurrency(one.sums, currency).map((sum) => nameIn(sum.project)))),
    ];
    const valueAt = (week: PastPrices, name: string) =>
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

/** The name to show for a project; a server may have none. */
export function projectLabel(project: string): string {
  return project === "" ? "No project" : project;
}

function inCurrency(sums: PastPrices["sums"], currency: string): PastPrices["sums"] {
  return sums.filter((one) => one.currency === currency);
}

function unitsIn(sums: PastPrices["sums"]): bigint {
  return sums.reduce((total, { amount }) => total + unitsOf(amount), 0n);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
