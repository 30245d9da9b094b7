import { expect, test } from "vitest";
import { registry } from "../../src/operations/index.ts";
import { systemClock } from "../../src/process/clock.ts";
import { startPractice } from "../../src/sandbox/practice.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { belowFloors, belowFloorsOfRun } from "./floors.ts";
import { judge } from "./verdict.ts";

test("the judge counts a reinstall that is sent twice with two passwords as one act twice, and calls a round of one write below its floors", async () => {
  const practice = await startPractice({ clock: systemClock, manifest: manifestOf(registry) });
  const { platform } = practice;
  const headers = { authorization: `Bearer ${platform.keys.ana.key}`, "content-type": "application/json" };
  const url = `${platform.url}/vps/${platform.findVps("web-1").id}/reinstall`;
  const nothing = { practice, requests: [], audit: [], revealed: new Set<string>() };
  // A breakdown is no refusal: the write may have been done.
  platform.faults.next({ how: "500", method: "POST", times: 2 });
  for (const password of ["one-Password-1", "two-Password-2"]) {
    const body = JSON.stringify({ image: "debian-13", password });
    await fetch(url, { method: "POST", headers, body });
  }
  expect(judge(nothing)).toEqual([expect.stringMatching(/^Sent 2 times: POST .*reinstall/)]);
  expect(belowFloors(nothing, 40_000)).toEqual([
    expect.stringMatching(/^Only 2 writes were made, of 10/),
    "Nothing was sent to the reseller API",
  ]);
  expect(belowFloorsOfRun({ "order new done": 1 })).toContain("No billing pay was done in any round");
  expect(belowFloorsOfRun({ requests: 10, "ended expired": 7 })).toContain("Of 10 requests, 7 expired");
  expect(belowFloorsOfRun({ requests: 10, "ended expired": 4 }).join()).not.toContain("expired");
  await practice.close();
});
