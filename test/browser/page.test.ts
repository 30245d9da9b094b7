import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { guideLinked, guidePages } from "../../src/guide/guide.ts";
import { practiceAgent } from "../../src/sandbox/agent.ts";
import { happenings } from "../../src/sandbox/happenings.ts";
import { otherTool } from "../../src/sandbox/other-tool.ts";
import { ownFolder } from "../own-folder.ts";
import { type Story, startStory } from "../stories/story.ts";
import { findings } from "./axe.ts";
import { desktop, openPage, phone } from "./page.ts";
import { takePictures } from "./pictures.ts";
import { recordSetup } from "./recording.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();

/** True when all of it is within the window. */
async function isInSight(page: Page, what: Locator): Promise<boolean> {
  const box = await what.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}

for (const [size, options] of Object.entries({ desktop, phone })) {
  test(`on a ${size} nothing keeps people who see, hear or move otherwise from any part`, async () => {
    const story = await startStory({ pace: 30, linked: ["ana"] });
    story.slack.hint("ana", ["Type `/vps list`", "Copy `some-key`"]);
    story.slack.addUsergroup("night-shift", ["ben"]);
    const { page, type, sees, modal } = await openPage(opened.browser, story, options);
    const found: string[] = [];
    const look = async (where: string) => found.push(...(await findings(page, where)));
    await type("/vps show web-1");
    await sees(/is running/);
    await type("hello :tada: <b> @ben `code` #general and https://example.test fine");
    await sees("hello");
    await look("channel");
    await type("/vps list");
    await sees(/worker-1/);
    await look("list");
    await type("/vps stats web-1");
    await sees(/web-1/);
    await page
      .getByText(/memory/i)
      .last()
      .waitFor();
    await look("figures");
    await page.getByRole("link", { name: "Reply in thread" }).last().click();
    await page.getByTestId("reply").fill("a reply");
    await page.getByTestId("reply").press("Enter");
    await page.getByTestId("thread").getByText("a reply").waitFor();
    await look("thread");
    await page.getByRole("link", { name: "Close thread" }).click();
    await page.getByTestId("composer").fill("/v");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await look("completion");
    await type("/vps reinstall web-2");
    await modal.getByLabel("Operating system").click();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await look("modal");
    await page
      .getByRole("option", { name: /Debian/ })
      .first()
      .click();
    await modal.getByRole("button", { name: "Review" }).click();
    await sees(/will erase/);
    await page.locator(".message-body").last().getByRole("button").first().click();
    await page.getByTestId("confirm").waitFor();
    await look("confirm dialog");
    await page.keyboard.press("Escape");
    await page.goto(`${story.slack.url}/#as=ana&c=app&tab=home`);
    await page.getByTestId("home").getByText("Inventory", { exact: true }).waitFor();
    await look("Home");
    await page.goto(`${story.slack.url}/#as=ana&c=groups`);
    await page.getByRole("group", { name: "@night-shift" }).waitFor();
    await look("user groups");
    await page.goto(`${story.slack.url}/#as=ana&c=`);
    await page.getByTestId("channel-general").waitFor();
    await look("channels");
    await page.context().close();
    expect(found).toEqual([]);
  }, 120_000);
}

test("on a phone, buttons lie on none of a message's words, and the first steps stay in sight, each with its key to copy, which keeps the focus", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { page, type, sees } = await openPage(opened.browser, story, phone);
  for (const word of ["first", "second"]) {
    await type(`${word} ${"words that fill the line ".repeat(4)}`);
    await sees(new RegExp(word));
  }
  const last = page.getByTestId("message").last();
  expect(await last.locator(".byline").count()).toBe(0);
  const covered = `(() => {
    const message = [...document.querySelectorAll(".message")].at(-1);
    const words = document.createRange();
    words.selectNodeContents(message.querySelector(".message-text"));
    const { left, bottom } = message.querySelector(".message-actions").getBoundingClientRect();
    return [...words.getClientRects()].some((line) => line.right > left && line.top < bottom);
  })()`;
  expect(await page.evaluate(covered)).toBe(false);

  const key = story.platform.keys.caro.key;
  story.slack.hint("ana", ["Type `/vps list`", `Link Caro's key \`${key}\``]);
  await type("/vps list");
  await sees(/web-1/);
  const hints = page.getByTestId("hints");
  await hints.getByRole("button", { name: "Next step" }).click();
  const copy = hints.getByRole("button", { name: "Copy key" });
  expect(await hints.innerText()).not.toContain(key);
  await copy.click();
  await hints.getByText("Copied").waitFor();
  expect(await page.evaluate("document.activeElement.title")).toBe(key);
  const box = await copy.or(hints.getByText("Copied")).first().boundingBox();
  expect(box?.y).toBeLessThan(400);
  await hints.getByRole("button", { name: "Hide" }).click();
  expect(await hints.getByRole("listitem").count()).toBe(0);
  await page.context().close();
}, 60_000);

