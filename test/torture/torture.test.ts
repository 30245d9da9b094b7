import { expect, test } from "vitest";
import { runRound } from "./round.ts";

test("whatever dies and fails, what was asked is done at most once, told once in its place, followed to its end and recorded", async () => {
  const seed = Date.now() % 1_000_000;
  const { findings } = await runRound({ seed, stormMs: 12_000 });
  expect(findings, `node test/torture/main.ts --seed ${seed}`).toEqual([]);
}, 180_000);
