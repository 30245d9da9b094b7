import { expect, test } from "vitest";
import { backOut, goAhead, said, startStory, writes } from "../story.ts";

/** A text that looks like a customer key and is none. */
const pasted = `fbk_${"z".repeat(40)}`;

test("a direct message to the app is a command, with or without a slash, and the answer is a direct message", async () => {
  const { ana, seesIn, pressing } = await startStory({ linked: ["ana"] });
  await ana.say("vps list", "dm");
  const list = await seesIn("dm", ana, "web-1");
  expect(list.ephemeralTo).toBeUndefined();
  expect(said(list)).not.toContain("Show to channel");
  await ana.say("/vps show web-1", "dm");
  await seesIn("dm", ana, "is running");
  // A command of Rackbell itself needs no noun.
  const { ts } = await ana.say("whoami", "dm");
  await seesIn("dm", ana, "You act as");
  await ana.say("vps show web-2", "dm", ts);
  expect(await seesIn("dm", ana, "*`web-2`* is running")).toMatchObject({ thread_ts: ts });
  await ana.say("good morning", "dm");
  const answer = await seesIn("dm", ana, "I don't know “good”");
  await pressing(ana, answer, "What can I do?", "/vps");
});

test("a direct message with a command that needs more is answered with a button to its form", async () => {
  const { ana, seesIn, modal } = await startStory();
  await ana.say("link", "dm");
  const offer = await seesIn("dm", ana, "Press to open it");
  await ana.press(offer, { actionId: "invoke:rackbell link" });
  await modal(ana, "API key");
});

test("a key that is pasted as a direct message is not used: the answer says to revoke it and to delete the message", async () => {
  const { ana, slack, log, seesIn } = await startStory();
  await ana.say(pasted, "dm");
  const warned = await seesIn("dm", ana, "customer key", "did not use it", "Revoke", "Delete your message");
  expect(JSON.stringify(warned)).not.toContain(pasted);
  await ana.say("whoami", "dm");
  await seesIn("dm", ana, "not linked");
  expect(log.join("")).not.toContain(pasted);
  expect(slack.calls().filter(({ args }) => JSON.stringify(args).includes(pasted))).toEqual([]);
});

test("a direct message that Slack delivers twice runs once, and the app's own messages and edited ones are no commands", async () => {
  const { ana, slack, seesIn, restart } = await startStory({ linked: ["ana"] });
  const text = "vps show web-1";
  const { ts } = await ana.say(text, "dm");
  const { channel } = await seesIn("dm", ana, "is running");
  const about = { type: "message", channel_type: "im", channel };
  await slack.sendEvent({ ...about, user: ana.user.id, text, ts, client_msg_id: "1" });
  await slack.sendEvent({ ...about, user: slack.botUserId, bot_id: slack.botId, text: "vps list", ts: "1.000001" });
  const edited = { user: ana.user.id, text: "vps list", ts: "1.000002" };
  await slack.sendEvent({ ...about, subtype: "message_changed", ts: "1.000003", message: edited });
  await ana.say("whoami", "dm");
  await seesIn("dm", ana, "You act as");
  // A stop ends what was taken.
  await restart();
  expect(ana.sees("dm")).toHaveLength(4);
  expect(slack.calls("chat.postEphemeral")).toEqual([]);
});

test("a list of machines that is too long for a command is not cut: none of them is rebooted, and the next command is answered", async () => {
  const { ana, platform, seesIn, ask, restart } = await startStory({ linked: ["ana"] });
  const machines = ["web-1", ...Array.from({ length: 600 }, (_, at) => `web-${at}`)].join(",");
  await ana.say(`vps reboot ${machines} force=yes`, "dm");
  await seesIn("dm", ana, "at most 4,000");
  await ask(ana, `/vps reboot ${machines} force=yes`, "at most 4,000");
  await ana.say(`@Rackbell reboot ${machines} force=yes`, "#ops");
  // Zero-width joiners count.
  await ana.say(`é${"\u200d".repeat(39_000)}`, "dm");
  await seesIn("dm", ana, "39,001 characters", "at most 4,000", "Nothing was done");
  await ana.say("vps show web-1", "dm");
  await seesIn("dm", ana, "is running");
  await restart();
  expect(writes({ platform })).toEqual([]);
});

test("a guest's direct message runs nothing", async () => {
  const { gus, platform, seesIn } = await startStory();
  await gus.say("vps list", "dm");
  await seesIn("dm", gus, "Guests");
  expect(platform.calls().filter(({ path }) => path.includes("/vps"))).toEqual([]);
});

test("a cancellation in the direct messages is a request first, and the requester can withdraw it", async () => {
  const { ana, platform, seesIn } = await startStory({ linked: ["ana"] });
  await ana.say("vps cancel web-2 immediate=no", "dm");
  const copy = await seesIn("dm", ana, "web-2");
  const request = await seesIn("dm", ana, /ends|end of/i);
  expect([copy, request].some((message) => JSON.stringify(message).includes(goAhead))).toBe(true);
  await ana.press(request, { actionId: backOut });
  expect(platform.findVps("web-2").status).toBe("active");
});

test("a slash command is answered to its author alone between two people, and by a message that stays in the app's own", async () => {
  const { ana, ben, slack, askIn } = await startStory({ linked: ["ana"] });
  const between = slack.between("ana", "ben");
  expect(await askIn(between, ana, "/vps show web-1", "is running")).toMatchObject({ ephemeralTo: ana.user.id });
  expect(ben.sees(between)).toEqual([]);
  expect((await askIn("dm", ana, "/vps show web-1", "is running")).ephemeralTo).toBeUndefined();
});
