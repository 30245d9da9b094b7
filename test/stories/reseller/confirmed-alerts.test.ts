import { expect, test } from "vitest";
import { rest } from "../rest.ts";
import { type Story, said } from "../story.ts";
import { cards, startAlertStory, supplierLifts, supplierSuspends } from "./alerting.ts";
import { connect } from "./selling.ts";

/** A story in which what matters is read again with a monitoring key. */
async function reading(): Promise<Story> {
  const story = await startAlertStory("events=service.suspended");
  const { ana, platform } = story;
  await connect(story, ana, { "Reseller monitoring key": platform.reseller.keys.reader.key }, "monitoring key is set");
  platform.clearCalls();
  return story;
}

const card = (story: Story, words: string) =>
  story.passes(() => cards(story).find((one) => said(one).includes(words)), `a card with ${words}`);

test("a suspension is read again at most once, and its alert says that the platform confirms it", async () => {
  const story = await reading();
  const id = await supplierSuspends(story, "mail.example.test");
  await card(story, "The platform says so, too: read");
  const read = story.platform.calls().filter(({ path }) => path.startsWith(`/reseller/services/${id}`));
  expect(read.length).toBeLessThanOrEqual(1);
  expect(cards(story)).toHaveLength(1);
});

test("an alert says so if the platform contradicts its event", async () => {
  const story = await reading();
  const { platform } = story;
  const service = platform.reseller.sold().find(({ hostname }) => hostname === "mail.example.test");
  platform.reseller.supplier.suspend(service?.id ?? "", "Too much mail");
  platform.reseller.withhold(service?.id ?? "");
  await platform.reseller.webhooks.postDue();
  await card(story, "The platform says otherwise");
});

test("an alert says that it is not confirmed, and is confirmed later; without a monitoring key it says neither", async () => {
  const story = await reading();
  story.platform.faults.next({ how: "500", method: "GET", path: /^\/reseller\/(orders|services)\//, times: 6 });
  await supplierSuspends(story, "mail.example.test");
  await card(story, "Not confirmed: the platform did not answer as it should");
  story.platform.faults.resume();
  story.clock.skip(5 * 60_000);
  await card(story, "The platform says so, too: read");
  const without = await startAlertStory();
  await supplierSuspends(without, "mail.example.test");
  expect(said(await card(without, "is suspended"))).not.toMatch(/confirmed|platform says/);
});

test("an alert that was confirmed says that its next event is not, if the platform cannot be read by then", async () => {
  const story = await reading();
  const id = await supplierSuspends(story, "mail.example.test");
  await card(story, "The platform says so, too: read");
  story.clock.skip(2 * 60 * 60_000);
  story.platform.faults.next({ how: "500", method: "GET", path: /^\/reseller\/(orders|services)\//, times: 6 });
  await supplierLifts(story, id);
  await card(story, "Not confirmed: the platform did not answer as it should");
});

test("an alert says when the platform was asked, and not when its slow answer came", async () => {
  const story = await reading();
  const { ana, platform, clock } = story;
  platform.faults.hang(/^\/reseller\/(orders|services)\//);
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "`mail.example.test` is suspended");
  // The question hangs by then.
  await rest(2_000);
  const askedBy = clock.now();
  clock.skip(8_000);
  platform.faults.resume();
  const shown = said(await card(story, "The platform says so, too"));
  const [, seconds] = /says so, too: read <!date\^(\d+)/.exec(shown) ?? [];
  expect(Number(seconds) * 1_000).toBeLessThanOrEqual(askedBy);
});
