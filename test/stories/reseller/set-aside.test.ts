import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { type Story, said } from "../story.ts";
import { cards, startAlertStory, supplierSuspends } from "./alerting.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** One event of the supplier's, signed at a time that is `aheadMs` ahead of the app's clock. */
async function deliver(story: Story, aheadMs: number, id: string): Promise<number> {
  const timestamp = new Date(story.clock.now() + aheadMs).toISOString();
  const data = { serviceId: id, hostname: `${id}.example.test`, reason: "Too much mail" };
  const body = JSON.stringify({ event: "service.suspended", timestamp, data });
  const secret = story.platform.reseller.signingSecret() ?? "";
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = { "x-webhook-id": id, "x-webhook-signature": `hmac-sha256=${signature}` };
  const address = `${story.app.url}/webhooks/reseller/${story.slack.teamId}`;
  return (await fetch(address, { method: "POST", body, headers })).status;
}

const notices = ({ ana }: Story) => ana.sees("dm").filter((message) => said(message).includes("set aside"));

test("events that are set aside for their time notify the admins once an hour, with a count and the way to them", async () => {
  const story = await startAlertStory();
  const { ana, ben } = story;
  // Well within an hour of the clock, so that the next ones count to the same.
  story.clock.skip(60 * minute - (story.clock.now() % (60 * minute)));
  expect(await deliver(story, 6 * minute, "s-1")).toBe(200);
  const first = await story.seesIn("dm", ana, "set aside 1 event", "ahead of this machine's clock", "s-1.example.test");
  expect(await deliver(story, 7 * minute, "s-2")).toBe(200);
  expect(await deliver(story, -31 * day, "s-3")).toBe(200);
  const all = await story.seesIn("dm", ana, "set aside 3 events", "2 events are", "1 event is more than 30 days old");
  expect(all.ts).toBe(first.ts);
  expect(notices(story)).toHaveLength(1);
  expect(cards(story)).toEqual([]);
  expect(ben.sees("dm").some((message) => said(message).includes("set aside"))).toBe(false);
  await story.pressing(ana, all, "Show the events", "set aside");
  story.clock.skip(60 * minute);
  expect(await deliver(story, 6 * minute, "s-4")).toBe(200);
  await story.passes(() => notices(story).length === 2, "the notice of the next hour");
});

test.each(["seconds", "milliseconds"] as const)(
  "an event whose time is in unix %s causes its alert as one with ISO text does",
  async (unit) => {
    const story = await startAlertStory();
    story.platform.settings.shapes.webhookTime = unit;
    await supplierSuspends(story, "mail.example.test");
    await story.sees(story.ben, "`mail.example.test` is suspended");
  },
);

test("the admins are notified of what was set aside while Slack did not say who they are", async () => {
  const story = await startAlertStory();
  story.slack.faults.fail("users.info", "internal_error", 4);
  expect(await deliver(story, 6 * minute, "s-1")).toBe(200);
  await story.passes(() => notices(story).length === 1, "the notice");
});

test("an event that comes in time causes its alert as ever beside those that do not", async () => {
  const story = await startAlertStory();
  expect(await deliver(story, 6 * minute, "s-1")).toBe(200);
  expect(await deliver(story, 0, "s-2")).toBe(200);
  await story.sees(story.ben, "`s-2.example.test` is suspended");
  expect(said((await story.seesIn("dm", story.ana, "set aside 1 event")) ?? "")).not.toContain("s-2");
});
