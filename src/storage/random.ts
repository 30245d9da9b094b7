import { randomFillSync } from "node:crypto";

/** As much as is fetched at once: a call for a few bytes costs as much as one for all of these. */
const pool = Buffer.alloc(4096);
// Filled when first asked for, so that no start-up snapshot holds any. Each thread and each process has its own; none is forked.
let used = pool.length;

/** Random bytes, at most 4096, that nobody was or will be given: none leaves the pool twice, and none stays in it. */
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
