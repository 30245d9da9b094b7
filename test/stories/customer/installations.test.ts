import { expect, test } from "vitest";
import { waits } from "../nothing-new.ts";
import { askToReinstall } from "../reinstalling.ts";
import { goAhead, type Story, said, startStory, writes } from "../story.ts";

function sees({ ana }: Story, text: string): boolean {
  return ana.sees().some((message) => said(message).includes(text));
}

async function askFor(story: Story, kind: "vps" | "dedicated", name: string) {
  const { ana } = story;
  if (kind === "vps") return askToReinstall(story, name);
  await ana.type(`/dedicated reinstall ${name} image="Debian 13"`);
  return story.sees(ana, "asks to", "This will erase");
}

async function resetPassword(story: Story, name: string): Promise<void> {
  const { ana } = story;
  await ana.type(`/dedicated password ${name}`);
  await story.modal(ana, "New root password");
  await ana.submit();
  await ana.press(await story.sees(ana, "asks to"), goAhead);
  await story.sees(ana, "accepted the new password");
}

test.each(["failed", "completed", "deployed", null])(
  "a new password of a server that shows no rebuild, and %s from before, is in doubt in the end, and no data is lost",
  async (os_installation) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.change("metal-2", { os_installation });
    await resetPassword(story, "metal-2");
    await waits(story, 40);
    expect(sees(story, ":grey_question:")).toBe(false);
    await story.passes(() => sees(story, ":grey_question:"), "the end in doubt", 60_000);
    await story.sees(ana, ":grey_question:", "does not show whether it rebuilds the server");
    expect(sees(story, "is lost") || sees(story, "rebuilds the server, and")).toBe(false);
  },
);

test.each([
  { os_installation: null },
  { os_installation: "queued" },
  { os_installation: "installing" },
  { os_installation: "completed" },
  { provision_state: "active", os_installation: "installing" },
])(
  "a new password that rebuilds the server is not over while that shows in words that no spec lists: %j",
  async (shown) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    await resetPassword(story, "metal-2");
    platform.change("metal-2", { power_state: "off", provision_state: "deploying", ...shown });
    await story.comesToSee(ana, "The new password rebuilds the server, and the old one has ended");
    await waits(story, 40);
    expect(sees(story, "is reinstalled") || sees(story, ":grey_question:")).toBe(false);
    platform.change("metal-2", { power_state: "on", provision_state: "active", os_installation: "completed" });
    await story.comesToSee(ana, "rebuilds the server", "`metal-2` is reinstalled");
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

test.each([
  ["dedicated", "metal-1"],
  ["vps", "web-2"],
] as const)(
  "a reinstall of the %s %s that was seen to run is in doubt about its end where the platform then shows nothing",
  async (kind, name) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const show = (shown: "in_progress" | null) =>
      platform.change(name, kind === "vps" ? { os_installation_status: shown } : { os_installation: shown });
    const request = await askFor(story, kind, name);
    platform.faults.next({ how: "wrong-shape", method: "POST", path: `/${kind}/{id}/reinstall` });
    await ana.press(request, goAhead);
    await story.sees(ana, "Reinstalling");
    show("in_progress");
    await waits(story, 60);
    show(null);
    await story.passes(() => sees(story, ":grey_question:"), "the end in doubt", 60_000);
    await story.sees(ana, "does not show how the installation of", name, "Check its system before you try again");
    expect(sees(story, "no new installation") || sees(story, "is reinstalled")).toBe(false);
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

test("a reinstall that is complete ends two minutes later where its VPS stays off, and offers the start", async () => {
  const story = await startStory({ linked: ["ana"], pace: 10 });
  const { ana, platform } = story;
  const staysOff = (body: { data: { os_installation_status: string; instance: { state: string } } }) => {
    if (body.data.os_installation_status === "completed") body.data.instance.state = "stopped";
    return body;
  };
  platform.faults.next({ how: { rewrite: Object(staysOff) }, method: "GET", path: "/vps/{id}", times: 10_000 });
  await ana.press(await askToReinstall(story, "web-2"), goAhead);
  await story.comesToSee(ana, ":hourglass_flowing_sand:", "`web-2` is reinstalled with Debian 13, and is stopped");
  const ended = await story.comesToSee(ana, ":white_check_mark:", "`web-2` is reinstalled", "and is stopped");
  expect(said(ended)).toContain("Start");
  expect(said(ended)).not.toContain("Start the machine");
});

test("a snapshot that the list shows one read late is taken, and one that it never shows is gone after two minutes", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  let hidden = 3;
  const late = (body: { data: { snapshots: { name: string }[] } }) => {
    const isHidden = (name: string) => name === "never" || (name === "late" && hidden-- > 0);
    return { ...body, data: { ...body.data, snapshots: body.data.snapshots.filter(({ name }) => !isHidden(name)) } };
  };
  platform.faults.next({ how: { rewrite: Object(late) }, method: "GET", path: "/vps/{id}/snapshots", times: 10_000 });
  await story.ask(ana, "/vps snapshot web-2 name=late", "Taking the snapshot `late`");
  await story.comesToSee(ana, "The snapshot `late` is taken");
  expect(hidden).toBeLessThan(0);
  await story.ask(ana, "/vps snapshot db-1 name=never", "Taking the snapshot `never`");
  await waits(story, 60);
  expect(sees(story, "is gone")).toBe(false);
  await story.comesToSee(ana, "The snapshot `never` is gone");
});
