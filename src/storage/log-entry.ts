const idDigits = 16;

/** The number of an entry as its id: a later entry has a greater text. */
export function idOf(number: number): string {
  return String(number).padStart(idDigits, "0");
}

/** The time at which an entry expires. Counted from the later of both: one dated ahead stays until its own date is out of retention. */
export function expiryOf(at: number, retentionMs: number, now: number): number {
  return Math.min(Math.ceil(Math.max(at, now) + retentionMs), Number.MAX_SAFE_INTEGER);
}
