import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { whyNot } from "../src/node-version.js";

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
  const image = /^FROM node:([\d.]+)-slim/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? "";
  expect(whyNot(image)).toBeNull();
});
