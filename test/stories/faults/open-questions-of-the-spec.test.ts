import { expect, test } from "vitest";
import type { Shapes } from "../../../src/sandbox/platform/world/shapes.ts";
import { billOf } from "../ordering.ts";
import { startStory } from "../story.ts";

// A platform may read in either way whatever the spec leaves open: a member must not notice which.

const readings: [string, Partial<Shapes>][] = [
  ["payloads in their first shape", { payload: 0 }],
  ["payloads in their second shape", { payload: 1 }],
  ["payloads in their third shape", { payload: 2 }],
  ["things under their names, in pages", { named: true, pagedLists: true }],
  ["lists in pages", { pagedLists: true }],
  [
    "documents flat, and pagination and summaries beside the data",
    { document: "flat", pagination: "beside", upgradeSummary: "beside" },
  ],
  ["another power in a server's detail than at its own route", { detailPower: "off" }],
  ["no power in a server's detail", { detailPower: null }],
  ["a document that is paid in part pending, and no slugs in paths", { paidInPart: "pending", projectSlugs: false }],
];

test.each(readings)("a member is answered alike by a platform with %s", async (_, shapes) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  Object.assign(platform.settings.shapes, shapes);
  await story.ask(ana, "/project list", "Staging", "Production");
  await story.ask(ana, "/project show staging", "Staging");
  await story.ask(ana, "/sshkey list", "ana laptop", "deploy");
  await story.ask(ana, "/image list", "golden-web");
  const product = await story.ask(ana, "/catalog show VPS M", "VPS M");
  await story.details(ana, product, "Monthly", "Yearly", "Daily backup");
  await story.ask(ana, "/billing invoices", "5 invoices", "INV-1002");
  await story.ask(ana, "/billing proformas", "3 proformas");
  await story.ask(ana, "/billing transactions", "Credit added");
  await story.ask(ana, `/billing show ${billOf(story, "Consulting").number}`, "left to pay", "Consulting");
  await story.ask(ana, "/vps ips web-1", platform.findVps("web-1").ip_addresses[0]?.address ?? "no address");
  await story.ask(ana, "/vps stats web-1", "CPU");
  await story.ask(ana, "/dedicated status metal-1", /`(POWER_ON|on)`/);
  await story.ask(ana, "/dedicated show metal-1", "*`metal-1`* is on");
  await story.ask(ana, "/dedicated images metal-1", "Debian 13");
  await story.ask(ana, "/game show arena-1", "running");
  await story.ask(ana, "/service options available web-2", "Daily backup");
  await story.ask(ana, "/service upgrades web-2", "VPS L");
  expect(story.log.filter((line) => line.includes("off contract"))).toEqual([]);
});

test("a list that comes in pages is read to its end", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.shapes.pagedLists = true;
  for (let index = 1; index <= 22; index += 1) {
    const response = await fetch(`${platform.url}/projects`, {
      method: "POST",
      headers: { authorization: `Bearer ${platform.keys.ana.key}` },
      body: JSON.stringify({ name: `Customer ${index}` }),
    });
    expect(response.status).toBe(201);
  }
  await story.ask(ana, "/project list", "26 projects");
  await story.ask(ana, "/project show customer-22", "Customer 22");
});
