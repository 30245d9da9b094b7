import { median, percentile, type Spread, spread } from "./figures.ts";

/** Both sides of a comparison, each by its median, and the ratios of the app's to the other's, round by round. */
export interface Compared {
  app: number;
  other: number;
  ratio: Spread;
}

interface Sides {
  app: () => Promise<number>;
  other: () => Promise<number>;
}

/** Measures both sides in turn, `rounds` times. The figures are medians; a ratio is of one round. */
export async function compare(rounds: number, sides: Sides): Promise<Compared> {
  const [app = [], other = []] = await inTurns(rounds, [sides.app, sides.other]);
  return compared({ app, other });
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

/**
 * The figures of each side, round by round. Every round measures all of them and begins with the next one, so that what else the
 * machine does meets all alike.
 */
export async function inTurns<T>(rounds: number, sides: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const found = sides.map((): T[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < sides.length; turn += 1) {
      const at = (turn + round) % sides.length;
      const figure = await sides[at]?.();
      if (figure !== undefined) found[at]?.push(figure);
    }
  return found;
}
