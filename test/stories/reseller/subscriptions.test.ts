import { expect, test } from "vitest";
import { passHours } from "../admins.ts";
import { said } from "../story.ts";
import { cards, replies, startAlertStory, supplierLifts, supplierSuspends } from "./alerting.ts";

const hour = 60 * 60_000;

test("alerts mention nobody unless a mention is set, and then only the loud messages mention it", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform, slack } = story;
  const group = slack.addUsergroup("oncall", ["ben"]);
  const id = await supplierSuspends(story, "mail.example.test");
  const quiet = await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  expect(said(quiet)).not.toMatch(/<@|<!subteam/);
  await story.ask(ana, "/rackbell alerts set #ops mention=@oncall", "`@oncall`");
  platform.reseller.supplier.unsuspend(id);
  await supplierSuspends(story, "mail.example.test", "Again");
  const called = await story.passes(
    () => cards(story).find((card) => said(card).includes("is suspended: Again")),
    "the new alert",
  );
  expect(said(called)).toContain(`<!subteam^${group}>`);
  expect(replies(story).filter((reply) => said(reply).startsWith("<!subteam"))).toEqual([]);
  story.clock.skip(6 * 60_000);
  const [other] = platform.reseller.sold().filter(({ status }) => status === "active");
  platform.reseller.supplier.suspend(other?.id ?? "", "Power");
  await platform.reseller.webhooks.postDue();
  await story.passes(() => cards(story).some((card) => said(card).startsWith(`<!subteam^${group}>`)), "the new card");
});

test("a change of a subscription keeps the fields that it does not name, and none clears a field", async () => {
  const story = await startAlertStory("events=service.* about=acme-bakery");
  const { ana, ben } = story;
  const set = "/rackbell alerts set #ops about=acme-bakery";
  await story.ask(ana, `${set} not=service.provisioned`, "`service.*`", "but not", "`acme-bakery`");
  const changed = await story.ask(ana, "/rackbell alerts set #ops instead=acme-bakery about=none", "`service.*`");
  expect(said(changed)).not.toContain("acme-bakery");
  await story.ask(ana, "/rackbell alerts set #ops events=service.exploded", "Give names such as");
  await story.ask(ana, "/rackbell alerts set #ops mention=nobody", "from Slack's list");
  await story.ask(ana, "/rackbell alerts set #ops", "Nothing changed");
  for (const command of [
    "set #ops about=none",
    "try events=order.*",
    "look",
    "replay",
    "stop #ops",
    "test #ops",
    "mode #ops how=digest",
  ])
    await story.ask(ben, `/rackbell alerts ${command}`, "Only an admin");
});

test("a test is posted as an alert is, and says that nothing happened", async () => {
  const story = await startAlertStory();
  await story.ask(story.ana, "/rackbell alerts test #ops", "A test is on its way");
  await story.sees(story.ben, "This is a test", "Nothing happened");
  await story.ask(story.ana, "/rackbell alerts test #general", "gets no alerts");
  await story.ask(story.ana, "/rackbell alerts test #random", "/invite @Rackbell");
});

test("a channel that gets cards alone has no threads: a second suspension posts a new card", async () => {
  const story = await startAlertStory();
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts mode #ops how=card", "gets cards alone");
  const id = await supplierSuspends(story, "mail.example.test");
  await story.passes(() => cards(story).length === 1, "the card");
  await supplierLifts(story, id);
  await story.passes(() => cards(story).some((card) => said(card).includes("no longer suspended")), "the edit");
  expect(cards(story)).toHaveLength(1);
  await supplierSuspends(story, "mail.example.test", "Again");
  await story.passes(() => cards(story).length === 2, "the new card");
  expect(replies(story)).toEqual([]);
});

