import { expect, test } from "vitest";
import { said, startStory } from "../story.ts";

test("alerts are called unmuted only if they are: the answer names the mutes that go on, with a button to end each", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts mute web-1 hours=0", "Alerts about `web-1` were not muted. Nothing changed.");
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#ops hours=4", "are muted in <#");
  const other = await story.ask(
    ana,
    "/rackbell alerts mute Web-1 hours=0",
    "There is no such mute",
    "`web-1` are muted",
  );
  await story.pressing(ana, other, "Unmute", "Alerts about `web-1` in <#", "are no longer muted.");

  await story.ask(ana, "/rackbell alerts mute hours=4", "All alerts are muted in all channels");
  await story.ask(ana, "/rackbell alerts mute acme-bakery hours=4", "are muted in all channels");
  const covered = await story.ask(
    ana,
    "/rackbell alerts mute acme-bakery hours=0",
    "That mute has ended. Others of the same alerts go on:",
    "All alerts are muted in all channels",
  );
  expect(said(covered)).not.toContain("acme-bakery");
  await story.pressing(ana, covered, "Unmute", "Alerts are no longer muted.");
  await story.ask(ana, "/rackbell alerts mute web-2 hours=1", "are muted");
  await story.ask(ana, "/rackbell alerts mute web-1 hours=0", "Alerts about `web-1` were not muted.");
});

test("0 hours end a mute also where its form has an end in it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts mute hours=4", "All alerts are muted");
  await ana.press(await story.ask(ana, "/rackbell alerts", "All alerts are muted"), "Change…");
  await story.modal(ana, "0 ends the silence");
  await ana.fill({ Hours: "0" });
  await ana.submit();
  await story.sees(ana, "Alerts are no longer muted.");
});

test("an hour of a digest that was typed twice is one hour", async () => {
  const story = await startStory({ linked: ["ana"] });
  const answer = await story.ask(story.ana, "/rackbell alerts mode #ops how=digest hours=8,8,17", "each day at");
  expect(said(answer).match(/<!date\^\d+\^\{time\}/g)).toHaveLength(2);
});

test("a mute can be ended in a channel that Rackbell has left", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#general hours=4", "muted in <#");
  slack.kick("general", "rackbell");
  story.clock.skip(20 * 60_000);
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#general hours=4", "Nothing was set");
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#general hours=0", "are no longer muted.");
});
