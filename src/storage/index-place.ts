/** Returns the score. Throws RangeError unless it is a finite number. */
export function checkScore(score: number): number {
  if (!Number.isFinite(score)) throw new RangeError("A score must be a finite number.");
  return score;
}
