import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testsOf } from "./rooms.ts";

const root = join(import.meta.dirname, "../..");

test("each test that judges mutants, and each that is left out, is there", () => {
  const { include, exclude } = testsOf("policy");
  for (const pattern of [...include, ...exclude])
    expect([pattern, globSync(pattern, { cwd: root }).length > 0]).toEqual([pattern, true]);
});
