/** Up to `n` candidates that `word` may be a typing error of, the nearest first; empty if none is near. */
export function nearest(word: string, candidates: readonly string[], n = 3): string[] {
  const typed = word.toLowerCase().slice(0, 60);
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distanceTo(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.max(typed.length, candidate.length) / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, n)
    .map(({ candidate }) => candidate);
}

function distanceTo(typed: string, candidate: string): number {
  if (typed.length >= 2 && (candidate.startsWith(typed) || candidate.split(" ").includes(typed))) return 0.5;
  return slips(typed, candidate);
}

/**
 * The number of letters to add, drop, change or swap with their neighbour. A swap counts as one: it is the commonest error, and
 * usual edit distance counts two.
 */
function slips(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line[column] = Math.min(
        (line[column - 1] ?? Infinity) + 1,
        (last[column] ?? Infinity) + 1,
        (last[column - 1] ?? Infinity) + (same ? 0 : 1),
        row > 1 && column > 1 && swapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    before = last;
    last = line;
  }
  return last[to.length] ?? Infinity;
}
