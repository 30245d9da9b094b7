import { expect, test } from "vitest";
import { type Story, said, startStory } from "../story.ts";

type Outcome = "runs" | "is offered to the member alone" | "is not done, which the member is told" | "does nothing";

const share = [{ is_share: true, is_msg_unfurl: true, author_id: "U0OTHER", text: "vps reboot web-2 force=yes" }];
const profile = { id: "B0OTHER", name: "Other", app_id: "A0OTHER" };
const file = [{ id: "F1", name: "a.png", mimetype: "image/png" }];

/** The fields that Slack's events of messages have beside their text, and what becomes of a command in one. */
const shapes: [how: string, fields: Record<string, unknown>, outcome: Outcome][] = [
  ["typed in Slack", { client_msg_id: "c-1" }, "runs"],
  [
    "typed in Slack, with fields that are null",
    { client_msg_id: "c-1", bot_id: null, app_id: null, edited: null },
    "runs",
  ],
  ["scheduled in Slack, where it bears the proof", { client_msg_id: "c-1", event_ts: "2.000001" }, "runs"],
  ["scheduled in Slack, where it does not", {}, "is offered to the member alone"],
  ["with a file", { subtype: "file_share", files: file, upload: false }, "is offered to the member alone"],
  ["with a file and no subtype, as a mention has it", { files: file }, "is offered to the member alone"],
  [
    "with a file and the proof",
    { subtype: "file_share", files: file, client_msg_id: "c-1" },
    "is offered to the member alone",
  ],
  [
    "sent to the channel as well",
    { subtype: "thread_broadcast", client_msg_id: "c-1" },
    "is offered to the member alone",
  ],
  ["by an old token that shows no app", { client_msg_id: "" }, "is offered to the member alone"],
  ["forwarded with a comment", { client_msg_id: "c-1", attachments: share }, "is not done, which the member is told"],
  ["edited", { client_msg_id: "c-1", edited: { user: "U1", ts: "9.1" } }, "is not done, which the member is told"],
  ["by an app with the member's token", { app_id: "A0OTHER" }, "does nothing"],
  ["by an app, with what looks like the proof", { app_id: "A0OTHER", client_msg_id: "c-1" }, "does nothing"],
  ["by an app with a bot", { app_id: "A0OTHER", bot_id: "B0OTHER", bot_profile: profile }, "does nothing"],
  ["by a bot", { bot_id: "B0OTHER", client_msg_id: "c-1" }, "does nothing"],
  ["by who has a bot's profile", { bot_profile: profile, client_msg_id: "c-1" }, "does nothing"],
  ["by a workflow", { subtype: "bot_message", bot_id: "B0FLOW", username: "Flow" }, "does nothing"],
  ["by an app, with a file", { subtype: "file_share", files: file, app_id: "A0OTHER" }, "does nothing"],
  ["by an app, and edited", { app_id: "A0OTHER", edited: { user: "U1", ts: "9.1" } }, "does nothing"],
  ["by an app, as a share", { app_id: "A0OTHER", attachments: share }, "does nothing"],
  ["as what one does", { subtype: "me_message", client_msg_id: "c-1" }, "does nothing"],
  ["as an entry of Slack's own", { subtype: "channel_topic", client_msg_id: "c-1" }, "does nothing"],
];

const offered = "Slack does not show that you typed this message yourself";
const refused = /I do not act on messages that (were edited|forward another one)/;

function reboots({ platform }: Story): number {
  return platform.calls().filter(({ path, status }) => path.endsWith("/reboot") && status === 200).length;
}

/** Resolves once ana has had an answer in the direct messages: so has what came before, if it gets one. */
async function settle({ ana, passes }: Story): Promise<string> {
  const answers = () => ana.sees("dm").filter((message) => said(message).includes("You act as")).length;
  const before = answers();
  const { channel } = await ana.say("whoami", "dm");
  await passes(() => answers() > before, "an answer in the direct messages");
  return channel;
}

/** Sends a command to the app as an event of this shape. */
async function post(story: Story, where: "#ops" | "dm", text: string, fields: Record<string, unknown>): Promise<void> {
  const { ana, slack, clock } = story;
  const channel = await settle(story);
  // Slack gives no two messages one time.
  clock.skip(1_000);
  const ts = `${Math.floor(clock.now() / 1_000)}.000900`;
  const at = {
    "#ops": { type: "app_mention", channel: slack.channels.ops?.id, text: `<@${slack.botUserId}> ${text}` },
    dm: { type: "message", channel_type: "im", channel, text },
  }[where];
  await slack.sendEvent({ user: ana.user.id, ts, ...at, ...fields });
}

test("a command runs at once only in a message that its author is proven to have typed, in a channel and in the direct messages", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, platform } = story;
  platform.addVps(2 * shapes.length, "machine");
  const shown = (text: string | RegExp) =>
    ["#ops", "dm"].flatMap((where) => ana.sees(where)).filter((message) => said(message).search(text) >= 0).length;
  const outcomes = (): Record<Outcome, number> => ({
    runs: reboots(story),
    "is offered to the member alone": shown(offered),
    "is not done, which the member is told": shown(refused),
    "does nothing": 0,
  });
  const expected = outcomes();
  const sent = shapes.flatMap((shape) => [["#ops", ...shape] as const, ["dm", ...shape] as const]);
  for (const [at, [where, how, fields, outcome]] of sent.entries()) {
    await post(story, where, `vps reboot machine-${String(at + 1).padStart(5, "0")} force=yes`, fields);
    const message = `a message in ${where} that is ${how} ${outcome}`;
    if (outcome !== "does nothing") {
      expected[outcome] += 1;
      await story.passes(() => outcomes()[outcome] === expected[outcome], message);
    }
    await settle(story);
    expect(outcomes(), message).toEqual(expected);
  }
  // A stop ends what was taken.
  await story.restart();
  expect(outcomes()).toEqual(expected);
  expect(ben.sees().map(said).join()).not.toMatch(offered);
});

test("a press of “Run it” runs the command of the message, and the answer replaces the offer", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await post(story, "#ops", "vps reboot web-1 force=yes", { files: file });
  const offer = await story.sees(ana, offered);
  await ana.press(offer, "Run it");
  await story.passes(() => reboots(story) === 1, "the reboot");
  await story.passes(() => !ana.sees().some((one) => said(one).includes(offered)), "the answer in place of the offer");
});

test("an offer whose command asks for more opens its form, and one without a noun finds it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await post(story, "#ops", "vps snapshot web-1", { files: file });
  await ana.press(await story.sees(ana, offered), "Run it");
  await story.modal(ana, "Name of the snapshot");
  await post(story, "dm", "show web-2", { files: file });
  await ana.press(await story.seesIn("dm", ana, offered, "show web-2"), "Run it");
  await story.seesIn("dm", ana, "`web-2`", "is running");
});

test("a secret in a message of unproven authorship is not used, and the member is warned of it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const pasted = `fbk_${"z".repeat(40)}`;
  story.secrets.add(pasted);
  await post(story, "#ops", `link ${pasted}`, { files: file });
  await story.sees(story.ana, "customer key", "did not use it");
});

test("a command that is too long for a button is not cut: the answer asks the member to type it again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const names = Array.from({ length: 500 }, (_, at) => `web-${at}`).join(",");
  await post(story, "#ops", `vps show ${names}`, { files: file });
  expect(said(await story.sees(story.ana, offered, "type it again"))).not.toContain("Run it");
});
