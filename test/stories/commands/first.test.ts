import { expect, test } from "vitest";
import { goAhead, said, startStory, writes } from "../story.ts";

test("a member links a key, lists, opens a card and reboots, and the channel sees it come back", async () => {
  const story = await startStory();
  const { ana, platform } = story;
  await story.link(ana);
  const list = await story.ask(ana, "/vps list", "VPSes");
  expect(said(list)).toContain("web-1");
  const card = await story.ask(ana, "/vps show web-1", "is running");
  platform.clearCalls();
  await ana.press(card, "Reboot");
  await story.sees(ana, "Rebooting");
  await story.comesToSee(ana, "running again");
  expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a reinstall goes through the form, asks first, runs once and is followed to its end", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Operating system");
  await ana.choose("modal", "choose:image", "Debian 13");
  await ana.submit();
  const request = await story.sees(ana, "asks to", "This will erase");
  await ana.press(request, goAhead);
  await story.sees(ana, "Reinstalling");
  await story.comesToSee(ana, "is reinstalled");
  const offer = await story.seesIn("dm", ana, "only you can open it");
  await ana.press(offer, "Reveal");
  await story.modal(ana, "New root password");
  expect(writes(story)).toHaveLength(1);
});
