import { median, percentile, type Spread, spread } from "./figures.ts";

/** Both sides of a comparison, each by its median, and the ratios of the app's to the other's, round by round. */
export interface Compared {
  app: number;
  other: number;
  ratio: Spread;
}

interface Turns<T> {
  app: () => Promise<T>;
  other: () => Promise<T>;
}

/**
 * Measures both sides in turn, `rounds` times, so that what else the machine does meets both alike. The first side changes
 * with each round. The figures are medians; a ratio is of one round.
 */
export async function compare(rounds: number, sides: Turns<number>): Promise<Compared> {
  return compared(await inTurns(rounds, sides));
}

export function compared({ app, other }: { app: number[]; other: number[] }): Compared {
  return {
    app: median(app),
    other: median(other),
    ratio: spread(app.map((figure, at) => figure / (other[at] ?? NaN))),
  };
}

/**
 * The `share` of all samples of all rounds together: a slow moment of the machine falls into one round of one side, and would make that
 * round's ratio. The spread is of the rounds.
 */
export function pooled({ app, other }: { app: number[][]; other: number[][] }, share: number): Compared {
  const each = compared({
    app: app.map((samples) => percentile(samples, share)),
    other: other.map((samples) => percentile(samples, share)),
  });
  const [all, others] = [percentile(app.flat(), share), percentile(other.flat(), share)];
  return { app: all, other: others, ratio: { ...each.ratio, median: all / others } };
}

/** The figures of both sides, round by round, measured as `compare` does. */
export async function inTurns<T>(rounds: number, sides: Turns<T>): Promise<{ app: T[]; other: T[] }> {
  const app: T[] = [];
  const other: T[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [async () => app.push(await sides.app()), async () => other.push(await sides.other())];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  return { app, other };
}
