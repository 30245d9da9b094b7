import { expect, test } from "vitest";
import { runRound } from "./round.ts";

test("through crashes and faults each act is done at most once, notified once, tracked to its end and recorded", async () => {
  const seed = Date.now() % 1_000_000;
  const { findings } = await runRound({ seed, stormMs: 12_000 });
  expect(findings, `node test/torture/main.ts --seed ${seed}`).toEqual([]);
}, 180_000);
