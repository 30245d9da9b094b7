import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { billOf, payCalls } from "../ordering.ts";
import { fileStore, goAhead, type Message, type Story, said, startStory } from "../story.ts";

/** The messages that stay, in the channel and in direct messages, about web-2. */
function cards({ slack }: Story): string[] {
  return Object.values(slack.state().channels)
    .flat()
    .filter((message) => message.thread_ts === undefined)
    .map(said)
    .filter((text) => text.includes("web-2"));
}

test("a card of an unclear change that Slack posted without an answer says in the end that it was not done", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  story.platform.faults.next({ how: "500", method: "POST", path: "/vps/{id}/snapshots" });
  await snapshotPostedUnheard(story);
  story.slack.faults.failHttp("conversations.history", 503, 3);
  await story.restart();
  story.clock.skip(5 * 60_000);
  await story.passes(() => cards(story).some((text) => text.includes("It was not done")), "the truth");
  expect(cards(story)).toHaveLength(1);
});

test("a message that Slack posted to direct messages without an answer stays there, when the channel is not known", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock } = story;
  await story.ask(ana, "/vps show web-2", "is running");
  clock.skip(2 * 60_000);
  slack.faults.failHttp("conversations.info", 503, 3);
  await snapshotPostedUnheard(story);
  await story.passes(() => cards(story).some((text) => text.includes("is taken")), "its end");
  expect(cards(story)).toHaveLength(1);
});

/** Asks for a snapshot whose card Slack posts without an answer. */
async function snapshotPostedUnheard(story: Story): Promise<void> {
  story.slack.faults.lose("chat.postMessage");
  await story.ana.type("/vps snapshot web-2 name=before");
  await story.slack.until(() => cards(story).length === 1, "the card");
}

test("a card that Slack posted without an answer is found by the next start, though what it says has changed since", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  await snapshotPostedUnheard(story);
  story.slack.faults.failHttp("conversations.history", 503, 3);
  await story.restart();
  // It ends while Slack is away: its end is younger than the start, and its card is not.
  story.clock.skip(5 * 60_000);
  await story.passes(() => cards(story).some((text) => text.includes("is taken")), "its end");
  expect(cards(story)).toHaveLength(1);
});

test("a card that Slack posted without an answer is said nowhere else while Slack does not say who reads its channel", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { slack, clock } = story;
  await story.ask(story.ana, "/vps show web-2", "is running");
  await snapshotPostedUnheard(story);
  slack.faults.failHttp("conversations.info", 503, 3);
  clock.skip(2 * 60_000);
  await story.passes(() => cards(story).some((text) => text.includes("is taken")), "its end");
  expect(cards(story)).toHaveLength(1);
});

const isPay = { method: "POST", path: /\/pay$/ };

/** The review of a payment of 5.00 EUR for web-2. */
async function paymentOf(story: Story): Promise<Message> {
  const { number } = billOf(story, "Renewal of web-2");
  return story.ask(story.ana, `/billing pay ${number} amount=5`, "5.00 EUR from the credit balance");
}

function posted({ slack }: Story, words: string): Message[] {
  const { channels } = slack.state();
  return (channels.ops ?? []).filter((message) => message.thread_ts === undefined && said(message).includes(words));
}

test("a payment made while Slack is down for minutes is reported once, when Slack is back, and its button is gone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const review = await paymentOf(story);
  for (const method of ["chat.postMessage", "chat.update", "chat.postEphemeral"]) slack.faults.failHttp(method, 503, 5);
  // With the answer before and the one that removes the button, these are the five uses that Slack allows.
  slack.faults.failResponseUrls(500, 3);
  await ana.press(review, goAhead);
  await story.passes(() => posted(story, "5.00 EUR").length > 0, "the payment to be told");
  expect(posted(story, "5.00 EUR")).toHaveLength(1);
  await story.passes(
    () => !ana.sees().some(({ blocks }) => JSON.stringify(blocks).includes(goAhead)),
    "the button to be gone",
  );
  await story.pressing(ana, review, goAhead, "confirmed it, and it was done");
  expect(payCalls(story)).toHaveLength(1);
});

