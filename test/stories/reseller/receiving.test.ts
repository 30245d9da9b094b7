import { expect, test } from "vitest";
import { goAhead, said } from "../story.ts";
import { connect, sell } from "./selling.ts";

test("an admin connects the account, has events sent here after being asked, and sees that they arrive", async () => {
  const story = await sell({ connected: false });
  const { ana, platform } = story;
  const connected = await connect(story, ana);
  const asked = await story.pressing(ana, connected, "Receive events here…", "no longer to the address before");
  expect(platform.reseller.webhookUrl()).toBeNull();
  const set = await story.pressing(ana, asked, goAhead, "Events go to");
  expect(platform.reseller.webhookUrl()).toMatch(/^https:\/\/rackbell\.example\/webhooks\/reseller\/T\w+$/);
  await story.ask(ana, "/rackbell connect check", "None of the supplier's events has arrived here yet");
  await story.pressing(ana, set, "Send a test", "test event is on its way");
  await platform.reseller.webhooks.sweep();
  await story.ask(ana, "/rackbell connect check", "events arrive here", "webhook.test");
});

test("without PUBLIC_URL nothing offers an address, and the check says why", async () => {
  const story = await sell({ connected: false, environment: { PUBLIC_URL: "" } });
  const connected = await connect(story, story.ana);
  expect(said(connected)).not.toContain("Receive events here");
  await story.ask(story.ana, "/rackbell connect check", "`PUBLIC_URL` is not set");
});
