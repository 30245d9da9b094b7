import { expect, test } from "vitest";
import { type Actor, fileStore, goAhead, type Message, peer, type Story, said, startStory } from "../story.ts";

/** An incident: a thread under a message of ben's, in which somebody has answered. */
async function incident({ ben }: Pick<Story, "ben">, channel = "#ops"): Promise<string> {
  const { ts } = await ben.say("web-1 does not answer", channel);
  await ben.say("I look", channel, ts);
  return ts;
}

/** Waits until the app has handled all events of Slack: sends another command, and stops the app. */
async function settle(story: Story): Promise<void> {
  await story.ana.say("@Rackbell whoami", "#ops");
  await story.sees(story.ana, "You act as");
  await story.restart();
}

function reboots({ platform }: Pick<Story, "platform">): unknown[] {
  return platform.calls().filter(({ path, status }) => path.endsWith("/reboot") && status === 200);
}

function inThread(actor: Actor, thread: string, channel = "#ops"): Message[] {
  return actor.sees(channel).filter((message) => message.thread_ts === thread);
}

/** The event of a mention by ana in #ops, as Slack sends it. */
function mentionOf({ ana, slack }: Story, ts: string, command: string) {
  const text = `<@${slack.botUserId}> ${command}`;
  return { type: "app_mention", user: ana.user.id, channel: slack.channels.ops?.id, ts, text, client_msg_id: "1" };
}

test.each(["socket", "http"] as const)(
  "in a thread a mention is a command, answered there to its author alone (%s)",
  async (mode) => {
    const story = await startStory({ linked: ["ana"], mode });
    const { ana, ben } = story;
    const thread = await incident(story);
    await ana.say("@Rackbell vps show web-1", "#ops", thread);
    const card = await story.sees(ana, "is running");
    expect(card).toMatchObject({ ephemeralTo: ana.user.id, thread_ts: thread });
    expect(inThread(ben, thread).map(said)).not.toContainEqual(expect.stringContaining("is running"));
  },
);

test("a card that a member shows to all from a thread is posted in that thread", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  const thread = await incident(story);
  await ana.say("@Rackbell vps show web-1", "#ops", thread);
  const card = await story.sees(ana, "is running");
  await ana.press(card, "Show here");
  expect(await story.sees(ben, "shows", "is running")).toMatchObject({ thread_ts: thread });
});

test("a verb without a noun takes the noun of the machine that it names", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const thread = await incident(story);
  await ana.say("@Rackbell: reboot web-1", "#ops", thread);
  const question = await story.sees(ana, "Reboot", "is interrupted");
  expect(question).toMatchObject({ ephemeralTo: ana.user.id, thread_ts: thread });
  await ana.press(question, { actionId: "invoke:confirmed" });
  expect(await story.sees(story.ben, "ebooting")).toMatchObject({ thread_ts: thread });
  const reply = await story.passes(
    () => inThread(story.ben, thread).find((message) => said(message).includes("is running again")),
    "the reboot to end",
  );
  expect(reply.thread_ts).toBe(thread);
});

test("outside of a thread a mention is answered as a slash command is", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  await ana.say("@Rackbell start web-2", "#ops");
  const answer = await story.sees(ben, "web-2");
  expect(answer.thread_ts).toBeUndefined();
});

test("a cancellation in a thread is requested, approved and completed in that thread alone", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  const thread = await incident(story);
  await ana.say("@Rackbell cancel web-2 immediate=no", "#ops", thread);
  const request = await story.sees(ben, "asks", "web-2");
  expect(request).toMatchObject({ thread_ts: thread });
  await ben.press(request, { actionId: goAhead });
  // An edit waits for its turn in the channel.
  await story.passes(() => inThread(ben, thread).some((one) => said(one).includes(":white_check_mark:")), "its end");
  expect(platform.findVps("web-2").cancellation).not.toBeNull();
  expect(ben.sees().filter((message) => said(message).includes("web-2") && message.thread_ts !== thread)).toEqual([]);
});

test("three machines are rebooted in one approved request, in the thread in which their names stand", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const thread = await incident(story);
  await ana.say("@Rackbell reboot web-1 web-2 worker-3", "#ops", thread);
  const request = await story.sees(ana, "3 VPSes");
  expect(request).toMatchObject({ thread_ts: thread });
  await ana.press(request, { actionId: goAhead });
  await story.passes(() => reboots(story).length === 3, "the three reboots");
  await story.passes(
    () => inThread(story.ben, thread).some((one) => said(one).includes("All 3 are done")),
    "their end",
  );
  expect(story.ben.sees().filter((one) => said(one).includes("web-2") && one.thread_ts !== thread)).toEqual([]);
});

