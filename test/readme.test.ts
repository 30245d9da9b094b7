import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { createMetrics } from "../src/metrics.ts";

const readme = readFileSync("README.md", "utf8");
const config = readFileSync("src/config.ts", "utf8");

const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? "");
const told = [...readme.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(([, names]) =>
  [...(names ?? "").matchAll(/[A-Z_]+/g)].map(([name]) => name),
);

test("the table of variables has each, and no other", () => {
  expect(read.length).toBeGreaterThan(10);
  expect(told.toSorted()).toEqual(read.toSorted());
});

test("the table of metrics has each with its labels, says when to look, and has no other", () => {
  const served = createMetrics()
    .registry.getMetricsAsArray()
    .filter(({ name }) => name.startsWith("rackbell_"))
    .map((metric) => `${metric.name}${labelsOf(metric)}`);
  const rows = [...readme.matchAll(/^\| `(rackbell_[^`]+)` \| (.*) \|$/gm)];
  expect(served.length).toBeGreaterThan(10);
  expect(rows.map(([, name]) => name).toSorted()).toEqual(served.toSorted());
  for (const [, name, words] of rows) expect(words, name).toMatch(/Look (when|at|under)|Each is a fault/);
});

function labelsOf(metric: object): string {
  const labels = "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
  return labels.length === 0 ? "" : `{${labels.join(",")}}`;
}

test("each command that the README says to run is there", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const said = [...readme.matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name]) => name ?? "");
  expect(said).toContain("doctor");
  expect(said.filter((name) => !(name in scripts))).toEqual([]);
});

test("each file that the README links to is there", () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, path]) => path ?? "");
  expect(links).toContain("src/slack/icon.png");
  expect(links.filter((path) => !existsSync(path))).toEqual([]);
});

test("each step of the way into Slack says what one should then see", () => {
  const [, way = ""] = readme.split("## Connect it to your Slack");
  const steps = (way.split("### ")[0] ?? "").split(/^\d+\. /m).slice(1);
  expect(steps.length).toBeGreaterThan(5);
  for (const step of steps) expect(step).toContain("You should now see");
});

test("each place on the page that the README links to is there", () => {
  const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    (text ?? "")
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor ?? "");
  expect(links).toContain("make-a-narrow-key");
  expect(links.filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

test("each room and file that src/README.md names is there", () => {
  const house = readFileSync("src/README.md", "utf8");
  const named = [...house.matchAll(/`((?:test\/)?[\w/-]+(?:\.\w+|\/))`/g)].flatMap(([, name]) => name ?? []);
  const places = ["", "src", "src/notifications", "src/access", "src/storage", "src/platform", "src/requests"];
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !places.some((place) => existsSync(join(place, name))))).toEqual([]);
});
