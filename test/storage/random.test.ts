import { expect, test } from "vitest";
import { randomPortion } from "../../src/storage/random.ts";

test("random bytes are given to nobody twice, in portions of any length and past what is fetched at once", () => {
  const seen = new Set<string>();
  for (let n = 0; n < 1_000; n += 1) {
    const length = 8 + (n % 7);
    const portion = randomPortion(length);
    expect(portion).toHaveLength(length);
    // Any eight bytes of one in another would be a piece that was given out twice.
    for (let at = 0; at + 8 <= length; at += 1) seen.add(portion.subarray(at, at + 8).toString("hex"));
  }
  expect(seen.size).toBe(Array.from({ length: 1_000 }, (_, n) => (n % 7) + 1).reduce((sum, each) => sum + each, 0));
});

test("what was given out stays as it was when more is fetched", () => {
  const first = randomPortion(16);
  const then = first.toString("hex");
  for (let n = 0; n < 1_000; n += 1) randomPortion(16);
  expect(first.toString("hex")).toBe(then);
});
