import { expect, test } from "vitest";
import { type Story, said } from "../story.ts";
import { startAlertStory } from "./alerting.ts";
import { connect } from "./selling.ts";

const words = "had a wrong signature";
const tries = "sends a refused event again for at least 15 minutes. After that the event may be lost";

/** The notifications to the admins about it, in their messages with the app. */
const notices = ({ ana }: Story) => ana.sees("dm").filter((message) => said(message).includes(words));

/** The supplier's secret is rotated, and three of their deliveries are refused. */
async function rotated(): Promise<Story> {
  const story = await startAlertStory();
  const { platform } = story;
  await platform.reseller.webhooks.postDue();
  story.secrets.add(platform.reseller.rotateSecret());
  const { supplier } = platform.reseller;
  const [first] = platform.reseller.sold().filter(({ status }) => status === "active");
  supplier.suspend(first?.id ?? "");
  supplier.unsuspend(first?.id ?? "");
  await platform.reseller.webhooks.postDue();
  expect(notices(story)).toEqual([]);
  supplier.suspend(first?.id ?? "");
  await platform.reseller.webhooks.postDue();
  await story.seesIn("dm", story.ana, words, "Somebody rotated the secret", tries);
  return story;
}

test("a run of bad signatures is reported to the admins once an hour, a look confirms it, and the new secret ends it", async () => {
  const story = await rotated();
  const { ana, ben, platform } = story;
  for (let time = 0; time < 3; time += 1) {
    story.clock.skip(5 * 60_000);
    await platform.reseller.webhooks.postDue();
  }
  // They count what was refused, and why.
  await story.askIn(
    "dm",
    ana,
    "/rackbell alerts log",
    "No alert is queued",
    /Webhook deliveries here since .*: forged \d+/,
  );
  expect(notices(story)).toHaveLength(1);
  expect(ben.sees("dm").some((message) => said(message).includes(words))).toBe(false);
  const notice = await story.seesIn("dm", ana, words);
  await story.pressing(ana, notice, "Check now", "could not be proven", "refuses webhooks until", tries);
  await story.seesIn("dm", ana, words, "Somebody rotated the secret: the platform refuses", tries);
  await connect(story, ana);
  await story.askIn("dm", ana, "/rackbell connect check", "Webhooks arrive here");
  const ended = await story.seesIn("dm", ana, words, "has connected another secret since", tries);
  await story.pressing(ana, ended, "Resold services", "mail.example.test");
  story.clock.skip(60 * 60_000);
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, "is suspended", "by webhook,");
});

test("a member's next change shows it as well", async () => {
  const story = await rotated();
  await story.ask(story.ana, "/reseller service unsuspend ACME-003", "probably rotated in the portal");
  await story.seesIn("dm", story.ana, words, "Somebody rotated the secret: the platform refuses");
});

test("when the platform accepts the kept secret, the admins read that somebody else sent the deliveries", async () => {
  const story = await startAlertStory();
  const { ana, environment, app } = story;
  const team = story.platform.reseller.webhookUrl()?.split("/").at(-1);
  const headers = { "x-webhook-signature": `hmac-sha256=${"0".repeat(64)}` };
  const forge = () => fetch(`${app.url}/webhooks/reseller/${team}`, { method: "POST", headers, body: "{}" });
  expect(environment.PUBLIC_URL).toBeDefined();
  for (let time = 0; time < 5; time += 1) expect((await forge()).status).toBe(401);
  await story.seesIn("dm", ana, words, "Somebody rotated the secret");
  await story.ask(ana, "/reseller service unsuspend ACME-003", "is no longer suspended");
  await story.seesIn("dm", ana, words, "somebody else sent these");
  expect(notices(story)).toHaveLength(1);
});
