import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const turns = resolve("test/operation/wrong-turns.ts");

/** The compiler's answer about `files`, which it reads with the settings of the project. */
async function compile(files: string[]): Promise<string> {
  const cache = resolve("node_modules", ".cache", "rackbell");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "wrong-turns-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const settings = { extends: resolve("tsconfig.json"), compilerOptions: { incremental: false }, include: [], files };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  return promisify(execFile)(join("node_modules", ".bin", "tsc"), ["-p", folder]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

test("the right operations compile, and no operation with a wrong API, noun, route, scope, risk or review does", async () => {
  expect(await readFile(turns, "utf8")).toContain("@ts-expect-error");
  expect(await compile([turns])).toBe("");
}, 120_000);
