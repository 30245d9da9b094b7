import { expect, test } from "vitest";
import { type Actor, type Message, type Story, said, startStory, writes } from "../story.ts";

const takeIt = "Take it…";

/** Dave, whose key only reads, asks colleagues. Resolves with the message that they see. */
async function offered(story: Story, command: string, ...texts: string[]): Promise<Message> {
  const { ana, dave } = story;
  const refused = await story.ask(dave, command, "needs the scope");
  await dave.press(refused, "Ask someone who can…");
  return story.sees(ana, "asks somebody to", ...texts);
}

/** Presses an old copy of the message, which Slack may show for hours. */
async function pressesOldCopy(story: Story, actor: Actor, message: Message, ...texts: (string | RegExp)[]) {
  // A double press within seconds has a refusal of its own.
  story.clock.skip(30_000);
  await actor.press(message, takeIt);
  return story.sees(actor, ...texts);
}

const takes = [
  ["runs at once", "/vps reboot web-1", "Rebooting `web-1`"],
  ["asks first", "/vps cancel web-1", "asks to"],
  ["costs money", "/service option add web-2 option=monitoring quantity=3", "Wanted by"],
  ["is scheduled", "/vps reboot web-1 in=2h", /[Ss]cheduled for/],
  ["is for several machines", "/vps start web-1 web-2", "2 VPS"],
] as const;

test.each(takes)(
  "an act that %s is taken by one colleague: an old copy of the message says who",
  async (_, command, begun) => {
    const story = await startStory({ linked: ["ana", "caro", "dave"] });
    const { ana, caro } = story;
    const message = await offered(story, command);
    await ana.press(message, takeIt);
    await story.sees(ana, begun);
    await story.sees(caro, `<@${ana.user.id}> took this <!date^`);
    const before = [story.requests.size, writes(story).length];
    for (const actor of [caro, ana])
      await pressesOldCopy(story, actor, message, `<@${ana.user.id}> took this <!date^`, "nothing was done twice");
    expect([story.requests.size, writes(story).length]).toEqual(before);
  },
);

test("a message whose edit Slack delays is taken by one colleague", async () => {
  const story = await startStory({ linked: ["ana", "caro", "dave"] });
  const { ana, caro, slack } = story;
  const message = await offered(story, "/vps reboot web-1");
  slack.faults.rateLimit("chat.update", 30, 1_000);
  await ana.press(message, takeIt);
  await story.slack.until(() => writes(story).length === 1, "the reboot");
  const shown = caro.sees().find(({ ts }) => ts === message.ts);
  expect(said(shown ?? message)).toContain(takeIt);
  await pressesOldCopy(story, caro, message, `<@${ana.user.id}> took this`, "nothing was done twice");
  expect(writes(story)).toHaveLength(1);
  slack.faults.clear();
});

test("of two colleagues who take the same in one moment, one begins it", async () => {
  const story = await startStory({ linked: ["ana", "caro", "dave"] });
  const { ana, caro } = story;
  const message = await offered(story, "/vps cancel web-1");
  await Promise.all([ana.press(message, takeIt), caro.press(message, takeIt)]);
  await story.slack.until(
    () => [ana, caro].some((actor) => actor.sees().some((one) => /nothing (new )?was/.test(said(one)))),
    "one of them to be refused",
  );
  await story.sees(caro, "asks to");
  expect(caro.sees().filter((one) => said(one).includes("asks to"))).toHaveLength(1);
});

test("an act that the platform refused can be taken by the next colleague", async () => {
  const story = await startStory({ linked: ["ana", "caro", "dave"] });
  const { ana, caro, platform } = story;
  const message = await offered(story, "/vps reboot web-1");
  platform.setScopes(platform.keys.ana, ["read"]);
  await ana.press(message, takeIt);
  await story.sees(ana, "Nothing changed");
  story.clock.skip(30_000);
  await caro.press(message, takeIt);
  await story.sees(caro, "Rebooting `web-1`");
  await story.sees(caro, `<@${caro.user.id}> took this`);
  expect(writes(story).filter(({ key }) => key === "caro")).toHaveLength(1);
});
