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
  ["runs at once", "/vps snapshot web-2 name=before", "Taking the snapshot"],
  ["asks first", "/vps cancel web-1", "asks to"],
  ["costs money", "/service option add web-2 option=monitoring quantity=3", "Wanted by"],
  ["is scheduled", "/vps snapshot web-2 name=before in=2h", /[Ss]cheduled for/],
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
  const message = await offered(story, "/vps snapshot web-2 name=before");
  slack.faults.rateLimit("chat.update", 30, 1_000);
  await ana.press(message, takeIt);
  await story.slack.until(() => writes(story).length === 1, "the snapshot");
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
  const message = await offered(story, "/vps snapshot web-2 name=before");
  platform.setScopes(platform.keys.ana, ["read"]);
  await ana.press(message, takeIt);
  await story.sees(ana, "Nothing changed");
  story.clock.skip(30_000);
  await caro.press(message, takeIt);
  await story.sees(caro, `<@${caro.user.id}> took this`);
  expect(writes(story).filter(({ key }) => key === "caro")).toHaveLength(1);
});

/** The ids of the machines that a key wrote to. */
const written = (story: Story) => writes(story).map(({ path }) => path.split("/")[2]);

const places = [
  ["the asker works in", async ({ dave }: Story) => void (await dave.type("/project use staging"))],
  [
    "the channel begins with",
    async (story: Story) => void (await story.ask(story.ana, "/rackbell channel project=staging", /staging/i)),
  ],
] as const;

test.each(places)(
  "a colleague who works in another project acts on the machine of the project that %s",
  async (_, choose) => {
    const story = await startStory({ linked: ["ana", "dave"] });
    const { ana, dave, platform } = story;
    await choose(story);
    await ana.type("/project use default");
    await story.sees(ana, "You now work in the project `Default`");
    await story.ask(dave, "/vps show twin", "Staging");
    const [meant] = platform.calls().flatMap(({ key, path }) => (key === "dave" ? (uuidIn.exec(path)?.[0] ?? []) : []));
    const message = await offered(story, "/vps reboot twin", "in project `Staging`", "address `");
    await story.sees(dave, "I asked", "in project `Staging`");
    const question = await story.pressing(ana, message, takeIt, "in project `Staging`", "Leave it as it is");
    await ana.press(question, "Reboot twin");
    await story.slack.until(() => writes(story).length > 0, "the reboot");
    expect(written(story)).toEqual([meant]);
  },
);

test("a channel's project narrows neither what colleagues are asked to take, nor the answer to which machine is meant", async () => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell channel project=default", /default/i);
  const message = await offered(story, "/vps start worker-1 worker-2 project=all", "worker-1", "worker-2");
  await story.pressing(ana, message, takeIt, /worker-1[\s\S]*worker-2/, /^(?![\s\S]*There is no VPS)/);
  const which = await story.ask(ana, "/vps start worker-1 twin project=all", "Which");
  const [, label = ""] = /"text":"([^"]*twin[^"]*)","emoji"/.exec(JSON.stringify(which.blocks)) ?? [];
  await ana.press(which, label);
  await story.sees(ana, /worker-1[\s\S]*twin/, /^(?![\s\S]*There is no VPS)/);
});

const uuidIn = /(?<=\/vps\/)[0-9a-f]{8}-[0-9a-f-]{27}/;

test.each([
  ["one machine", "/vps reboot worker-1", "shows `worker-1` as `old-worker` now"],
  ["several machines", "/vps start worker-1 web-2", "`worker-1` is now called `old-worker`"],
])("a colleague who takes %s does nothing if one was renamed since", async (_, command, refusal) => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const { ana, platform } = story;
  const message = await offered(story, command, "worker-1");
  platform.change("worker-1", { name: "old-worker" });
  platform.change("web-1", { name: "worker-1" });
  story.clock.skip(3_600_000);
  await story.pressing(ana, message, takeIt, refusal);
  expect(writes(story)).toEqual([]);
});

const many = ["db-2", "worker-2", "web-1", "mail", "cache-1", "worker-1"];

test.each([
  ["each of several machines", `/vps start ${many.map((name) => `${name}.example.test`).join(" ")}`, many],
  ["the filter", "/vps reboot project=staging", ["With the project", "`staging`"]],
  ["all", "/vps reboot all=yes reason=cleaning", ["All of them", "cleaning"]],
])("the message to colleagues names %s, and the one who takes it confirms the list", async (_, command, shown) => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const { ana } = story;
  const message = await offered(story, command, ...shown, "confirms that, before anything runs");
  await story.pressing(ana, message, takeIt, "Only you see this");
  expect(writes(story)).toEqual([]);
});

test("the message to colleagues has a value that is the same as the reason", async () => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const message = await offered(story, "/vps power web-1 action=stop reason=stop", "Why");
  expect(said(message)).toMatch(/action\*\n`stop`/);
});

test("colleagues are not asked about a machine that the asker's key cannot see", async () => {
  const story = await startStory({ linked: ["ana", "dave"] });
  const { dave } = story;
  const refused = await story.ask(dave, "/vps reboot nothing-like-it", "needs the scope");
  await story.pressing(dave, refused, "Ask someone who can…", "You have no VPS called");
  expect(JSON.stringify(dave.sees())).not.toContain("asks somebody");
});
