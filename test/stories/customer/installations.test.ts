import { expect, test } from "vitest";
import { askToReinstall } from "../reinstalling.ts";
import { goAhead, type Story, said, startStory, writes } from "../story.ts";

function sees({ ana }: Story, text: string): boolean {
  return ana.sees().some((message) => said(message).includes(text));
}

/** Lets time pass without an end: an early one would be in the channel by then. */
async function waits(story: Story, seconds: number): Promise<void> {
  const polls = () => story.platform.calls().filter(({ method }) => method === "GET").length;
  const before = polls();
  const until = story.clock.now() + seconds * 1_000;
  await story.passes(() => story.clock.now() >= until && polls() > before + 1, "the time for an early end", 5_000);
}

async function askFor(story: Story, kind: "vps" | "dedicated", name: string) {
  const { ana } = story;
  if (kind === "vps") return askToReinstall(story, name);
  await ana.type(`/dedicated reinstall ${name} image="Debian 13"`);
  return story.sees(ana, "asks to", "This will erase");
}

test.each(["failed", "completed"] as const)(
  "a new password after an installation that has %s before reports no loss of data",
  async (os_installation) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.change("metal-2", { os_installation });
    await ana.type("/dedicated password metal-2");
    await story.modal(ana, "New root password");
    await ana.submit();
    await ana.press(await story.sees(ana, "asks to"), goAhead);
    await story.comesToSee(ana, "no installation runs on it");
    expect(sees(story, "is lost")).toBe(false);
  },
);

test.each([
  ["dedicated", "metal-1", "completed"],
  ["dedicated", "metal-1", "failed"],
  ["vps", "web-2", "completed"],
  ["vps", "web-2", "failed"],
] as const)(
  "a reinstall of the %s %s is not over while the platform still shows that one has %s before",
  async (kind, name, state) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const show = (shown: "completed" | "failed" | "in_progress") =>
      platform.change(name, kind === "vps" ? { os_installation_status: shown } : { os_installation: shown });
    show(state);
    const request = await askFor(story, kind, name);
    // The platform takes the order, and shows the earlier installation for a while.
    platform.faults.next({ how: "wrong-shape", method: "POST", path: `/${kind}/{id}/reinstall` });
    await ana.press(request, goAhead);
    await story.sees(ana, "Reinstalling");
    await waits(story, 40);
    expect(sees(story, "is reinstalled") || sees(story, "is lost")).toBe(false);
    show("in_progress");
    await waits(story, 40);
    show("completed");
    await story.comesToSee(ana, "is reinstalled");
    expect(writes(story)).toHaveLength(1);
  },
);

test("a reinstall that the platform never shows to run is in doubt in the end, and its old failure is no new one", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("metal-1", { os_installation: "failed" });
  const request = await askFor(story, "dedicated", "metal-1");
  platform.faults.next({ how: "wrong-shape", method: "POST", path: "/dedicated/{id}/reinstall" });
  await ana.press(request, goAhead);
  await story.passes(() => sees(story, "shows no new installation"), "the end in doubt", 60_000);
  await story.sees(ana, ":grey_question:", "Check its system before you try again");
  expect(sees(story, "is lost")).toBe(false);
});