test("a digest posts all events at its hour, in the order of their arrival, and nothing before", async () => {
  const story = await startAlertStory();
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell alerts mode #ops how=digest hours=25", "whole hours from 0 to 23");
  await story.ask(ana, "/rackbell alerts mode #ops how=digest zone=Mars", "there is none of that name");
  const at = new Date(story.clock.now() + 2 * hour).getUTCHours();
  await story.ask(ana, `/rackbell alerts mode #ops how=digest hours=${at} zone=UTC`, "by the clocks of `UTC`");
  // The cards show how far the events were brought.
  await story.ask(ana, "/rackbell alerts add #general", "Saved");
  const elsewhere = (words: string) =>
    story.passes(() => cards(story, "#general").some((card) => said(card).includes(words)), words);
  const id = await supplierSuspends(story, "mail.example.test");
  await supplierLifts(story, id);
  await elsewhere("is no longer suspended");
  expect(ben.sees().filter((message) => said(message).includes("since the last digest"))).toEqual([]);
  story.clock.skip(2 * hour);
  const digest = await story.sees(
    ben,
    "2 events since the last digest",
    /is suspended.*still billed.*customer `acme-bakery`.*is no longer suspended/s,
  );
  expect(cards(story)).toEqual([]);
  // No notification comes twice, and a later one waits for the next hour.
  await supplierSuspends(story, "mail.example.test", "Later");
  await elsewhere("Later");
  story.clock.skip(24 * hour);
  const next = await story.sees(ben, "1 event since the last digest", "Later");
  expect(next.ts).not.toBe(digest.ts);
  await story.ask(ana, "/rackbell alerts", "gets all in one message");
  await story.ask(ana, "/rackbell alerts mode #ops how=thread", "with its history in the thread");
});

test("many failures within five minutes mention once, and the message with the mention counts the others; a mute silences mentions", async () => {
  const story = await startAlertStory();
  const { ana, platform, slack } = story;
  slack.addUsergroup("oncall", ["ben"]);
  await story.ask(ana, "/rackbell alerts set #ops mention=@oncall", "`@oncall`");
  const [first, second, third, fourth] = platform.reseller.sold().filter(({ status }) => status === "active");
  const mentioned = () => cards(story).filter((card) => said(card).includes("<!subteam"));
  for (const service of [first, second, third]) platform.reseller.supplier.suspend(service?.id ?? "", "Power");
  await platform.reseller.webhooks.postDue();
  await story.passes(() => cards(story).length === 3, "an alert for each");
  await story.passes(
    () => mentioned().some((card) => said(card).includes("and 2 more alerts within 5 minutes")),
    "the count",
  );
  expect(mentioned()).toHaveLength(1);
  await story.ask(ana, "/rackbell alerts mute hours=4", "All alerts are muted");
  story.clock.skip(6 * 60_000);
  platform.reseller.supplier.suspend(fourth?.id ?? "", "Power");
  await platform.reseller.webhooks.postDue();
  await story.ask(ana, "/rackbell alerts log", `${platform.find(fourth?.id ?? "").hostname}`);
  expect(mentioned()).toHaveLength(1);
});

test("a new failure after a recovery within five minutes is a reply without a mention, which comes once when they are over", async () => {
  const story = await startAlertStory();
  const { ana, slack } = story;
  const group = slack.addUsergroup("oncall", ["ben"]);
  await story.ask(ana, "/rackbell alerts set #ops mention=@oncall", "`@oncall`");
  const id = await supplierSuspends(story, "mail.example.test", "One");
  await supplierLifts(story, id);
  await supplierSuspends(story, "mail.example.test", "Two");
  await story.passes(() => replies(story).some((reply) => said(reply).includes("suspended: Two")), "the reply");
  await story.passes(
    () => cards(story).some((card) => said(card).includes("and 1 more alert within 5 minutes")),
    "the count",
  );
  expect(cards(story).filter((card) => said(card).includes("<!subteam"))).toHaveLength(1);
  const owed = () => replies(story).filter((reply) => said(reply).includes("Not over yet, and not mentioned"));
  expect(owed()).toEqual([]);
  await story.passes(() => owed().length === 1, "the mention that was owed", 30_000);
  expect(said(owed()[0] ?? { text: "", blocks: [] })).toMatch(/^<!subteam.*suspended: Two/s);
  await supplierLifts(story, id);
  story.clock.skip(6 * 60_000);
  await supplierSuspends(story, "mail.example.test", "Three");
  const third = await story.passes(
    () => cards(story).find((card) => said(card).includes("suspended: Three")),
    "the third",
  );
  expect(said(third)).toContain(`<!subteam^${group}>`);
});

