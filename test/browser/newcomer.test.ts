import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../src/app/tools/bundle.ts";
import { ownFolder } from "../own-folder.ts";
import { refusedCalls } from "../stories/always.ts";
import { openPractice, startMain } from "../stories/main-process.ts";
import { startStory } from "../stories/story.ts";
import { confirm, desktop, openPage, phone } from "./page.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();

test("a newcomer links, lists, opens a card, reboots, reinstalls and reverts with a peer's approval, and is refused as the read-only member", async () => {
  const story = await startStory({ pace: 30, environment: { APPROVALS: "peer" } });
  const { keys } = story.platform;
  const { page, modal, type, actAs, link, sees } = await openPage(opened.browser, story, desktop);
  await link(keys.ana.key);

  await type("/vps list");
  await sees(/VPSes/);
  await page.getByTestId("message").last().getByRole("combobox", { name: "Open a VPS…" }).fill("web-1");
  await page.getByRole("option", { name: /web-1/ }).first().click();
  await sees(/is running/);
  await confirm(page, "Reboot", /interrupted/);
  await sees(/is running again/);

  await type("/vps reinstall web-2");
  await modal.getByLabel("Operating system").click();
  await page.getByRole("option", { name: /Debian 13/ }).click();
  await modal.getByRole("button", { name: "Review" }).click();
  await sees(/will erase/);

  await actAs("caro");
  await link(keys.caro.key);
  await confirm(page, "Approve…", /will erase/);
  await sees(/is reinstalled with Debian 13/);

  await actAs("ana");
  await type("/vps revert web-1");
  await modal.getByLabel("Snapshot").click();
  await page
    .getByRole("option")
    .filter({ hasText: story.platform.findVps("web-1").snapshots[0]?.name ?? "" })
    .first()
    .click();
  await modal.getByRole("button", { name: "Review" }).click();
  await sees(/newer snapshots .* will be destroyed/);
  await actAs("caro");
  await confirm(page, "Approve…", /will be lost/);
  await sees(/The disk is as it was in/);

  await actAs("dave");
  await link(keys.dave.key);
  await type("/vps reboot web-1");
  await sees(/needs the scope/);
  expect(refusedCalls(story.slack)).toEqual([]);
}, 120_000);

test("on a phone, with the bundle that the image holds, a machine is found, opened and rebooted", async () => {
  const folder = ownFolder();
  await bundle(join(folder, "src"));
  cpSync("package.json", join(folder, "package.json"));
  const practice = await openPractice({}, { pace: 30 });
  await startMain(practice, { entry: join(folder, "src", "start.js") });
  const { page, type, link, sees } = await openPage(opened.browser, practice, phone);
  await link(practice.platform.keys.ana.key);
  await type("/vps show web-1");
  await sees(/is running/);
  await confirm(page, "Reboot", /interrupted/);
  await sees(/is running again/);
  expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
}, 90_000);
