import { expect, test } from "vitest";
import { fileStore, type Story, said, tell } from "./story.ts";

/** The messages that stay, in the channel and in direct messages, about web-2. */
function cards({ slack }: Story): string[] {
  return Object.values(slack.state().channels)
    .flat()
    .filter((message) => message.thread_ts === undefined)
    .map(said)
    .filter((text) => text.includes("web-2"));
}

/** Asks for a snapshot whose card Slack posts without an answer. */
async function snapshotPostedUnheard(story: Story): Promise<void> {
  story.slack.faults.lose("chat.postMessage");
  await story.ana.type("/vps snapshot web-2 name=before");
  await story.slack.until(() => cards(story).length === 1, "the card");
}

test("a card that Slack posted without an answer is found by the next start, though what it says has changed since", async () => {
  const story = await tell({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  await snapshotPostedUnheard(story);
  story.slack.faults.failHttp("conversations.history", 503, 3);
  await story.restart();
  // It ends while Slack is away: its end is younger than the start, and its card is not.
  story.clock.skip(5 * 60_000);
  await story.passes(() => cards(story).some((text) => text.includes("is taken")), "its end");
  expect(cards(story)).toHaveLength(1);
});

test("a card that Slack posted without an answer is said nowhere else while Slack does not tell who reads its channel", async () => {
  const story = await tell({ linked: ["ana"] });
  const { slack, clock } = story;
  await story.ask(story.ana, "/vps show web-2", "is running");
  await snapshotPostedUnheard(story);
  slack.faults.failHttp("conversations.info", 503, 3);
  clock.skip(2 * 60_000);
  await story.passes(() => cards(story).some((text) => text.includes("is taken")), "its end");
  expect(cards(story)).toHaveLength(1);
});
