import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { faultKinds } from "../../src/sandbox/platform/http/faults.ts";
import { createPracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { createShapes } from "../../src/sandbox/platform/world/shapes.ts";
import { createPracticeSlack } from "../../src/sandbox/slack/server.ts";

const readme = readFileSync("src/sandbox/README.md", "utf8");
const rows = [...readme.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);

test("the page lists every switch for a reading, and none that is gone", () => {
  const switches = rows.filter((name) => !name?.endsWith("/"));
  expect(switches).toEqual(Object.keys(createShapes()));
});

/** The folders right below this one that hold files, as they are written on the page. */
function foldersIn(path: string): string[] {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return [...new Set(files.flatMap((name) => (name.includes("/") ? [`${name.split("/")[0]}/`] : [])))];
}

test("the page names every folder, those of the customer API beside it", () => {
  const folders = ["platform/", "slack/"].flatMap((one) =>
    foldersIn(`src/sandbox/${one}`).map((name) => `${one}${name}`),
  );
  expect(rows.filter((name) => name?.endsWith("/")).sort()).toEqual([...folders, "page/", "bench/"].sort());
  for (const resource of foldersIn("src/sandbox/platform/customer")) expect(readme).toContain(`\`${resource}\``);
});

test("the page names every kind of fault of both sides", async () => {
  const slack = await createPracticeSlack({ clock: createSandboxClock() });
  await slack.close();
  const inside = ["meet", "meetResponseUrl", "takeLostAck", "takeRepeat"];
  const faults = [...faultKinds, ...Object.keys(slack.faults).filter((name) => !inside.includes(name))];
  for (const fault of faults) expect(readme, fault).toContain(`\`${fault}\``);
});

test("every member of the platform in the code on the page is there", async () => {
  const platform = await createPracticePlatform({ clock: createSandboxClock() });
  await platform.close();
  const paths = [...readme.matchAll(/^(?:await )?platform\.([\w.]+)/gm)].map(([, path = ""]) => path.split("."));
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths)
    expect(
      path.reduce((at: object, name) => at && Reflect.get(at, name), platform),
      path.join("."),
    ).toBeDefined();
});
