/** Throws TypeError for malformed Unicode: in UTF-8 two different broken strings would become the same text. */
export function checkText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("Keys and names must be well-formed Unicode.");
  return text;
}

/** True if a value with this time to live would already have expired. */
export function hasPassed(ttlMs: number | undefined): boolean {
  return ttlMs !== undefined && checkTimeToLive(ttlMs) <= 0;
}

/** Returns the score of a member of an index. Throws RangeError unless it is a finite number. */
export function checkScore(score: number): number {
  if (!Number.isFinite(score)) throw new RangeError("A score must be a finite number.");
  return score;
}

export function checkTimeToLive(ttlMs: number): number {
  if (!Number.isFinite(ttlMs)) throw new RangeError("A time to live must be a finite number.");
  return ttlMs;
}
