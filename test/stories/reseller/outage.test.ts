import { expect, test } from "vitest";
import { signed } from "../../../src/sandbox/bench/deliveries.ts";
import { type Story, said } from "../story.ts";
import { cards, replies, startAlertStory, supplierLifts, supplierSuspends } from "./alerting.ts";

const hour = 60 * 60_000;

/** A webhook that the practice platform did not send by itself. */
async function post({ app, slack, platform }: Story, delivery: { id: string; event: string; data: object }) {
  const { body, headers } = signed(platform.reseller.signingSecret() ?? "", delivery);
  const url = `${app.url}/webhooks/reseller/${slack.teamId}`;
  expect((await fetch(url, { method: "POST", body, headers })).status).toBe(200);
}

/** An hour at a time, with real turns in between, so that what is tried meanwhile is tried. */
async function hoursPass(story: Story, hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed += 1) {
    story.clock.skip(hour);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** An hour at a time until it is so: what a call was cut off for when the clock leapt is tried again in the next. */
async function hoursPassUntil(story: Story, look: () => boolean, what: string): Promise<void> {
  for (let passed = 0; passed < 24; passed += 1) {
    story.clock.skip(hour);
    for (let turn = 0; turn < 20; turn += 1) {
      if (look()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`It did not come to pass in a day: ${what}`);
}

test.each([
  ["cuts every call off", (story: Story) => story.slack.faults.reset("*", 100_000)],
  ["answers every call with status 500", (story: Story) => story.slack.faults.failHttp("*", 500, 100_000)],
  ["asks to come later with every call", (story: Story) => story.slack.faults.rateLimit("*", 30, 100_000)],
])(
  "while Slack %s, for longer than the supplier tries, events are taken; then each alert comes, once and with the present state",
  async (_, breaks) => {
    const story = await startAlertStory();
    const { platform, slack } = story;
    breaks(story);
    const id = await supplierSuspends(story, "mail.example.test");
    const other = await supplierSuspends(story, "plugin-1.example.test");
    await hoursPass(story, 10);
    await supplierLifts(story, other);
    await hoursPass(story, 10);
    expect(platform.reseller.deliveries().every(({ state, attempts }) => state === "delivered" && attempts === 1)).toBe(
      true,
    );
    slack.faults.clear();
    // So long it waits at the most before it tries again.
    story.clock.skip(10 * 60_000);
    const stands = (...texts: string[]) =>
      cards(story).some((card) => texts.every((text) => said(card).includes(text)));
    await story.passes(
      () => stands("`mail.example.test` is suspended: Too much mail"),
      "the card of what is suspended",
    );
    await story.passes(() => stands("`plugin-1.example.test` is no longer suspended"), "the card of what was");
    await hoursPass(story, 2);
    expect(cards(story)).toHaveLength(2);
    expect(replies(story).filter((reply) => said(reply).startsWith(":no_entry:"))).toEqual([]);
    await supplierLifts(story, id);
    await story.passes(() => stands("`mail.example.test` is no longer suspended"), "what came after it");
    await story.ask(story.ana, "/rackbell alerts log", "newest first");
    expect(said(await story.ask(story.ana, "/rackbell alerts log", "newest first"))).not.toContain(
      "could not be posted",
    );
  },
  30_000,
);

/** The admins' word of it, in their messages with the app. */
const notices = ({ ana }: Story) => ana.sees("dm").filter((message) => said(message).includes("No alert reaches"));

test("the app is removed from a channel: admins are notified once, and the kept alerts are posted once it is back", async () => {
  const story = await startAlertStory("", { slackRefuses: ["not_in_channel"] });
  const { ana, ben, slack } = story;
  const before = await supplierSuspends(story, "mail.example.test");
  await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  slack.kick("ops", "rackbell");
  story.clock.skip(2 * 60_000);
  await supplierLifts(story, before);
  await supplierSuspends(story, "plugin-1.example.test");
  await supplierSuspends(story, "metal-1.example.test");
  const notice = await story.passes(() => notices(story)[0], "the word to the admins");
  expect(said(notice)).toContain("I am not in this channel");
  await story.pressing(
    ana,
    notice,
    "Queued alerts",
    "could not be posted: I am not in this channel",
    "could not be updated",
    "Replay all",
  );
  await story.pressing(ana, notice, "Try again", "tries again to post");
  await story.passes(() => story.clock.now() > 0 && notices(story).length === 1, "no second word");
  expect(ben.sees("dm").some((message) => said(message).includes("No alert reaches"))).toBe(false);
  slack.invite("ops", "rackbell");
  // Nobody presses anything: the next alert that Slack takes brings the others.
  story.clock.skip(2 * 60_000);
  await supplierSuspends(story, "arena-1.example.test");
  for (const name of ["plugin-1", "metal-1", "arena-1"])
    await story.passes(
      () => cards(story).some((card) => said(card).includes(`\`${name}.example.test\` is suspended`)),
      name,
    );
  await story.passes(
    () => cards(story).some((card) => said(card).includes("`mail.example.test` is no longer")),
    "the edit",
  );
  expect(cards(story)).toHaveLength(4);
  let left = "";
  // The app may still be noting that a message was posted while it answers the next command.
  for (let time = 0; time < 20 && !left.includes("No alert is undelivered"); time += 1)
    left = said(await story.askIn("dm", ana, "/rackbell alerts replay", /No alert is undelivered|tries again to post/));
  expect(left).toContain("No alert is undelivered");
  expect(said(await story.askIn("dm", ana, "/rackbell alerts log", "newest first"))).not.toContain("keeps it");
});

test("a digest that its channel does not take comes once the app is back", async () => {
  const story = await startAlertStory("", { slackRefuses: ["not_in_channel"] });
  const { ana, ben, slack } = story;
  const at = new Date(story.clock.now() + 2 * hour).getUTCHours();
  await story.ask(ana, `/rackbell alerts mode #ops how=digest hours=${at} zone=UTC`, "by the clocks of `UTC`");
  await supplierSuspends(story, "mail.example.test");
  await story.askIn("dm", ana, "/rackbell alerts log", "newest first", "`mail.example.test` is suspended");
  slack.kick("ops", "rackbell");
  await hoursPassUntil(story, () => notices(story).length > 0, "the word to the admins");
  slack.invite("ops", "rackbell");
  const digest = () =>
    ben
      .sees()
      .map(said)
      .find((text) => text.includes("1 event since the last digest"));
  await hoursPassUntil(story, () => digest() !== undefined, "the digest");
  expect(digest()).toContain("`mail.example.test` is suspended");
});

test("alerts that were refused a day ago, and those that one message counts, are posted once the app is let in, without another event", async () => {
  const story = await startAlertStory("", { slackRefuses: ["not_in_channel"] });
  const { ana, ben, slack } = story;
  slack.kick("ops", "rackbell");
  story.clock.skip(2 * 60_000);
  for (let at = 0; at < 12; at += 1) {
    const data = { serviceId: `service-${at}`, hostname: `host-${at}` };
    await post(story, { id: `delivery-${at}`, event: "service.suspended", data });
  }
  const log = () => story.askIn("dm", ana, "/rackbell alerts log", "newest first");
  await story.passes(() => notices(story)[0], "the word to the admins");
  await expect.poll(async () => said(await log())).toContain("A message that counts alerts for");
  await hoursPass(story, 26);
  slack.invite("ops", "rackbell");
  const invitedAt = story.clock.now();
  const shown = () => ben.sees().map(said).join("\n");
  await story.passes(() => [...Array(12).keys()].every((at) => shown().includes(`\`host-${at}\``)), "all alerts");
  // That is before the hourly try.
  expect(story.clock.now() - invitedAt).toBeLessThan(hour / 2);
  await expect.poll(async () => said(await log())).not.toContain("keeps it");
  await story.askIn("dm", ana, "/rackbell alerts replay", "No alert is undelivered");
});
