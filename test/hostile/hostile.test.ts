import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// In a process of its own: it replaces time, network and randomness for the whole of one.
async function hostile(...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, ["test/hostile/main.ts", ...args], { maxBuffer: 64 * 2 ** 20 });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout;
}

test("cases that once failed are answered rightly", async () => {
  const said = await hostile("--kept");
  expect(said, said).toMatch(/^\d+ kept cases, 0 with findings$/m);
}, 300_000);

test("a run ends with its minutes, within a command too, and says how to go on", async () => {
  const said = await hostile("--part", "whole", "--only", "billing pay", "--minutes", "0.15");
  expect(said, said).toMatch(/^the minutes are over: go on with --from 81$/m);
}, 60_000);
