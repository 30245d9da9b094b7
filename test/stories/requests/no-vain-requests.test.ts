import { expect, test } from "vitest";
import { goAhead, said, startStory, writes } from "../story.ts";

// Nobody is asked to decide on an act that the platform must refuse.

test.each([
  ["/service cancel mailboxes", "mailboxes", { status: "terminated" }, "is terminated, so it cannot be cancelled"],
  ["/service cancel arena-1", "arena-1", { status: "pending" }, "is pending, so it cannot be cancelled"],
  ["/service cancel metal-suspended", "metal-suspended", {}, "is suspended, so it cannot be cancelled"],
  ["/service cancel gone-1", "gone-1", {}, "is terminated, so it cannot be cancelled"],
  ["/service reinstall web-1", "web-1", { status: "suspended" }, "is suspended, so no action on it is possible"],
  ["/service reinstall plugin-1", "plugin-1", { status: "terminated" }, "is terminated, so no action"],
  ["/service restore plugin-1", "plugin-1", { status: "suspended" }, "is suspended, so no action on it is possible"],
  ["/service run plugin-1 action=purge", "plugin-1", { status: "suspended" }, "is suspended, so no action on it"],
  ["/vps reinstall web-1", "web-1", { status: "provisioning_failed" }, "is not built, so no action on it is possible"],
  ["/vps capture web-1 name=x", "web-1", { status: "cancelled" }, "is cancelled, so no action on it is possible"],
  ["/dedicated reinstall metal-1", "metal-1", { status: "provisioning_failed" }, "is not built, so no action"],
  ["/dedicated reinstall metal-suspended", "metal-suspended", {}, "is suspended"],
  ["/dedicated reinstall metal-pending", "metal-pending", {}, "has not built it yet"],
  ["/dedicated reinstall metal-1", "metal-1", { os_installation: "in_progress" }, "is being installed"],
  ["/dedicated password metal-suspended", "metal-suspended", {}, "is suspended"],
  ["/dedicated password metal-pending", "metal-pending", {}, "has not built it yet"],
  ["/dedicated password metal-1", "metal-1", { os_installation: "in_progress" }, "is being installed"],
] as const)(
  "%s of a server that cannot take it is refused before anybody decides",
  async (command, name, patch, words) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform, slack } = story;
    platform.change(name, patch);
    await ana.type(command);
    await slack.until(
      () => [...ana.sees().map(said), JSON.stringify(ana.modal() ?? "")].some((text) => text.includes(words)),
      words,
    );
    expect(ana.sees().some((message) => said(message).includes("asks to"))).toBe(false);
    expect(writes(story)).toEqual([]);
  },
);

test("a bulk cancellation leaves out what has ended, is not built or is cancelled already, and names it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const request = await story.ask(ana, "/vps cancel web-1 web-2 db-2 gone-1 build-1", "For each of 2 VPSes");
  await ana.press(request, "Details…");
  await story.modal(ana, "Left out", "`db-2`, `gone-1` and `build-1`: the platform would refuse them");
  await ana.closeModal();
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "All 2 are done");
  expect(writes(story)).toHaveLength(2);
});

test("an act that would begin at once asks first if it leaves out one of those that were named", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const request = await story.ask(ana, "/vps keep db-2 web-1", "Left out", "`web-1`: the platform would refuse it");
  expect(writes(story)).toEqual([]);
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "`db-2` is done");
});

test("a bulk cancellation of which nothing would be done is refused", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps cancel db-2 gone-1", "would refuse this for all 2", "Nothing was requested");
  expect(writes(story)).toEqual([]);
});

test("a bulk renewal counts neither what is billed by the hour nor what is suspended", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const request = await story.ask(ana, "/service renew web-1 db-1 cache-1 suspended-1", "For each of 2 services");
  expect(said(request)).toContain("`cache-1` and `suspended-1`: the platform would refuse them");
  expect(said(request)).not.toContain("does not name the price");
});
