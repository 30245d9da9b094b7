/** Draws that are the same for the same seed. */
export interface Draws {
  /** A whole number of `from` to `to`, both of them included. */
  between(from: number, to: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** mulberry32: small, and good enough to be fair. */
export function createDraws(seed: number): Draws {
  let state = seed | 0;

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function between(from: number, to: number): number {
    return from + Math.floor(next() * (to - from + 1));
  }

  return {
    between,
    chance: (share) => next() < share,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
  };
}
