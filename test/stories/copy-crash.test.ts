import { expect, test } from "vitest";
import { said } from "../../src/sandbox/slack/server.ts";
import { type Crashing, tellCrashing } from "./crashing.ts";

function writes({ platform }: Crashing): string[] {
  return platform
    .calls()
    .filter(({ method }) => method !== "GET")
    .map(
      ({ method, path }) =>
        `${method} ${path
          .split("/")
          .at(-1)
          ?.replace(/^[0-9a-f-]{36}$/, "vps")}`,
    );
}

/** How often it was looked at, by what the path ends with. */
function reads({ platform }: Crashing, path: RegExp): number {
  return platform.calls().filter((call) => call.method === "GET" && path.test(call.path)).length;
}

test("killed at each step, the copy and the act happen once each, and the end is told", async () => {
  const crashing = await tellCrashing();
  const { ana, platform, later } = crashing;
  const asked = await crashing.ask(ana, "/vps cancel web-1 immediate=yes", "asks to", "Capture first");
  platform.clearCalls();

  // While the copy is asked for: it was done, and nobody heard.
  platform.faults.next({ how: "hang", method: "POST", path: "/vps/{id}/capture", applied: true });
  await ana.press(asked, "request:copy");
  await later(() => writes(crashing).length === 1, "the copy is asked for");
  await crashing.kill();
  await crashing.start();
  await crashing.sees(ana, /The copy was begun after all|Capturing as/, "Nothing else is done before");

  // While it is followed.
  const looks = reads(crashing, /\/custom-images\//);
  await later(() => reads(crashing, /\/custom-images\//) > looks, "it is followed");
  await crashing.kill();
  await crashing.start();

  // While the facts are read for the act: nothing of it was sent.
  platform.faults.hang("/vps/{id}");
  for (const image of imagesOf(crashing)) platform.changeImage(image, { status: "available" });
  const facts = reads(crashing, /^\/vps\/[^/]+$/);
  await later(() => reads(crashing, /^\/vps\/[^/]+$/) > facts, "the facts are read");
  expect(writes(crashing)).toEqual(["POST capture"]);
  await crashing.kill();
  platform.faults.resume();

  // While the act is asked for: it was done, and nobody heard.
  platform.faults.next({ how: "hang", method: "DELETE", applied: true });
  await crashing.start();
  await later(() => writes(crashing).length === 2, "the act is asked for");
  await crashing.kill();
  await crashing.start();
  const end = await crashing.sees(ana, "It was done after all", "is terminated", "Order from the copy");
  expect(end.ts).toBe(asked.ts);
  expect(said(end)).toContain("Find that it is there, and read the facts again");
  expect(writes(crashing)).toEqual(["POST capture", "DELETE vps"]);
  expect(imagesOf(crashing)).toHaveLength(1);
}, 120_000);

test("killed before the copy arrived: it is looked for, and neither it nor the act is sent", async () => {
  const crashing = await tellCrashing();
  const { ana, platform, later } = crashing;
  const asked = await crashing.ask(ana, "/vps cancel web-1 immediate=yes", "asks to", "Capture first");
  platform.clearCalls();
  platform.faults.next({ how: "hang", method: "POST", path: "/vps/{id}/capture" });
  await ana.press(asked, "request:copy");
  await later(() => writes(crashing).length === 1, "the copy is asked for");
  await crashing.kill();
  await crashing.start();
  await crashing.sees(ana, "was interrupted", "it is not run again");
  await later(() => reads(crashing, /\/custom-images$/) > 2, "it is looked for");
  expect(writes(crashing)).toEqual(["POST capture"]);
}, 120_000);

function imagesOf({ platform }: Crashing): string[] {
  const asked = platform.calls().filter(({ path }) => path.endsWith("/capture"));
  return asked.flatMap(({ body }) => /web-1-\d{8}-[0-9a-f]{6}/.exec(JSON.stringify(body ?? "")) ?? []);
}
