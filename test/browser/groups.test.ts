import { expect, test } from "vitest";
import { refusedCalls } from "../stories/always.ts";
import { said, startStory } from "../stories/story.ts";
import { desktop, openPage, phone } from "./page.ts";
import { useBrowser } from "./windows.ts";

const opened = useBrowser();

for (const [size, options] of Object.entries({ desktop, phone })) {
  test(`on a ${size}, a mark puts a person into a user group and into its turns on call, and a group without people is switched off`, async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, caro, slack } = story;
    slack.addUsergroup("night-shift", ["ben"]);
    await story.ask(ana, "/rackbell oncall night people=@night-shift", "`@night-shift` take turns");
    const { page } = await openPage(opened.browser, story, { ...options, place: "as=ana&c=" });
    await page.getByRole("link", { name: "User groups" }).click();
    const group = page.getByRole("group", { name: "@night-shift" });
    await group.getByText("@night-shift: 1 person").waitFor();
    await group.getByLabel(/^Caro/).click();
    await group.getByText("@night-shift: 2 people").waitFor();
    const onCall = async () => said(await story.ask(ana, "/rackbell oncall", "is on call"));
    await expect.poll(onCall, { timeout: 20_000 }).toContain(`then <@${caro.user.id}>`);
    const box = await group.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(options.viewport.width);
    await group.getByLabel(/^Ben/).click();
    await group.getByLabel(/^Caro/).click();
    await group.getByText("nobody, so it is switched off").waitFor();
    await expect.poll(onCall, { timeout: 20_000 }).toContain("Slack has no user group");
    expect(refusedCalls(slack)).toEqual([]);
  }, 120_000);
}
