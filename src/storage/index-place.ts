/** A score as an index keeps it. Throws RangeError for what is no finite number. */
export function checkScore(score: number): number {
  if (!Number.isFinite(score)) throw new RangeError("A score must be a finite number.");
  return score;
}
