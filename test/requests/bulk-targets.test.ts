import { expect, test } from "vitest";
import { noInteraction } from "../../src/messages/origin.ts";
import type { ApprovedTarget, TargetOutcome } from "../../src/requests/facets/bulk/record.ts";
import { stillToDo } from "../../src/requests/facets/bulk/series.ts";
import { keepTargets, readTargets } from "../../src/requests/facets/bulk/targets.ts";
import type { Request } from "../../src/requests/request.ts";
import { storeFirst } from "../../src/requests/store.ts";
import { auditNote, bulkOf, openApp, requestOf } from "./requests.ts";

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

/** Two machines that were stopped, then started with the button of that; and another stop of the series, which ended later. */
async function openSeries(laterOutcomes: TargetOutcome[]) {
  const { app } = await openApp();
  const machines = targets("stopped").slice(0, 2);
  const store = async (id: string, change: Partial<Request>) => {
    const request = { ...requestOf({ id, target: null }), state: "done" as const, ...change };
    await keepTargets(app, id, machines);
    await storeFirst(app, request, auditNote);
    return request;
  };
  await store("r1", {
    acts: ["stop"],
    bulk: bulkOf(["done", "done"], { followers: ["start", "stop"] }),
    changedAt: 100,
  });
  const bulk = bulkOf(["done", "done"]);
  const started = { ...(await store("start", { acts: ["start"], bulk, createdAt: 200, changedAt: 250 })), bulk };
  await store("stop", { acts: ["stop"], bulk: bulkOf(laterOutcomes), createdAt: 300, changedAt: 400 });
  const origin = { ...noInteraction, member: "T1:U1", slackUser: "U1", channel: null };
  return () => stillToDo(app, started, machines, { act: "stop", origin });
}

test("a machine that was stopped and started again may be stopped again, unless a stop since is done or unknown", async () => {
  const names = (found: Awaited<ReturnType<typeof stillToDo>>) =>
    "left" in found ? found.left.map(({ name }) => name) : "open";
  expect(names(await (await openSeries(["failed", "waiting"]))())).toEqual(["web-0", "web-1"]);
  expect(names(await (await openSeries(["unknown", "left out"]))())).toEqual(["web-1"]);
  expect(names(await (await openSeries(["done", "failed"]))())).toEqual(["web-1"]);
  await expect((await openSeries(["unknown", "done"]))()).rejects.toThrow("None of these is left");
});
