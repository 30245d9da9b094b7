import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { type Story, said, startStory, writes } from "../story.ts";

function acts(story: Story): string[] {
  return writes(story).map(({ path }) => path.split("/").at(-1) ?? "");
}

test("an act that interrupts asks the caller alone, and one press with all that was said does it", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock, passes, platform } = story;
  for (const [typed, act, consequence, sent] of [
    ["/vps reboot web-2", "Reboot web-2", "is interrupted while it restarts", "reboot"],
    ["/vps stop web-1", "Stop web-1", "stays off until it is started", "stop"],
    ["/vps shutdown db-1", "Stop db-1", "stays off until it is started", "stop"],
    ["/vps power mail action=poweroff", "Cut the power of mail", "without a shutdown", "poweroff"],
    ["/service stop worker-1", "Stop worker-1", "stays off until it is started", "stop"],
    ["/service power worker-3 action=restart", "Restart worker-3", "is interrupted while it restarts", "restart"],
    ["/service run plugin-1 action=stop", "Run stop on plugin-1", "stays off until it is started", "stop"],
    ["/dedicated off metal-1", "Switch off metal-1", "stays off until it is switched on", "power"],
    ["/game kill arena-1", "Kill arena-1", "unsaved data is lost", "kill"],
  ] as const) {
    platform.clearCalls();
    // Slack takes one message a second in a channel.
    clock.skip(5_000);
    const question = await story.ask(ana, typed, consequence, "Leave it as it is");
    expect(said(question).split("\n"), typed).toContain(act);
    expect(
      ben.sees().some((message) => said(message).includes(consequence)),
      typed,
    ).toBe(false);
    expect(acts(story), typed).toEqual([]);
    const { confirm } = await ana.press(question, act);
    expect(confirm, typed).toBeUndefined();
    await passes(() => acts(story).length > 0, `the act of ${typed} to be sent`);
    expect(acts(story), typed).toEqual([sent]);
    const isAsked = () => ana.sees().some((message) => said(message).includes(consequence));
    await passes(() => !isAsked(), `the question of ${typed} gone`);
  }
});

test("a member who presses “Leave it as it is” changes nothing, and the question disappears", async () => {
  const story = await startStory({ linked: ["ana"] });
  const question = await story.ask(story.ana, "/vps reboot web-2", "is interrupted");
  await story.ana.press(question, "Leave it as it is");
  await story.slack.until(
    () => !story.ana.sees().some((message) => said(message).includes("is interrupted")),
    "the question gone",
  );
  expect(acts(story)).toEqual([]);
});

test("force=yes skips the press of a reboot, a start runs at once, and a command without such a press refuses it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps reboot web-2 force=yes", "Rebooting");
  await story.ask(ana, "/vps reboot web-1 force=1", "Write force=yes");
  await story.ask(ana, "/vps cancel web-1 force=yes", "don't know force=");
  await story.ask(ana, "/vps start worker-2 force=yes", "don't know force=");
  await story.ask(ana, "/vps power worker-2 action=start", "start");
  expect(acts(story)).toEqual(["reboot", "start"]);
});

test("a card's button asks in its dialog, and not a second time", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const card = await story.ask(ana, "/vps show web-2", "is running");
  const { confirm } = await ana.press(card, "Reboot", { confirm: true });
  expect(confirm).toMatchObject({ title: "Reboot web-2?", confirm: "Reboot web-2", deny: "Leave it as it is" });
  await story.sees(ana, "Rebooting");
  expect(acts(story)).toEqual(["reboot"]);
});

test("/rackbell unlink asks, too", async () => {
  const story = await startStory({ linked: ["ana"] });
  const question = await story.ask(story.ana, "/rackbell unlink", "cancels your open requests");
  await story.ask(story.ana, "/rackbell whoami", "ana");
  await story.pressing(story.ana, question, "Unlink a key", "is erased here");
});

test("a command that asks to confirm refuses what does not exist before it asks, for every command of Rackbell that asks", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, dave } = story;
  const typed: Record<string, [typeof ana, string, string]> = {
    "rackbell members unlink": [ana, `/rackbell members unlink <@${dave.user.id}>`, "has linked no key"],
    "rackbell unlink": [dave, "/rackbell unlink", "You have no such key linked"],
    "rackbell disconnect": [ana, "/rackbell disconnect", "None of it is set"],
    "rackbell saved": [ana, "/rackbell saved nothing remove=yes", "There is no saved command `nothing`"],
  };
  const asking = registry.all.filter(({ api, interrupts }) => api === "app" && interrupts !== null);
  expect(
    asking.map(({ command }) => command).sort(),
    "a command that asks needs a line here, in test/stories/commands/interruptions.test.ts",
  ).toEqual(Object.keys(typed).sort());
  for (const [actor, command, words] of Object.values(typed))
    expect(said(await story.ask(actor, command, words)), command).not.toContain("Leave it as it is");
});
