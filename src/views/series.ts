import type { Point, Series } from "./chart.ts";
import { labelled } from "./labels.ts";
import { isObject, timeIn } from "./values.ts";

/** A series over time found in JSON, with the unit of its figures. */
export interface FoundSeries extends Series {
  unit: string;
}

/** Fewer figures with a time are shown as text. */
const fewest = 4;
/** Amounts of money are never drawn: their exact figures matter. A key with a unit, such as `total_bytes`, names none. */
const money = /amount|price|total|fee|balance|cost|charge|credit|paid/i;

function isDrawn(key: string, values: unknown[]): boolean {
  return (labelled(key).unit !== "" || !money.test(key)) && values.every(isFigure);
}

/**
 * The series over time in a list: rows with a time and figures alone, or pairs of a time and a figure. Null for any other list,
 * even one that resembles figures.
 */
export function seriesIn(key: string, values: unknown[]): FoundSeries[] | null {
  if (values.length < fewest) return null;
  return ofRows(values) ?? ofPairs(key, values);
}

/** The series in an object with a list of times and, beside it, lists of as many figures. `rest` has its other fields. */
export function parallelSeries(object: object): { series: FoundSeries[]; rest: Record<string, unknown> } | null {
  const entries = Object.entries(object);
  const times = entries.flatMap(([key, value]) => {
    const found = Array.isArray(value) ? timesOf(value.map((each) => timeAt(key.replace(/s$/, ""), each))) : null;
    return found ? [{ key, times: found }] : [];
  })[0];
  if (!times) return null;
  const figures = entries.flatMap(([key, value]) =>
    Array.isArray(value) && key !== times.key && value.length === times.times.length && value.every(isFigure)
      ? [{ key, value }]
      : [],
  );
  if (figures.length === 0 || !figures.every(({ key, value }) => isDrawn(key, value))) return null;
  const drawn = new Set([times.key, ...figures.map(({ key }) => key)]);
  const series = figures.map(({ key, value }) => namedSeries(key, pointsOf(times.times, value)));
  return { series, rest: Object.fromEntries(entries.filter(([key]) => !drawn.has(key))) };
}

function ofRows(values: unknown[]): FoundSeries[] | null {
  const rows = values.map((row) => (isObject(row) ? new Map(Object.entries(row)) : null)).filter((row) => row !== null);
  if (rows.length < values.length) return null;
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const timeColumn = columns.find((column) => timesOf(rows.map((row) => timeAt(column, row.get(column)))) !== null);
  if (timeColumn === undefined) return null;
  const figures = columns.filter((column) => column !== timeColumn);
  const valuesOf = (column: string) => rows.map((row) => row.get(column) ?? null);
  if (figures.length === 0 || !figures.every((column) => isDrawn(column, valuesOf(column)))) return null;
  const times = rows.map((row) => timeAt(timeColumn, row.get(timeColumn)) ?? 0);
  return figures.map((column) => namedSeries(column, pointsOf(times, valuesOf(column))));
}

/** A date alone marks a row of a series, like a moment. */
function timeAt(column: string, value: unknown): number | null {
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)) return timeIn(column, `${value}T00:00:00Z`);
  return timeIn(column, value);
}

function ofPairs(key: string, values: unknown[]): FoundSeries[] | null {
  const pairs = values.filter((value) => Array.isArray(value) && value.length === 2).map((value) => [value].flat());
  const times = timesOf(pairs.map(([at]) => timeIn("at", at)));
  const figures = pairs.map(([, value]) => value);
  if (pairs.length < values.length || !times || !isDrawn(key, figures)) return null;
  return [namedSeries(key, pointsOf(times, figures))];
}

/** All times; null if one is no time, or two are equal. */
function timesOf(times: (number | null)[]): number[] | null {
  const known = times.filter((at) => at !== null);
  return known.length >= fewest && new Set(known).size === times.length ? known : null;
}

function pointsOf(times: number[], values: unknown[]): Point[] {
  const points = times.map((at, index) => {
    const value = values[index];
    return { at, value: typeof value === "number" ? value : null };
  });
  return points.sort((a, b) => a.at - b.at);
}

function namedSeries(key: string, points: Point[]): FoundSeries {
  const { label, unit } = labelled(key);
  return { name: label, unit, points };
}

export function isFigure(value: unknown): boolean {
  return value === null || typeof value === "number";
}
