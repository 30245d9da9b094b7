import { expect, test } from "vitest";
import type { ApprovedTarget } from "../../src/requests/facets/bulk/record.ts";
import { keepTargets, readTargets } from "../../src/requests/facets/bulk/targets.ts";
import { openApp } from "./requests.ts";

/** As many targets as a bulk request may have. */
function targets(state: string): ApprovedTarget[] {
  return Array.from({ length: 2_000 }, (_, at) => ({
    id: `vps-${at}`,
    name: `web-${at}`,
    state,
    project: { id: "p1", name: "production" },
    preconditions: {},
    price: null,
    hostname: `web-${at}.example.com`,
    address: "192.0.2.7",
    addressIs: "read",
    location: "eu-1",
    place: "Frankfurt",
  }));
}

test("the targets of the largest bulk request are read from their text once, and not at each step", async () => {
  const { app } = await openApp();
  await keepTargets(app, "r1", targets("running"));
  const read = await readTargets(app, "r1");
  expect(read).toEqual(targets("running"));
  expect(await readTargets(app, "r1")).toBe(read);
  await keepTargets(app, "r1", targets("stopped"));
  expect(await readTargets(app, "r1")).toEqual(targets("stopped"));
  expect(await readTargets((await openApp()).app, "r1")).toEqual([]);
});
