import { expect, test } from "vitest";
import { type Story, said } from "../story.ts";
import { replies, startAlertStory } from "./alerting.ts";
import { orderOne } from "./ordering.ts";
import { connect } from "./selling.ts";

const minute = 60_000;

/** The time by which the supplier's events are late: longer than any wait of a story, or one could come before it is missed. */
const lateness = 120 * minute;

/** A story in which the supplier's events have come so far, and come late from now on. */
async function late(filter = "none"): Promise<Story> {
  const story = await startAlertStory(filter);
  await story.platform.reseller.webhooks.postDue();
  story.platform.reseller.webhooks.faults.lateMs = lateness;
  return story;
}

/** Cards that say that nothing came, or what came on them later. */
function cardsIn({ ben }: Story, channel: string) {
  const own = ben.sees(channel).filter(({ thread_ts }) => !thread_ts);
  return own.filter((message) => /No webhook about|by webhook,/.test(said(message)));
}

const inThreads = (story: Story) => replies(story).filter((one) => said(one).includes("no webhook arrived"));

test("a missing webhook posts one alert in each other channel, and only a reply in the thread of its request", async () => {
  const story = await late();
  const { ana, slack, platform } = story;
  for (const name of ["#ops", "#general"]) await story.ask(ana, `/rackbell alerts add ${name}`, "Saved");
  const group = slack.addUsergroup("oncall", ["ben"]);
  slack.invite("random", "rackbell");
  const chosen = "events=service.suspended about=acme-bakery mention=@oncall";
  await story.ask(ana, `/rackbell alerts add #random ${chosen}`, "Saved");
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "is suspended");
  story.clock.skip(10 * minute);
  const card = await story.passes(() => cardsIn(story, "#general")[0], "the card elsewhere");
  for (const words of ["`mail.example.test`", "Expected: `service.suspended`", `Asked by <@${ana.user.id}>`])
    expect(said(card)).toContain(words);
  const called = await story.passes(() => cardsIn(story, "#random")[0], "the card of that customer");
  expect(said(called)).toContain(`<!subteam^${group}>`);
  await story.passes(() => inThreads(story)[0], "the word in its thread");
  await story.ask(ana, "/rackbell alerts log", "No webhook about `mail.example.test`");
  expect(cardsIn(story, "#ops")).toEqual([]);
  // A late event raises no alert: the cards show the state, and nobody is mentioned again.
  story.clock.skip(lateness);
  await platform.reseller.webhooks.postDue();
  for (const channel of ["#general", "#random"])
    await story.passes(
      () => cardsIn(story, channel).some((one) => said(one).includes("is suspended")),
      `it in ${channel}`,
    );
  for (const channel of ["#general", "#random"]) expect(cardsIn(story, channel)).toHaveLength(1);
  await story.passes(
    () => replies(story).some((one) => said(one).includes("arrived late")),
    "the same word in its thread",
  );
  expect(replies(story).filter((one) => said(one).startsWith(":no_entry:"))).toEqual([]);
});

test("a missing webhook posts no alert in a channel whose filter or mute excludes its event", async () => {
  const story = await late();
  const { ana } = story;
  const adds = ["events=order.*", "not=service.suspended", "about=acme", "except=acme-bakery", "not=event.missing"];
  for (const filter of adds) await story.ask(ana, `/rackbell alerts add #general ${filter}`, "Saved");
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "is suspended");
  story.clock.skip(10 * minute);
  await story.passes(() => inThreads(story)[0], "the word in its thread");
  await story.ask(ana, "/rackbell alerts log", "No webhook about `mail.example.test`");
  await story.ask(ana, "/rackbell alerts try events=event.missing", "would have let 1 of the last");
  expect(cardsIn(story, "#general")).toEqual([]);
  await story.ask(ana, "/rackbell alerts set #general events=none not=none except=none", "gets every event");
  await story.ask(ana, "/rackbell alerts mute web-2.example.test hours=1", "are muted in all channels");
  await story.ask(ana, "/reseller service suspend ACME-001 force=yes", "is suspended");
  story.clock.skip(10 * minute);
  await story.passes(() => inThreads(story)[1], "the word in its thread");
  await story.ask(ana, "/rackbell alerts log", "No webhook about `web-2.example.test`");
  expect(cardsIn(story, "#general")).toEqual([]);
});

test("an order whose webhook is missing posts an alert in another channel, which leads to the order", async () => {
  const story = await late();
  const { ana } = story;
  await connect(story, ana);
  await story.ask(ana, "/rackbell alerts add #general events=order.*", "Saved");
  await orderOne(story, "Ordered");
  story.clock.skip(10 * minute);
  const card = await story.passes(() => cardsIn(story, "#general")[0], "the card");
  expect(said(card)).toContain("Expected: `order.paid` or `order.invoiced`");
  await story.pressing(ana, card, "Show order", "paid");
});