test("of three machines that a thread asks for one refuses: the thread says of which request, and points to no other place", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const thread = await incident(story);
  const busy = { success: false, code: "CONFLICT", error: "The machine is busy" };
  platform.faults.next({ how: { status: 409, body: busy }, method: "POST", path: "/vps/{id}/reboot" });
  await ana.say("@Rackbell reboot web-1 web-2 worker-3", "#ops", thread);
  const request = await story.sees(ana, "3 VPSes");
  await ana.press(request, { actionId: goAhead });
  const says = (words: string) => inThread(ana, thread).some((one) => said(one).includes(words));
  await story.passes(() => says("2 of 3 were done and 1 failed."), "the end");
  await story.passes(() => !ana.sees().some(({ ts }) => ts === request.ts), "the private question to go");
});

test("a reinstall that is requested in a thread reports its end there, in one message, across a restart", async () => {
  const story = await startStory({
    linked: ["ana", "ben"],
    environment: { APPROVALS: "peer", STORE_URL: fileStore() },
  });
  const { ana, ben, slack } = story;
  const thread = await incident(story);
  await ana.say('@Rackbell vps reinstall web-1 image="Debian 13"', "#ops", thread);
  const request = await story.sees(ben, "asks", "web-1");
  await story.restart();
  await ben.press(request, { actionId: goAhead });
  const ends = () =>
    inThread(ben, thread).filter((one) => said(one).includes(`<@${ana.user.id}>`) && one.ts !== request.ts);
  // The end of what takes longer than a glance is a reply of its own, in the same thread.
  await story.passes(() => ends().some((one) => said(one).includes("It took")), "the end");
  // Its card, and that ben approved it, since it took longer than a minute.
  const named = inThread(ben, thread).filter((one) => said(one).includes("Reinstall `web-1`"));
  expect(named.filter((one) => !said(one).includes("approved your request"))).toHaveLength(1);
  expect(slack.calls("chat.postMessage").filter(({ outcome }) => outcome !== "ok")).toEqual([]);
});

test("a capture in a thread asks its author alone there, and its result is posted in the thread", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  const thread = await incident(story);
  await ana.say("@Rackbell capture web-1 name=before", "#ops", thread);
  const question = await story.sees(ana, "Only you see this");
  expect(question).toMatchObject({ ephemeralTo: ana.user.id, thread_ts: thread });
  await ana.press(question, { actionId: goAhead });
  expect(await story.sees(ben, "Capturing", "before")).toMatchObject({ thread_ts: thread });
});

test("a name that means things of two kinds is asked about, and the press of one goes on with it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { name: "metal-1" });
  await ana.say("@Rackbell show metal-1", "#ops");
  const question = await story.sees(ana, "has more than one match");
  await ana.press(question, { actionId: "invoke:pick:0" });
  await story.sees(ana, /`metal-1`.* is (running|on)/);
});

test("a verb that several nouns have asks which command is meant, and runs it at a press", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.say("@Rackbell list", "#ops");
  const question = await story.sees(ana, "Several commands match");
  await ana.press(question, "/vps list");
  await story.sees(ana, "web-1", "worker-3");
});

test("a stop without a noun means the VPS while the reseller account is not connected", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.link(story.ana, story.platform.reseller.keys.ana.key);
  await story.ana.say("@Rackbell stop web-1", "#ops");
  await story.sees(story.ana, "Stop", "stays off until it is started");
});

test("a name that no resource has is refused, and similar names are offered", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.say("@Rackbell reboot nothing-like-it-at-all", "#ops");
  await story.sees(ana, "You have nothing called", "for the command `reboot`", "/rackbell help", "Nothing was done");
  await ana.say("@Rackbell show web-", "#ops");
  await story.sees(ana, "You have nothing called `web-`", "Which one is meant?");
});

test("a word alone that is no command and no resource is answered with the ways to find both", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const answer = await story.ask(
    ana,
    "/rackbell version",
    "I don't know `version`",
    "/rackbell help",
    "Nothing was done",
  );
  expect(said(answer)).toContain("/rackbell search");
  await story.ask(ana, "/rackbell show version", "You have nothing called `version` for the command `show`");
});

test("without a key the first thing that is said is how to link one", async () => {
  const story = await startStory();
  await story.ben.say("@Rackbell reboot web-1", "#ops");
  await story.sees(story.ben, "You have not linked a key yet");
});

