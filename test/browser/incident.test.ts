import { expect, test } from "vitest";
import { happenings } from "../../src/sandbox/happenings.ts";
import { refusedCalls } from "../stories/always.ts";
import { startStory } from "../stories/story.ts";
import { confirm, openPage, phone } from "./page.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();

test("on a phone, a thread reboots three machines and tries again the one that refuses; a reinstall that is approved now stands on Home and runs at its time", async () => {
  const story = await startStory({ pace: 30, linked: ["ana", "caro"], environment: { APPROVALS: "peer" } });
  const { ana, clock, platform, slack } = story;
  const { ts } = await ana.say("The shop does not answer", "#ops");
  const place = `as=ana&c=ops&thread=${ts}`;
  const { page, modal, type, actAs, sees } = await openPage(opened.browser, story, { ...phone, place });
  const thread = page.getByTestId("thread");
  await happenings(platform)
    .find(({ id }) => id === "refuse-reboot")
    ?.press();
  await thread.getByTestId("reply").fill("@Rackbell reboot web-1 web-2 db-1");
  await thread.getByTestId("reply").press("Enter");
  await confirm(page, "Reboot 3 VPSes", /interrupted/);
  await thread.getByRole("button", { name: "Try the failed ones again" }).click();
  await thread
    .getByText(/web-1.* is done/)
    .last()
    .waitFor();
  await thread.getByRole("link", { name: "Close thread" }).click();

  await type("/vps reinstall web-2 in=2h");
  await modal.getByLabel("Operating system").click();
  await page.getByRole("option", { name: /Debian 13/ }).click();
  await modal.getByRole("button", { name: "Review" }).click();
  await sees(/will erase/);
  await actAs("caro");
  await confirm(page, "Approve…", /not now/);
  await sees(/It is scheduled for/);
  await page.goto(`${slack.url}/#as=ana&c=app`);
  const home = page.getByTestId("home");
  await home.getByRole("button", { name: "Withdraw" }).waitFor();
  clock.skip(2 * 60 * 60_000);
  await page.goto(`${slack.url}/#as=ana&c=ops`);
  await sees(/is reinstalled with Debian 13/);
  expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  expect(refusedCalls(slack)).toEqual([]);
}, 90_000);
