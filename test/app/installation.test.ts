import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whyNot } from "../../src/app/installation.js";
import { ownFolder } from "../own-folder.ts";

test.each(["24.15.0", "24.21.0", "25.0.0", "26.10.0"])("Node.js %s will do", (version) => {
  expect(whyNot(version)).toBeNull();
});

test.each(["20.20.2", "22.21.0", "24.14.9", "18.0.0"])(
  "Node.js %s ends in one sentence that says what is needed",
  (version) => {
    expect(whyNot(version)).toMatch(/^Rackbell needs Node\.js 24\.15 or later, and this is [\d.]+: .*\.$/);
  },
);

test("package.json, the README and the image name the same Node.js", () => {
  expect(readFileSync("package.json", "utf8")).toContain('"node": ">=24.15"');
  expect(readFileSync("README.md", "utf8")).toContain("Node.js 24.15");
  const image = /^ARG BASE=node:([\d.]+)-slim/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? "";
  expect(whyNot(image)).toBeNull();
});

test("each script of package.json that runs a file of ours first looks at what is installed", () => {
  const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;
  const ours = Object.values(scripts).filter((line) => line.startsWith("node "));
  expect(ours.length).toBeGreaterThan(5);
  for (const line of ours)
    expect(line).toMatch(/^node (--\S+ )*src\/(start\.js( doctor| setup)?$|app\/tools\/script\.js (src|test)\/.+\.ts)/);
  // `script.js` imports the file, so that none of them is the main module: one that asks would do nothing, without a word.
  for (const line of ours)
    for (const file of line.split(" ").filter((word) => /^(src|test)\/.+\.ts$/.test(word)))
      expect(readFileSync(file, "utf8"), file).not.toContain("import.meta.main");
});

test("package.json, the image, the systemd unit and Slack's CLI start the app with the same flags of Node.js", () => {
  const flags = "node --max-semi-space-size=8 --v8-pool-size=1 src/start.js";
  for (const file of ["package.json", ".slack/hooks.json", "deploy/rackbell.service"])
    expect(readFileSync(file, "utf8"), file).toContain(flags);
  expect(readFileSync("Dockerfile", "utf8")).toContain(`CMD ${JSON.stringify(flags.split(" ")).replaceAll(",", ", ")}`);
});

test.each([
  ["a script", "app/tools/script.js", "demo.ts"],
  ["the app", "start.js"],
])("without its packages %s ends in a sentence that names the remedy, and in no stack", (_, ...line) => {
  const folder = ownFolder();
  for (const file of ["start.js", "app/tools/script.js", "app/installation.js"])
    cpSync(join("src", file), join(folder, file), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const file of ["demo.ts", "app/main.ts"]) writeFileSync(join(folder, file), 'import "@slack/bolt";');
  const { stderr, status } = spawnSync(process.execPath, line, { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("The package @slack/bolt is not installed: run `npm ci`, without --omit=dev, and try again.\n");
  expect(status).toBe(1);
});
