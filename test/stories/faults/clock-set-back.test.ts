import { expect, test } from "vitest";
import { cards, read } from "../polled.ts";
import { type Story, said, startStory } from "../story.ts";

test.each([
  ["breaks down", (story: Story) => story.slack.faults.fail("conversations.info", "internal_error", 9)],
  ["answers 500", (story: Story) => story.slack.faults.failHttp("conversations.info", 500, 9)],
  ["cuts the line", (story: Story) => story.slack.faults.reset("conversations.info", 9)],
  ["asks to slow down", (story: Story) => story.slack.faults.rateLimit("conversations.info", 30, 9)],
])(
  "when Slack %s over who reads a channel, nothing is posted in it, and the member gets the answer privately",
  async (_, set) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, ben, slack, clock } = story;
    clock.skip(10 * 60_000); // what was known of the channel is forgotten
    set(story);
    await ana.type("/vps reboot web-1 force=yes", "#shared-partner");
    await story.seesIn("#shared-partner", ana, "ebooting");
    expect(ben.sees("#shared-partner").map(said)).toEqual([]);
    expect(story.zed.sees("#shared-partner").map(said)).toEqual([]);
    slack.faults.clear();
  },
);

test("a clock that is set back an hour silences no channel", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, clock } = story;
  // As many as Slack takes at once: what comes after waits for its turn.
  for (const name of ["web-1", "web-2", "worker-3"]) await story.ask(ana, `/vps reboot ${name} force=yes`, "ebooting");
  clock.adjust(-60 * 60_000);
  await ana.type("/vps snapshot web-2 name=after");
  await story.comesToSee(ben, "after");
});

test("a clock that is set back an hour holds up nothing that is followed, and nothing that is being found out", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, clock, platform } = story;
  const isShown = (text: string) => ben.sees().some((message) => said(message).includes(text));
  await story.ask(ana, "/vps snapshot web-2 name=after", "Taking the snapshot");
  platform.faults.next({ how: "500", method: "POST", path: "/vps/{id}/snapshots" });
  await story.ask(ana, "/vps snapshot worker-3 name=lost", "The outcome is unknown");
  clock.adjust(-60 * 60_000);
  await story.passes(() => isShown("The snapshot `after` is taken"), "the end of the progress");
  await story.passes(() => isShown("It was not done"), "the known outcome");
});

test("a clock that is set back three days ends neither polling nor the watches of members", async () => {
  const story = await read();
  const { ana, clock, platform } = story;
  for (const name of ["web-1", "web-2"]) await story.ask(ana, `/rackbell watch vps ${name}`, "I watch");
  clock.adjust(-3 * 24 * 60 * 60_000);
  platform.change("mail", { status: "suspended" });
  for (const name of ["web-1", "web-2"]) platform.change(name, { instance: { state: "stopped" } });
  const isShown = (text: string) => ana.sees("dm").some((message) => said(message).includes(text));
  await story.passes(() => cards(story, "`mail.example.test` is suspended")[0], "the alert");
  for (const name of ["web-1", "web-2"])
    await story.passes(() => isShown(`\`${name}\` is *stopped*`), `the message about ${name}`);
});
