import { expect, test } from "vitest";
import { goAhead, peer, type Story, startStory, writeRoutes } from "../story.ts";

/** Until everything that Slack said before is too old to be used. */
const longMs = 10 * 60_000;

const asked = ({ slack }: Story, method: string) => slack.calls(method).length;

test("Slack says who reads a channel while the platform is still asked about the machine", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack, clock } = story;
  clock.skip(longMs);
  platform.faults.hang("/vps");
  const before = asked(story, "conversations.info");
  await ana.type("/vps start worker-2");
  await slack.until(() => asked(story, "conversations.info") > before, "Slack to be asked about the channel");
  expect(writeRoutes(story)).toEqual([]);
  platform.faults.resume();
  await story.sees(ana, "worker-2", "Starting");
  expect(asked(story, "conversations.info")).toBe(before + 1);
});

test("a private answer asks nothing about the channel", async () => {
  const story = await startStory({ linked: ["ana"] });
  story.clock.skip(longMs);
  const before = asked(story, "conversations.info");
  await story.ask(story.ana, "/vps show web-1", "is running");
  expect(asked(story, "conversations.info")).toBe(before);
});

test("Slack says who a member is while their command still waits, and is asked again if that failed", async () => {
  const story = await startStory({ linked: ["ana", "ben"], work: { running: 1, waiting: 3 } });
  const { ana, ben, platform, slack, clock } = story;
  clock.skip(longMs);
  platform.faults.hang("/vps");
  await ana.type("/vps list");
  await expect.poll(() => platform.calls().some(({ status }) => status === null)).toBe(true);
  const before = asked(story, "users.info");
  slack.faults.fail("users.info", "internal_error");
  await ben.type("/vps show web-1");
  await slack.until(() => asked(story, "users.info") === before + 1, "Slack to be asked about ben");
  platform.faults.resume();
  await story.sees(ben, "`web-1`", "is running");
  expect(asked(story, "users.info")).toBe(before + 2);
});

test("the platform says what an approver may do while Slack says who the requester is", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const releaseBen = slack.faults.hangApi("users.info", 1);
  const releaseAna = slack.faults.hangApi("users.info", 1);
  const before = { slack: asked(story, "users.info"), platform: platform.calls().length };
  await ben.press(request, goAhead);
  await slack.until(() => asked(story, "users.info") === before.slack + 1, "Slack to be asked about ben");
  expect(platform.calls()).toHaveLength(before.platform);
  releaseBen();
  await slack.until(() => asked(story, "users.info") === before.slack + 2, "Slack to be asked about ana");
  await expect.poll(() => platform.calls().length).toBeGreaterThan(before.platform);
  releaseAna();
  await story.comesToSee(ana, ":white_check_mark:");
});