test("a notification of a payment that Slack put off is sent once after a deploy", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore(), STOP_GRACE: "30s" } });
  const { ana, slack, clock } = story;
  const review = await paymentOf(story);
  slack.faults.rateLimit("chat.postMessage", 40);
  await ana.press(review, goAhead);
  await slack.until(() => slack.calls("chat.postMessage").length > 0, "the post to be put off");
  const restarted = story.restart();
  // Up to the moment at which the stop interrupts what waits for Slack: the rest of its grace is for closing the store.
  clock.skip(24_000);
  await restarted;
  await story.passes(() => posted(story, "5.00 EUR").length > 0, "the payment to be told");
  expect(posted(story, "5.00 EUR")).toHaveLength(1);
  expect(payCalls(story)).toHaveLength(1);
});

test("a payment that turns out done leaves its requester no warning against asking again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const review = await paymentOf(story);
  platform.faults.next({ how: "reset", ...isPay, applied: true });
  await ana.press(review, goAhead);
  await story.sees(ana, "Do not ask again until");
  await story.passes(() => posted(story, "It was done after all").length > 0, "the truth");
  await story.passes(
    () => !ana.sees().some((message) => said(message).includes("Do not ask again until")),
    "the private card to follow",
  );
});

test("a message in direct messages, sent because a private one could not be edited, is brought up to date there", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, platform } = story;
  const review = await paymentOf(story);
  const direct = () => ana.sees("dm").filter((message) => /^(:\w+: )?\*?Pay /.test(said(message)));
  slack.faults.failResponseUrls(404);
  slack.faults.lose("chat.postMessage");
  platform.faults.hang(isPay.path);
  await ana.press(review, goAhead);
  await slack.until(() => direct().some((message) => said(message).includes("is being carried out")), "the news");
  platform.faults.resume();
  await story.passes(() => posted(story, "5.00 EUR").length > 0, "the payment to be told");
  await story.passes(
    () => !direct().some((message) => said(message).includes("is being carried out")),
    "the direct message to follow",
  );
  expect(direct().map(said)).toEqual([expect.stringMatching(/^:white_check_mark: Pay `[^`]+`: done\./)]);
});

test("an approved act runs at once, however long Slack takes over telling of it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const release = slack.faults.hangApi("chat.update");
  await ana.press(request, goAhead);
  await slack.until(() => platform.calls().some(({ method }) => method === "DELETE"), "the act");
  expect(platform.findVps("web-1").cancellation).not.toBeNull();
  release();
});

test("an edit that Slack carries out late, over a newer one, is put right some minutes later", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const isDone = () => posted(story, "web-1").some((one) => said(one).includes(":white_check_mark:"));
  platform.faults.next({ how: "hang", method: "DELETE" });
  const release = slack.faults.hangApi("chat.update", 1);
  await ana.press(request, goAhead);
  await slack.until(() => slack.calls("chat.update").length > 0, "the first edit");
  platform.faults.resume();
  await story.passes(isDone, "the end");
  release();
  await slack.until(() => !isDone(), "the late edit");
  clock.skip(3 * 60_000);
  await story.passes(isDone, "the truth");
  const edits = slack.calls("chat.update").length;
  clock.skip(60 * 60_000);
  await story.ask(ana, "/vps show web-2", "is running");
  expect(slack.calls("chat.update")).toHaveLength(edits);
});

test("a snapshot without an answer is not taken for an older one of the same name", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const [older] = platform.findVps("web-1").snapshots;
  platform.faults.next({ how: "500", method: "POST", path: "/vps/{id}/snapshots" });
  await ana.type(`/vps snapshot web-1 name=${older?.name}`);
  await story.comesToSee(ana, "It was not done");
  expect(ana.sees().map(said).join()).not.toContain("It was done after all");
});

/** Slack takes no answer to one person alone, and no Home tab, until its faults are cleared. */
function breakAnswers({ slack }: Story): void {
  for (const method of ["chat.postEphemeral", "chat.postMessage", "views.open", "views.update", "views.publish"])
    slack.faults.failHttp(method, 503, 50);
  slack.faults.failResponseUrls(500, 50);
}

interface LastStep {
  /** Makes ready; then the act whose answer is lost. */
  ready(story: Story): Promise<() => Promise<unknown>>;
  /** The words by which the notification names the act. */
  named: string;
}

const lastSteps: Record<string, LastStep> = {
  "a command": {
    async ready({ ana }) {
      return () => ana.type("/vps list");
    },
    named: "answer to `/vps list`",
  },
  "a mention": {
    async ready({ ana }) {
      return () => ana.say("@Rackbell vps list");
    },
    named: "answer to `vps list`",
  },
  "a press": {
    async ready(story) {
      const list = await story.ask(story.ana, "/vps list", "web-2");
      return () => story.ana.press(list, "Show to channel");
    },
    named: "your press of *Show to channel*",
  },
  "a press on the Home tab": {
    async ready({ ana, slack }) {
      await ana.openHome();
      const home = await slack.until(() => ana.home(), "Home to be shown");
      return () => ana.press(home, "Refresh");
    },
    named: "your press of *Refresh*",
  },
  "a press to decide": {
    async ready(story) {
      const review = await paymentOf(story);
      // Its outcome is in the message, but a second press is answered to its presser alone.
      await story.pressing(story.ana, review, goAhead, "5.00 EUR");
      return () => story.ana.press(review, goAhead);
    },
    named: "your press of *Pay 5.00 EUR",
  },
  "a form": {
    async ready(story) {
      await story.ana.type("/rackbell link");
      await story.modal(story.ana, "API key");
      await story.ana.fill({ "API key": story.platform.keys.ben.key });
      return () => story.ana.submit();
    },
    named: "your form *Link",
  },
  "a message shortcut": {
    async ready({ ana, slack }) {
      const message = slack.postAs("Status", "ops", { text: "web-2 is slow" });
      return () => ana.shortcut("act_on_this", message);
    },
    named: "your press of *Act on this*",
  },
};

test.for(Object.entries(lastSteps))("%s whose answers Slack does not take gets a word later", async ([, step]) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, log } = story;
  const act = await step.ready(story);
  breakAnswers(story);
  await act();
  const lost = /The member could not be notified|Home tab could not be shown/;
  await slack.until(() => log.some((line) => lost.test(line)), "the answer to be lost");
  slack.faults.clear();
  const words = () => [...ana.sees(), ...ana.sees("dm")].map(said);
  await story.passes(
    () => words().some((text) => text.includes("did not take my answer") && text.includes(step.named)),
    "a word",
  );
});

test.each([
  ["breaks down over a response URL", 500, 0],
  ["answers no private message", 404, 1],
])(
  "a request for money is shown twice at most when Slack %s, and the later message follows its end",
  async (_, status, inChannel) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, slack } = story;
    slack.faults.failResponseUrls(status, 9);
    slack.faults.lose("chat.postEphemeral", 9);
    slack.faults.lose("chat.postMessage", 1);
    const { number } = billOf(story, "Renewal of web-2");
    await ana.type(`/billing pay ${number} amount=5`);
    const direct = () => ana.sees("dm").filter((message) => said(message).includes("5.00 EUR"));
    await story.passes(() => direct().length > 0, "the request in direct messages");
    await story.passes(() => slack.calls("chat.update").length > 0, "the message to be found again");
    expect(ana.sees().filter(({ blocks }) => JSON.stringify(blocks).includes(goAhead)).length).toBe(inChannel);
    expect(direct()).toHaveLength(1);
    slack.faults.clear();
    const [asked] = direct();
    if (asked) await ana.press(asked, "Not now");
    await story.passes(() => direct().every(({ blocks }) => !JSON.stringify(blocks).includes(goAhead)), "its end");
  },
);

test("of seven answers to one response URL the URL takes five, and the member gets the others by another way", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  let uses = 0;
  const server = createServer((_, response) => {
    uses += 1;
    response.end("ok");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const channel_id = slack.channels.ops?.id ?? "";
  const about = { command: "/vps", text: "show web-1", team_id: slack.teamId, user_id: ana.user.id, channel_id };
  const payload = { ...about, response_url: `http://127.0.0.1:${port}/commands/1`, trigger_id: "1.2.3", token: "" };
  const before = slack.calls("chat.postEphemeral").length;
  for (let sent = 1; sent <= 7; sent += 1) {
    const envelope = {
      envelope_id: `e${sent}`,
      type: "slash_commands",
      payload: { ...payload, api_app_id: slack.appId },
    };
    slack.faults.sayOverSocket(JSON.stringify(envelope));
    const answers = () => uses + slack.calls("chat.postEphemeral").length - before;
    await slack.until(() => answers() === sent, `answer ${sent}`);
  }
  expect(uses).toBe(5);
  expect(ana.sees().filter((message) => said(message).includes("*`web-1`* is running"))).toHaveLength(2);
});