test("a secret in a mention is not used, and its author alone is warned to revoke it and to delete the message", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, log } = story;
  const pasted = `fbk_${"z".repeat(40)}`;
  const thread = await incident(story);
  await ana.say(`@Rackbell link ${pasted}`, "#ops", thread);
  const warned = await story.sees(ana, "customer key", "did not use it", "Revoke", "Delete your message");
  expect(warned).toMatchObject({ ephemeralTo: ana.user.id, thread_ts: thread });
  expect(JSON.stringify(warned)).not.toContain(pasted);
  expect(log.join("")).not.toContain(pasted);
});

test("a secret is warned of even if the mention comes after it", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ana.say(`use fbk_${"z".repeat(40)} for it, @Rackbell`, "#ops");
  await story.sees(story.ana, "customer key", "Revoke");
});

/** Events that must count for nothing: how each differs from one that counts. The file of unproven authors has those of bots and apps. */
const notCounted = [
  { text: "please ask <@BOT> reboot web-1" },
  { text: "&gt; <@BOT> reboot web-2" },
  { text: "", attachments: [{ is_share: true, text: "<@BOT> reboot mail force=yes" }] },
  { text: "<@U0OTHER> reboot db-1 force=yes" },
];

test("a mention that comes later, is quoted or forwarded, or is of somebody else does nothing and is not answered", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock } = story;
  const before = ana.sees().length;
  for (const [at, different] of notCounted.entries()) {
    const event = { ...mentionOf(story, `${Math.floor(clock.now() / 1_000)}.00090${at}`, ""), ...different };
    await slack.sendEvent(JSON.parse(JSON.stringify(event).replaceAll("BOT", slack.botUserId)));
  }
  await settle(story);
  const seen = ana.sees().slice(before).map(said);
  expect(seen).toEqual([expect.stringContaining("whoami"), expect.stringContaining("You act as")]);
  expect(reboots(story)).toEqual([]);
});

test("a mention that is edited runs nothing, and its author reads so once, however often Slack delivers the edit", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const typed = await ana.say("@Rackbell rebot web-1", "#ops");
  await story.sees(ana, "I don't know “rebot”", "/rackbell reboot");
  slack.faults.repeatEvents();
  await ana.edit(typed, "@Rackbell reboot web-1 force=yes");
  await story.sees(ana, "I do not act on messages that were edited");
  await settle(story);
  expect(reboots(story)).toEqual([]);
  expect(ana.sees().filter((message) => said(message).includes("that were edited"))).toHaveLength(1);
});

test("a mention that Slack delivers several times runs once", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  slack.faults.repeatEvents();
  const { ts } = await ana.say("@Rackbell show web-1", "#ops");
  await story.sees(ana, "is running");
  await slack.sendEvent(mentionOf(story, ts, "show web-1"));
  await settle(story);
  expect(ana.sees().filter((message) => said(message).includes("is running"))).toHaveLength(1);
});

test("a mention that Slack delivers late does not run, and its author reads so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock } = story;
  const ts = `${Math.floor(clock.now() / 1_000)}.000900`;
  clock.skip(61_000);
  await slack.sendEvent(mentionOf(story, ts, "reboot web-1 force=yes"));
  await story.sees(ana, "late, so I did not act", "Nothing was done");
  expect(reboots(story)).toEqual([]);
});

test("in a channel that another organisation reads, nothing is posted in the thread", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, zed } = story;
  const thread = await incident(story, "#shared-partner");
  const before = zed.sees("#shared-partner").length;
  await ana.say("@Rackbell reboot web-1 force=yes", "#shared-partner", thread);
  await story.seesIn("#shared-partner", ana, "Another organisation reads", "ebooting");
  expect(zed.sees("#shared-partner")).toHaveLength(before + 1);
});

test("a reboot's result goes to the requester's direct messages if the app leaves the channel before the press", async () => {
  const story = await startStory({ linked: ["ana"], slackRefuses: ["not_in_channel"] });
  const { ana, slack } = story;
  const thread = await incident(story);
  await ana.say("@Rackbell reboot web-1", "#ops", thread);
  const question = await story.sees(ana, "Reboot", "is interrupted");
  slack.kick("ops", "rackbell");
  await ana.press(question, { actionId: "invoke:confirmed" });
  await story.seesIn("dm", ana, "ebooting", "web-1");
  expect(reboots(story)).toHaveLength(1);
  await story.comesToSeeIn("dm", ana, "is running again");
});

test("an answer goes to the direct messages if the app has left the channel", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const thread = await incident(story);
  slack.faults.fail("chat.postEphemeral", "not_in_channel", 1);
  await ana.say("@Rackbell vps show web-1", "#ops", thread);
  await story.seesIn("dm", ana, "is running");
});