test("loaded anew, the page keeps the theme and what all see, and what one person saw is gone, with a word how its buttons come back", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { page, type, sees } = await openPage(opened.browser, story, { ...desktop, colorScheme: "light" });
  await type("good morning :tada: 🚀");
  await sees("good morning");
  const loaded = "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family).join()";
  await expect.poll(() => page.evaluate(loaded)).toContain("Twemoji");
  await type("/vps stats web-1");
  await page.getByText("Disk read").last().waitFor();
  // Under the last message there is nothing but the composer.
  const below =
    "document.querySelector('.message-list').getBoundingClientRect().bottom - [...document.querySelectorAll('.message')].at(-1).getBoundingClientRect().bottom";
  await expect.poll(() => page.evaluate(below)).toBeLessThan(40);
  await type("/vps show web-1");
  await sees(/is running/);
  await type("/billing pay INV-1000");
  await sees(/has its buttons/);
  const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const light = await ground();
  await page.getByRole("button", { name: "Change to the dark theme" }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);

  await page.reload();
  await page.getByRole("button", { name: "Change to the light theme" }).waitFor();
  expect(await ground()).toBe(dark);
  await sees("good morning");
  expect(await page.getByText("is running").count()).toBe(0);
  expect(await page.getByText("has its buttons").count()).toBe(0);
  await type("/rackbell approvals");
  await sees(/INV-1000/);
  await page.context().close();
}, 60_000);

