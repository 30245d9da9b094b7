import { expect, test } from "vitest";
import { newestEvents } from "../../../src/alerts/event-log.ts";
import { noteAbsent, observe } from "../../../src/alerts/polling/observations.ts";
import { type PollingRound, pageReader } from "../../../src/alerts/polling/reader.ts";
import { machineObservations } from "../../../src/alerts/polling/service-observations.ts";
import { customerClient } from "../../platform/clients.ts";
import { vpsRow } from "../../platform/customer/rows.ts";
import { openPolling } from "./polled.ts";

const later: PollingRound = { first: false, since: 0, key: "key-1" };

/** Three pages of ids, and the alerts of these resources. The calls: each page that was read, and each resource that was. */
async function rounds(pages: string[][], open: string[], { lost = 0, round = later } = {}) {
  const calls: string[] = [];
  const reader = pageReader<"customer", { id: string }>({
    name: "machines",
    every: 1,
    whole: true,
    async page(_, page) {
      calls.push(`page ${page}`);
      if (page === lost) throw new Error("The page is lost");
      return { rows: (pages[page - 1] ?? []).map((id) => ({ id })), pagination: { pages: pages.length } };
    },
    async see() {},
    open: {
      idOf: ({ id }) => id,
      find: async () => open,
      check: async (_, id) => void calls.push(`check ${id}`),
      forget: async (id) => void calls.push(`forget ${id}`),
    },
  });
  const client = customerClient({});
  let cursor: string | null = "";
  for (let tries = 1; cursor !== null; tries += 1) {
    const at: string = cursor;
    const step = await reader.step(client, at, round).catch(() => reader.skip?.(at, tries, round));
    if (step === null || typeof step === "string") cursor = step;
    else if (typeof step === "object") cursor = step.cursor;
  }
  return calls;
}

test("a resource of an open alert that a whole round lacks is read by itself, one call each, and no other is", async () => {
  const pages = [["a", "b/1"], ["c"], ["d, e"]];
  expect(await rounds(pages, ["a", "b/1", "c", "d, e"])).toEqual(["page 1", "page 2", "page 3"]);
  expect(await rounds(pages, ["gone/1", "a", "gone 2"])).toEqual([
    ...["page 1", "page 2", "page 3"],
    ...["check gone/1", "check gone 2"],
  ]);
  expect(await rounds([[]], ["gone"])).toEqual(["page 1", "check gone"]);
});

test("a round that lost a page finds nothing to be gone", async () => {
  const pages = [["a"], ["b"], ["c"]];
  for (const lost of [1, 2, 3]) expect((await rounds(pages, ["gone"], { lost })).join()).not.toContain("gone");
});

test("the first round of a key calls nothing gone that another key has shown", async () => {
  const round = { ...later, first: true };
  expect(await rounds([["a"]], ["a", "hidden"], { round })).toEqual(["page 1", "forget hidden"]);
});

test("a machine that is gone, and is shown again as it was, raises its failure anew", async () => {
  const app = await openPolling();
  const service = { id: "vps-1", name: null, hostname: null, kind: "vps", status: "active", dueAt: null } as const;
  const see = (state: "running" | "stopped") => {
    const found = machineObservations({ ...service, source: "polling" }, { ...vpsRow({}).instance, state });
    return observe(app, "service:vps-1", found, later);
  };
  const events = async () => (await newestEvents(app, { limit: 10 })).map(({ event }) => event);
  await see("running");
  await see("stopped");
  expect(await events()).toEqual(["machine.stopped"]);
  await noteAbsent(app, { resource: "service:vps-1", aspects: ["billing", "power"], known: true });
  await see("stopped");
  expect(await events()).toEqual(["machine.stopped", "machine.stopped"]);
});
