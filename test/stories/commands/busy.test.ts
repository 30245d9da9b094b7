import { expect, test } from "vitest";
import { said, startStory } from "../story.ts";

test("past the bound of what can wait, a member is told at once that the app is busy, and later everything is well again", async () => {
  const story = await startStory({ linked: ["ana"], work: { running: 2, waiting: 3 } });
  const { ana, platform } = story;
  const answered = (text: RegExp) => ana.sees().filter((message) => text.test(said(message))).length;
  platform.faults.hang("/vps");
  for (let typed = 0; typed < 2; typed += 1) await ana.type("/vps list");
  await expect.poll(() => platform.calls().filter(({ status }) => status === null).length).toBe(2);
  for (let typed = 0; typed < 5; typed += 1) await ana.type("/vps list");
  await expect.poll(() => answered(/nothing was done/)).toBe(2);
  platform.faults.resume();
  await expect.poll(() => answered(/\d VPSes/)).toBe(5);
  await story.ask(ana, "/vps show web-1", "is running");
});

test("when the platform hangs, a choice that must be read from it ends without one, before Slack gives up", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Operating system");
  platform.faults.hang();
  const offered = ana.suggest("modal", "Operating system", "");
  await expect.poll(() => platform.calls().some(({ status }) => status === null)).toBe(true);
  clock.skip(2_700);
  expect(await offered).toEqual([]);
});
