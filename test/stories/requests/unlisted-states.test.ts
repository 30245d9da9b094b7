import { describe, expect, test } from "vitest";
import { operations } from "../../../src/operations/index.ts";
import { sellsOn } from "../../examples.ts";
import { carryPrepared, isPrepared, prepareFor, startFor } from "../carrying.ts";
import { backOut, goAhead, type Story, said, startStory, writes } from "../story.ts";

// The platform shows a state that its spec does not list. It may be as good as active, or forbid everything: reads go on, and nothing is done
// before its requester has read that Rackbell does not know the state.

/** Each operation that changes a resource of a kind with states. */
const acts = operations.filter(
  ({ risk, api, target }) => api !== "app" && risk !== "read" && (target?.states.length ?? 0) > 0,
);

const unknown = "Rackbell does not know the state “locked” of `";

/** The practice platform shows the copies of an active VPS alone (reseller spec section 4.3), so that nothing can be decided on. */
const refused = ["/reseller service restore", "/reseller service backup delete"];

/** Puts all that has a state into one that no spec lists. */
function lockAll({ platform }: Story): void {
  for (const [id, { billing }] of platform.conditions())
    if (billing !== undefined && billing !== "terminated") platform.change(id, { status: "locked" });
  platform.changeImage("golden-web", { status: "locked" });
}

async function checkAct(story: Story, typed: string): Promise<void> {
  const { ana } = story;
  const before = writes(story).length;
  const known = new Set(story.requests.keys());
  if (refused.some((command) => typed.startsWith(command))) {
    await story.ask(ana, typed, "The service is locked");
    return expect(writes(story)).toHaveLength(before);
  }
  const card = await carryPrepared(story, typed, goAhead);
  expect.soft(said(card), typed).toContain(unknown);
  expect.soft(writes(story).length, `${typed} was sent before its decision`).toBe(before);
  await ana.press(card, backOut);
  const isOver = () => [...story.requests.values()].every(({ id, state }) => known.has(id) || state === "withdrawn");
  await story.slack.until(isOver, `${typed} to be withdrawn`);
}

describe("an act on a resource whose state no spec lists is a request that says so, whoever typed what", () => {
  const typed = acts.map(({ example }) => example);
  const unprepared = typed.filter((line) => !isPrepared(line));

  test.each([
    ["customer", unprepared.filter((line) => !sellsOn(line))],
    ["reseller", unprepared.filter(sellsOn)],
  ])("each of the commands of the %s API", async (_, lines) => {
    const story = await startFor(lines[0] ?? "", { environment: {} });
    lockAll(story);
    for (const line of lines) {
      await checkAct(story, line);
      story.clock.skip(5_000);
    }
  });

  test.each(typed.filter(isPrepared))("%s", async (line) => {
    const story = await startFor(line, { environment: {} });
    await prepareFor(story, line);
    lockAll(story);
    await checkAct(story, line);
  });
});

test("a decision ends when such a state appears after it, or goes: whoever decided had read of another one", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [typed, then, since] of [
    ["/vps cancel web-1 immediate=yes", "active", "locked"],
    ["/vps cancel web-2 immediate=yes", "locked", "active"],
    ["/vps stop web-2", "locked", "active"],
  ] as const) {
    const [, , name = ""] = typed.split(" ");
    platform.change(name, { status: then });
    const card = await story.ask(ana, typed, then === "locked" ? unknown : "asks to");
    platform.change(name, { status: since });
    await story.pressing(ana, card, goAhead, "State that Rackbell does not know", "changed", "Nothing was done");
  }
  expect(writes(story)).toEqual([]);
});

test("an old button and a word that skips the usual question skip no question about a state that no spec lists", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const before = await story.ask(ana, "/vps show web-1", "is running");
  platform.change("web-1", { status: "locked" });
  await story.pressing(ana, before, "Stop", unknown, "Everything that runs on the machine stops");
  await story.ask(ana, "/vps reboot web-1 force=yes", unknown);
  expect(writes(story)).toEqual([]);
});

test("an act in such a state is sent once after its requester confirmed it, and a lost answer is not called done or undone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-1", { status: "locked" });
  await story.pressing(ana, await story.ask(ana, "/vps start web-1", unknown), goAhead, "`web-1`");
  expect(writes(story)).toHaveLength(1);
  platform.change("web-2", { status: "locked" });
  const card = await story.ask(ana, "/vps cancel web-2", "at a time that the platform does not say, perhaps at once");
  platform.faults.next({ how: "reset", method: "DELETE", path: "/vps/{id}" });
  await story.pressing(ana, card, goAhead, "checking the outcome");
  await story.comesToSee(ana, "does not show whether `web-2` is cancelled");
});

test("a request for several names those in such a state, and leaves alone one that comes into it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-1", { status: "locked" });
  const card = await story.ask(
    ana,
    "/vps stop web-1 web-2",
    "In the state “locked”, which Rackbell does not know, so the platform may refuse this or do more than Rackbell says: `web-1`.",
  );
  expect(writes(story)).toEqual([]);
  platform.change("web-2", { status: "locked" });
  await ana.press(card, goAhead);
  await story.comesToSee(ana, "State that Rackbell does not know", "left as it is");
  expect(writes(story).map(({ path }) => path)).toEqual([expect.stringContaining(platform.find("web-1").id)]);
});

test("a scheduled act is not done on a machine that came into such a state meanwhile", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/vps reboot web-1 in=2h force=yes", "scheduled");
  platform.change("web-1", { status: "locked" });
  await story.comesToSee(ana, "State that Rackbell does not know");
  expect(writes(story)).toEqual([]);
});

test("a card shows a state that no spec lists with all that is read, offers no act, and says that one can be typed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [typed, name, patch] of [
    ["/vps show web-1", "web-1", { status: "locked" }],
    ["/vps show web-2", "web-2", { instance: { state: "locked" } }],
    ["/dedicated show metal-1", "metal-1", { status: "locked" }],
    ["/service show mail", "mail", { status: "locked" }],
  ] as const) {
    platform.change(name, patch);
    const card = said(
      await story.ask(ana, typed, ":grey_question:", "You can still type one: Rackbell then asks first."),
    );
    expect(card, typed).toContain(`*\`${name}\`* is locked`);
    expect(card, typed).not.toMatch(/^(Start|Stop|Reboot|Restart|Switch o|Reinstall|New password|Cancel|Renew)/m);
  }
});
