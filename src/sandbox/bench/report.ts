import type { Compared } from "./rounds.ts";

/** One line of the report. `met` is null where there is no goal. */
export interface Row {
  what: string;
  figure: string;
  goal: string;
  met: boolean | null;
}

/** A ratio that is met up to `most`, or from `least` on. */
export type Goal = { most: number } | { least: number };

/** A ratio against another program, with both sides' own figures. */
export function comparedRow(
  what: string,
  { app, other, ratio }: Compared,
  goal: Goal | null,
  shown: (figure: number) => string,
): Row {
  return {
    what,
    figure: `${two(ratio.median)} (${two(ratio.min)} to ${two(ratio.max)}); ${shown(app)} against ${shown(other)}`,
    ...judged(ratio.median, goal),
  };
}

function judged(figure: number, goal: Goal | null): Pick<Row, "goal" | "met"> {
  if (goal === null) return { goal: "", met: null };
  return "most" in goal
    ? { goal: `at most ${goal.most}`, met: figure <= goal.most }
    : { goal: `at least ${goal.least}`, met: figure >= goal.least };
}

/** A count or a size that may not exceed the goal; without a goal the row only shows it. */
export function plainRow(
  what: string,
  figure: number,
  most: number | null,
  shown: (figure: number) => string = String,
): Row {
  return {
    what,
    figure: shown(figure),
    goal: most === null ? "" : `at most ${shown(most)}`,
    met: most === null ? null : figure <= most,
  };
}

/** Rows in columns, under a title. */
export function table(title: string, rows: readonly Row[]): string {
  const wide = (pick: (row: Row) => string) => Math.max(0, ...rows.map((row) => pick(row).length));
  const [what, figure, goal] = [wide((row) => row.what), wide((row) => row.figure), wide((row) => row.goal)];
  const lines = rows.map((row) => {
    const verdict = row.met === null ? "" : row.met ? "met" : "MISSED";
    return `  ${row.what.padEnd(what)}  ${row.figure.padEnd(figure)}  ${row.goal.padEnd(goal)}  ${verdict}`.trimEnd();
  });
  return [title, ...lines].join("\n");
}

export function milliseconds(figure: number): string {
  return figure < 100 ? `${figure.toFixed(1)} ms` : `${Math.round(figure)} ms`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

export function perSecond(figure: number): string {
  return `${Math.round(figure)} a second`;
}

function two(figure: number): string {
  return figure.toFixed(2);
}
