import { median, type Spread, spread } from "./figures.ts";

/** Both sides of a comparison, each by its median, and the ratios of the app's to the other's, round by round. */
export interface Compared {
  app: number;
  other: number;
  ratio: Spread;
}

/**
 * Measures both sides in turn, `rounds` times, so that what else the machine does meets both alike. The first side changes
 * with each round. The figures are medians; a ratio is of one round.
 */
export async function compare(
  rounds: number,
  sides: { app: () => Promise<number>; other: () => Promise<number> },
): Promise<Compared> {
  const app: number[] = [];
  const other: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [async () => app.push(await sides.app()), async () => other.push(await sides.other())];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  return {
    app: median(app),
    other: median(other),
    ratio: spread(app.map((figure, at) => figure / (other[at] ?? NaN))),
  };
}
