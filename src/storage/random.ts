import { randomFillSync } from "node:crypto";

/** Fetched in portions, since a call for a few bytes costs as much as one for all of these. */
const pool = Buffer.alloc(4096);
// Filled at the first call, so that a start-up snapshot contains no random bytes. Each thread and process has its own pool.
let used = pool.length;

/** Fresh random bytes, at most 4096. Each byte of the pool is given out once and then overwritten. */
export function randomPortion(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const portion = Buffer.from(pool.subarray(used, used + length));
  pool.fill(0, used, used + length);
  used += length;
  return portion;
}
