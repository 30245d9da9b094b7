import { expect, test } from "vitest";
import { goAhead, said } from "../story.ts";
import { replies } from "./alerting.ts";
import { connect, startResellerStory } from "./selling.ts";

test("an admin connects the account, has events sent here after being asked, and sees that they arrive", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana, platform } = story;
  const connected = await connect(story, ana);
  const question = await story.pressing(
    ana,
    connected,
    "Set webhook address…",
    "The address before gets no more events",
  );
  expect(platform.reseller.webhookUrl()).toBeNull();
  const set = await story.pressing(ana, question, goAhead, "Events now go to", "I wait here for the test event");
  expect(platform.reseller.webhookUrl()).toMatch(/^https:\/\/rackbell\.example\/webhooks\/reseller\/T\w+$/);
  await story.ask(ana, "/rackbell connect check", "No webhook has arrived here yet");
  await platform.reseller.webhooks.postDue();
  const arrived = await story.sees(ana, "Events now go to", "The test event arrived");
  expect(arrived.ts).toBe(set.ts);
  await story.ask(ana, "/rackbell connect check", "Webhooks arrive here", "webhook.test");
});

test("an address that does not reach this app is found out: the message says so, aloud, and what comes later mends it", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const check = await story.ask(ana, "/rackbell connect check", "has arrived here yet");
  const question = await story.pressing(ana, check, "Set webhook address…", "The address before gets no more events");
  platform.reseller.webhooks.resolve("rackbell.example", "http://127.0.0.1:9");
  await story.pressing(ana, question, goAhead, "Events now go to", "I wait here for the test event");
  story.clock.skip(5 * 60_000);
  await story.passes(
    () => replies(story).some((reply) => said(reply).includes("No test event arrived within 5 min")),
    "the word that it did not arrive",
  );
  const failed = await story.sees(ana, "Events now go to", ":x: No test event arrived within");
  platform.reseller.webhooks.resolve("rackbell.example", story.app.url);
  await story.pressing(ana, failed, "Send another test", "I wait here for the test event");
  await story.passes(() => ana.sees().some((one) => said(one).match(/Send test event.*The test event arrived/s)), "it");
});

test("an address of somebody else's is set without a test, and waited for by nobody", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const request = await story.ask(ana, "/reseller webhook address https://hooks.example.com/in", "asks to");
  const set = await story.pressing(ana, request, goAhead, "Events now go to");
  expect(said(set)).not.toContain("I wait");
});

test("without PUBLIC_URL nothing offers an address, and the check says why", async () => {
  const story = await startResellerStory({ connected: false, environment: { PUBLIC_URL: "" } });
  const connected = await connect(story, story.ana);
  expect(said(connected)).not.toContain("Set webhook address");
  await story.ask(story.ana, "/rackbell connect check", "Webhooks cannot arrive here");
});
