import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const turns = ["operation", "storage"].map((room) => resolve("test", room, "wrong-turns.ts"));

async function temporaryFolder(): Promise<string> {
  const cache = resolve("node_modules", ".cache", "rackbell");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "wrong-turns-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The compiler's answer about `files`, which it reads with the settings of the project, in `folder`. */
async function compile(folder: string, files: string[]): Promise<string> {
  const settings = { extends: resolve("tsconfig.json"), compilerOptions: { incremental: false }, include: [], files };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  return promisify(execFile)(join("node_modules", ".bin", "tsc"), ["-p", folder]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

/** A module with a charge for each text, whose members it has beside the common ones. */
function charges(texts: string[]): string {
  const module = (name: string) => JSON.stringify(resolve("src", name));
  return `import * as z from "zod";
import { unsure } from ${module("operation/answer.ts")};
import { defineOperation } from ${module("operation/define.ts")};
import { vps } from ${module("operations/vps/vps.ts")};
import { captureVps } from ${module("platform/customer/vps.ts")};
const common = { command: "vps wrong", example: "/vps wrong", summary: "", act: captureVps, risk: "spend", target: vps, input: z.object({}) } as const;
const effects = [] as const;
const run = async () => ({ text: "" });
const reconcile = unsure("");
${texts.map((text) => `defineOperation({ ...common, run, ${text} });`).join("\n")}
`;
}

// One run of the compiler reads all of the app's sources: a second one would take as long again.
test("the right operations and kinds compile, none with a wrong API, noun, route, scope, risk, review or version does, and the compiler asks for the review, reconcile, price or effects that a charge lacks", async () => {
  for (const turn of turns) expect(await readFile(turn, "utf8")).toContain("@ts-expect-error");
  const folder = await temporaryFolder();
  const file = join(folder, "charges.ts");
  const review = 'review: async () => ({ consequence: "", price: "unknown" as const })';
  const unpriced = 'review: async () => ({ consequence: "" })';
  await writeFile(
    file,
    charges(
      ["effects, reconcile", `effects, ${review}`, `effects, reconcile, ${unpriced}`].concat([
        `reconcile, ${review}`,
        `effects, reconcile, ${review}`,
      ]),
    ),
  );
  const said = await compile(folder, [...turns, file]);
  const errors = said.split("\n").filter((line) => line.includes("error TS"));
  // Each begins with the path of its file.
  const places = errors.map((line) => resolve(line.replace(/\(.*/, "")));
  expect(places, said).toEqual([file, file, file, file]);
  expect(said.match(/Property '\w+' is missing/g)).toEqual(
    ["review", "reconcile", "price", "effects"].map((name) => `Property '${name}' is missing`),
  );
}, 120_000);
