import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseMrkdwn } from "../../../src/sandbox/page/mrkdwn.js";

test("the page draws every emoji that the app writes", () => {
  const files = globSync("src/!(sandbox)/**/*.ts");
  const written = files.flatMap((file) => readFileSync(file, "utf8").match(/(?<=["'`*(\s]):[a-z][a-z0-9_]+:/g) ?? []);
  // SQLite's own word is no emoji.
  const emoji = [...new Set(written)].filter((word) => word !== ":memory:");
  expect(emoji.length).toBeGreaterThan(20);
  const isDrawn = (one: string) => JSON.stringify(parseMrkdwn(one)).includes('"type":"emoji"');
  expect(emoji.filter((one) => !isDrawn(one))).toEqual([]);
});
