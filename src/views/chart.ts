import type { Block as AnyBlock } from "@slack/types";
import { characters } from "../process/plain-text.ts";
import { duration, figure, scales } from "./format.ts";
import { limits } from "./limits.ts";
import { chunks, clip, oneLine, prose } from "./text.ts";

/** Slack's chart block of June 2026, which `@slack/types` does not have yet. */
export interface ChartBlock extends AnyBlock {
  type: "data_visualization";
  title: string;
  chart: {
    type: "line" | "bar";
    series: { name: string; data: Bar[] }[];
    axis_config: { categories: string[]; x_label?: string; y_label?: string };
  };
}

export interface Bar {
  label: string;
  value: number;
}

/** A figure at a moment (milliseconds); null if there was none. */
export interface Point {
  at: number;
  value: number | null;
}

export interface Series {
  name: string;
  points: Point[];
}

const chartLimits = limits.chart;

/**
 * Draws series over time as line charts of 20 points, each the mean of its interval. Series with figures at the same times share
 * a chart. A time without a figure is left out, because Slack draws no gap. `unit` "B" and "bit/s" are scaled to a readable unit.
 * Slack shows labels unchanged and in no zone, so a label is the distance to the last figure.
 */
export function timeCharts(title: string, series: Series[], unit = ""): ChartBlock[] {
  const knownSeries = series.map(({ name, points }) => ({ name, points: knownPoints(points) }));
  const times = knownSeries.flatMap(({ points }) => points.map(({ at }) => at));
  if (times.length === 0) return [];
  const stretches = stretchesOf(times);
  const scale = scaleOf(
    unit,
    knownSeries.flatMap(({ points }) => points),
  );
  const drawn = knownSeries.map(({ name, points }) => ({ name, data: meansOf(points, stretches, scale.factor) }));
  const groups = Map.groupBy(drawn, ({ data }) => data.map(({ label }) => label).join("|"));
  return [...groups.values()]
    .flatMap((group) => chunks(group, chartLimits.series))
    .filter(([first]) => first && first.data.length > 0)
    .map((group) => chartBlock(title, "line", group, { x: "Before the last figure", y: scale.unit }));
}

/** A bar chart of the first 20 figures, in their order. Callers pass no more if every figure matters. */
export function barChart(title: string, name: string, bars: Bar[], unit = ""): ChartBlock[] {
  const data = bars.filter(({ value }) => Number.isFinite(value)).slice(0, chartLimits.points);
  if (data.length === 0) return [];
  const names = distinct(data.map(({ label }) => label));
  const labelled = data.map(({ value }, at) => ({ label: names[at] ?? "", value: rounded(value) }));
  return [chartBlock(title, "bar", [{ name, data: labelled }], { y: unit })];
}

/** A chart as lines of mrkdwn, for workspaces without chart blocks. */
export function chartLines({ title, chart }: ChartBlock): string[] {
  const { series, axis_config: axis, type } = chart;
  const unit = axis.y_label ? ` ${prose(axis.y_label)}` : "";
  const lines = series.flatMap(({ name, data }) => {
    if (type === "bar") return data.map(({ label, value }) => `${prose(label)}: ${figure(value)}${unit}`);
    return [`${prose(name)}: ${seriesWords(data.map(({ value }) => value))}${unit}`];
  });
  const [first, last] = [axis.categories[0], axis.categories.at(-1)];
  const span =
    type === "line" && first && last ? ` (begins ${prose(first.replace("-", ""))} before the last figure)` : "";
  return [`*${prose(title)}*${span}`, ...lines];
}

const marks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

function seriesWords(values: number[]): string {
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((greatest, value) => Math.max(greatest, value));
  const drawn = values.map((value) => marks[high === low ? 0 : Math.round(((value - low) / (high - low)) * 7)]);
  return `\`${drawn.join("")}\` last ${figure(values.at(-1) ?? 0)}, from ${figure(low)} to ${figure(high)}`;
}

function chartBlock(
  title: string,
  type: ChartBlock["chart"]["type"],
  series: ChartBlock["chart"]["series"],
  { x = "", y }: { x?: string; y: string },
): ChartBlock {
  const names = distinct(series.map(({ name }) => name));
  return {
    type: "data_visualization",
    title: characters(clip(oneLine(title), chartLimits.title)),
    chart: {
      type,
      series: series.map(({ data }, at) => ({ name: names[at] ?? "", data })),
      axis_config: {
        categories: series[0]?.data.map(({ label }) => label) ?? [],
        ...(x ? { x_label: clip(x, chartLimits.axisLabel) } : {}),
        ...(y ? { y_label: characters(clip(oneLine(y), chartLimits.axisLabel)) } : {}),
      },
    },
  };
}

interface KnownPoint {
  at: number;
  value: number;
}

/** The highest number of milliseconds in a JavaScript date. */
const maxDateMs = 8.64e15;

function knownPoints(points: Point[]): KnownPoint[] {
  return points.flatMap(({ at, value }) =>
    Math.abs(at) <= maxDateMs && value !== null && Number.isFinite(value) ? [{ at, value }] : [],
  );
}

interface Stretch {
  from: number;
  label: string;
}

/** The times themselves if there are few, otherwise 20 intervals of equal length. */
function stretchesOf(times: number[]): Stretch[] {
  const from = times.reduce((least, at) => Math.min(least, at));
  const to = times.reduce((latest, at) => Math.max(latest, at));
  const some = new Set(times.slice(0, 10_000));
  const few = some.size <= chartLimits.points && times.every((at) => some.has(at));
  const starts = few
    ? [...some].sort((a, b) => a - b)
    : Array.from({ length: chartLimits.points }, (_, at) => from + ((to - from) * at) / chartLimits.points);
  const labels = distinct(starts.map((at) => timeLabel(to - at)));
  return starts.map((start, at) => ({ from: start, label: labels[at] ?? "" }));
}

/** The label of a distance to the last figure, in milliseconds: "-2 h 24 min". */
function timeLabel(before: number): string {
  return before < 1_000 ? "last" : `-${duration(before)}`;
}

function meansOf(points: KnownPoint[], stretches: Stretch[], factor: number): Bar[] {
  const sums = stretches.map(() => ({ sum: 0, amount: 0 }));
  for (const { at, value } of points) {
    const found =
      sums[
        Math.max(
          0,
          stretches.findLastIndex(({ from }) => from <= at),
        )
      ];
    if (!found) continue;
    found.sum += value;
    found.amount += 1;
  }
  return sums.flatMap(({ sum, amount }, at) => {
    const stretch = stretches[at];
    return stretch && amount > 0 ? [{ label: stretch.label, value: rounded(sum / amount / factor) }] : [];
  });
}

function scaleOf(unit: string, points: KnownPoint[]): { factor: number; unit: string } {
  if (unit !== "B" && unit !== "bit/s") return { factor: 1, unit };
  const scale = scales[unit];
  const high = points.reduce((greatest, { value }) => Math.max(greatest, Math.abs(value)), 0);
  const at = Math.min(scale.units.length - 1, high > 0 ? Math.floor(Math.log(high) / Math.log(scale.step)) : 0);
  const found = Math.max(0, at);
  return { factor: scale.step ** found, unit: scale.units[found] ?? unit };
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** Shortens names and keeps them different: Slack refuses two equal labels. */
function distinct(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let short = characters(clip(oneLine(name), chartLimits.label));
    for (let number = 2; taken.has(short); number += 1)
      short = `${characters(clip(oneLine(name), chartLimits.label - 1 - String(number).length))} ${number}`;
    taken.add(short);
    return short;
  });
}