test.each(["recovers", "is taken"])(
  "a failure that %s within the five minutes is not mentioned once more",
  async (how) => {
    const story = await startAlertStory();
    const { ana, ben, slack } = story;
    slack.addUsergroup("oncall", ["ben"]);
    await story.ask(ana, "/rackbell alerts set #ops mention=@oncall", "`@oncall`");
    const id = await supplierSuspends(story, "mail.example.test", "One");
    await supplierLifts(story, id);
    await supplierSuspends(story, "mail.example.test", "Two");
    await story.passes(() => replies(story).some((reply) => said(reply).includes("suspended: Two")), "the reply");
    if (how === "recovers") await supplierLifts(story, id);
    else await story.pressing(ben, await story.sees(ben, "and 1 more alert within 5 minutes"), "Take", "took this");
    await passHours(story, 0.2, 0.02);
    expect(replies(story).filter((reply) => said(reply).includes("Not over yet"))).toEqual([]);
  },
);

test("setting up alerts asks whom to mention, and says so where nobody is", async () => {
  const story = await startAlertStory("none");
  const { ana } = story;
  await ana.type("/rackbell alerts add");
  await story.modal(ana, "Whom to mention");
  await ana.fill({ Channel: "ops" });
  await ana.submit();
  const added = await story.sees(ana, "Saved", "It mentions nobody");
  await ana.press(added, "Mention somebody…");
  await story.modal(ana, "Mention");
  await ana.fill({ Mention: "caro" });
  await ana.submit();
  await story.sees(ana, "Saved", `with a mention of <@${story.caro.user.id}>`);
});

test("a channel has a subscription for each of what its alerts are about, and one is changed or stopped without the others", async () => {
  const story = await startAlertStory("events=service.*");
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts add #ops about=acme-bakery events=order.*", "Saved");
  await story.ask(ana, "/rackbell alerts add #ops about=ACME-Bakery events=invoice.*", "Saved", "`invoice.*`");
  const both = said(await story.ask(ana, "/rackbell alerts #ops", "Alerts by channel", "Send a test"));
  expect(both).toContain("gets `service.*`.");
  expect(both).toContain("gets `invoice.*`, about `acme-bakery` alone");
  expect(both).not.toContain("order.*");
  // In place of the one about everything: of two about the same, one stays.
  await story.ask(ana, "/rackbell alerts set #ops instead=none about=acme-bakery", "Saved", "`service.*`");
  const one = said(await story.ask(ana, "/rackbell alerts", "Alerts by channel"));
  expect(one.match(/<#\w+> gets/g)).toHaveLength(1);
  await story.ask(ana, "/rackbell alerts stop #ops about=none", "gets no such alerts");
  await story.ask(ana, "/rackbell alerts remove #ops", "No longer:");
  await story.ask(ana, "/rackbell alerts", "No channel gets alerts");
});

test("a digest keeps its hours while its time zone is changed, and only a digest has any", async () => {
  const story = await startAlertStory();
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts set #ops hours=7", "only a digest has hours");
  await story.ask(ana, "/rackbell alerts set #ops how=digest hours=7,19 zone=UTC", "by the clocks of `UTC`");
  const kept = said(
    await story.ask(ana, "/rackbell alerts set #ops zone=Asia/Kolkata", "by the clocks of `Asia/Kolkata`"),
  );
  expect(kept.match(/\{time\}/g)?.length).toBeGreaterThanOrEqual(2);
  expect(kept).not.toContain("Saved");
});