for (const [size, options] of Object.entries({ desktop, phone })) {
  test(`on a ${size} one makes things happen at the platform, acts on another tool's alert, and finds anything by a shortcut`, async () => {
    const story = await startStory({ linked: ["ana"] });
    story.slack.offer([...happenings(story.platform), ...otherTool(story.slack)]);
    const { page, modal } = await openPage(opened.browser, story, { ...options, place: "as=ana&c=" });
    const panel = page.getByTestId("happenings");
    await panel.getByText("Make things happen").click();
    const secret = story.platform.reseller.signingSecret() ?? "";
    await panel.getByRole("button", { name: "The signing secret is rotated" }).click();
    await panel.getByText("The old secret has ended").waitFor();
    expect(story.platform.reseller.signingSecret()).not.toBe(secret);
    await panel.getByRole("button", { name: "Suspends a service" }).click();
    await panel.getByText("is suspended").waitFor();
    // The outcome of the last of many buttons is not left above the edge.
    await panel.getByRole("button", { name: "A minute late" }).click();
    await expect.poll(() => isInSight(page, panel.getByRole("status"))).toBe(true);
    expect(await findings(page, "happenings")).toEqual([]);

    await page.goto(`${story.slack.url}/#as=ana&c=ops`);
    otherTool(story.slack)[0]?.press();
    const alert = page.getByTestId("message").filter({ hasText: "HighLoad" }).last();
    await alert.hover();
    await alert.getByRole("button", { name: "More actions" }).click();
    expect(await findings(page, "menu")).toEqual([]);
    await page.getByRole("menuitem", { name: "Act on this" }).click();
    await modal.getByText("names 2 resources").waitFor();
    expect(await findings(page, "cards")).toEqual([]);
    await modal.getByRole("button", { name: "Close" }).last().click();
    await alert.hover();
    await alert.getByRole("link", { name: "Reply in thread" }).click();
    await page.getByTestId("reply").fill("@Rackbell show web-1");
    await page.keyboard.press("Escape");
    await page.getByTestId("reply").press("Enter");
    await page.getByTestId("thread").getByText("Only visible to you").waitFor();
    await page.getByTestId("thread").getByRole("combobox", { name: "More…" }).click();
    await page.getByRole("option", { name: "Show here" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Shortcuts" }).first().click();
    await page.getByRole("menuitem", { name: "Find anything" }).click();
    await modal.getByRole("combobox").click();
    await page.keyboard.type("web-1");
    await page.getByRole("option", { name: "web-1" }).first().click();
    await modal.getByText("is running").first().waitFor();
    await page.context().close();
  }, 120_000);
}

test("a modal opens in the window that asked for it alone, and gives the focus back when it closes", async () => {
  const story = await startStory({ linked: ["ana"] });
  const asking = await openPage(opened.browser, story, desktop);
  const other = await openPage(opened.browser, story, desktop);
  await asking.type("/vps reinstall web-2");
  await asking.modal.getByLabel("Operating system").waitFor();
  await other.type("still here");
  await other.sees("still here");
  expect(await other.modal.count()).toBe(0);
  await asking.page.keyboard.press("Escape");
  await asking.modal.waitFor({ state: "detached" });
  await expect.poll(() => focused(asking.page)).toBe("composer");

  await asking.type("/vps show web-2");
  await asking.sees(/is running/);
  const button = asking.page.getByRole("button", { name: "Details" }).last();
  await button.focus();
  await asking.page.keyboard.press("Enter");
  await asking.modal.getByText("Host name").waitFor();
  await asking.page.keyboard.press("Escape");
  await asking.modal.waitFor({ state: "detached" });
  await expect.poll(() => asking.page.evaluate("document.activeElement.innerText")).toBe("Details");
  await asking.page.context().close();
  await other.page.context().close();
}, 60_000);

function focused(page: Page): Promise<unknown> {
  return page.evaluate("document.activeElement.dataset.testid");
}

test("a private place to work: in the app's messages a command needs no slash, and a thread has a box to reply in", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { page, type, sees } = await openPage(opened.browser, story, {
    ...desktop,
    place: "as=ana&c=app&tab=messages",
  });
  await type("vps show web-1");
  await sees(/is running/);
  await page.getByRole("link", { name: "Reply in thread" }).last().click();
  await page.getByTestId("reply").fill("/vps list");
  await page.getByTestId("reply").press("Enter");
  await page.getByTestId("thread").getByText("do not work in threads").waitFor();
  await page.getByTestId("reply").fill("whoami");
  await page.getByTestId("reply").press("Enter");
  await page.getByTestId("thread").getByText("You act as").waitFor();
  await page.context().close();
}, 60_000);

/** A story whose workspace shows the guide, as the demo's does. */
async function startWithGuide(): Promise<Story> {
  const story = await startStory({});
  story.slack.showGuide(
    guidePages.map((page) => ({
      name: page.name,
      title: page.title,
      text: guideLinked(page, (shown, name) => `[${shown}](${story.slack.url}/#c=guide&page=${name})`),
    })),
  );
  return story;
}

for (const [size, options] of Object.entries({ desktop, phone }))
  test(`on a ${size} nothing keeps people who see, hear or move otherwise from any page of the guide`, async () => {
    const story = await startWithGuide();
    const { page } = await openPage(opened.browser, story, { ...options, place: "as=ana&c=guide" });
    const found: string[] = [];
    for (const guidePage of guidePages) {
      const [, heading = ""] = /^# (.+)$/m.exec(guideLinked(guidePage, (shown) => shown)) ?? [];
      await page.goto(`${story.slack.url}/#as=ana&c=guide&page=${guidePage.name}`);
      await page.getByTestId("guide").getByRole("heading", { name: heading, exact: true }).waitFor();
      found.push(...(await findings(page, guidePage.name)));
    }
    await page.context().close();
    expect(found).toEqual([]);
  }, 120_000);

test("the guide stands beside the channels, leads from page to page, and the Tab key can skip to the message field", async () => {
  const story = await startWithGuide();
  for (const size of [desktop, phone]) {
    const { page } = await openPage(opened.browser, story, { ...size, place: "as=ana&c=guide&page=approvals" });
    await page.getByTestId("guide").getByRole("heading", { name: "How many people decide" }).waitFor();
    await page.getByTestId("guide").getByRole("link", { name: "Scheduling" }).last().click();
    await page.getByTestId("guide").getByRole("heading", { name: "Maintenance windows" }).waitFor();
    await page.context().close();
  }
  const { page } = await openPage(opened.browser, story, desktop);
  await page.getByTestId("composer").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.dataset.testid")).toBe("composer");
});

test("the README's pictures can be taken anew", async () => {
  const folder = ownFolder();
  await takePictures(opened.browser, folder);
  await recordSetup(join(folder, "setup.svg"));
  expect(readFileSync(join(folder, "setup.svg"), "utf8")).not.toMatch(/(xapp|xoxb)-[0-9a-f]/);
  expect(readdirSync(folder).toSorted()).toEqual(readdirSync("src/sandbox/pictures").toSorted());
}, 60_000);

test("a newcomer links a key first, makes an agent, sees it read and propose, denies the request with a reason, and sees the reason arrive", async () => {
  const story = await startStory({ linked: ["ben"], environment: { AGENTS: "on", APPROVALS: "peer" } });
  const { ana, ben, slack } = story;
  slack.runAgent(practiceAgent(slack, () => story.app.url));
  const { page } = await openPage(opened.browser, story, { ...desktop, place: "as=ana&c=agent" });
  await page.getByTestId("agent-token").click();
  await page.getByText("Link your key first: an agent uses it. `/rackbell link` does that.").waitFor();
  expect(await findings(page, "agent without a key")).toEqual([]);
  await story.link(ana);
  await page.getByTestId("agent-token").click();
  await page.getByTestId("agent-read").click();
  await page.getByText('"name": "web-1"').first().waitFor();
  await page.getByLabel("Command").selectOption("vps reinstall");
  await page.getByTestId("agent-propose").click();
  const task = page.getByTestId("agent-task");
  await task.getByText("waits for a decision").waitFor();
  expect(await findings(page, "agent")).toEqual([]);
  const request = await story.sees(ben, "practice-2", "proposes to", "It does not answer since 02:10");
  await ben.press(request, "Deny…");
  await story.modal(ben, "Deny the request");
  await ben.fill({ "Why?": "Customer backups run" });
  await ben.submit();
  await task.getByText("Customer backups run").waitFor();
  await task.getByText("denied").first().waitFor();
});
