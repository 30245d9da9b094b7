import { expect, test } from "vitest";
import { goAhead, type Story, said } from "../story.ts";
import { cards, replies, startAlertStory } from "./alerting.ts";

const minute = 60_000;

/** Suspends three services in one request, to its end. */
async function suspendsThree(story: Story): Promise<string[]> {
  const { ana, ben, platform } = story;
  const services = platform.reseller.sold().filter(({ status }) => status === "active");
  const three = services.slice(0, 3).map(({ id }) => id);
  expect(three).toHaveLength(3);
  const request = await story.ask(ana, `/reseller service suspend ${three.join(" ")}`, "For each of 3 resold services");
  await ana.press(request, goAhead);
  await story.comesToSee(ben, "All 3 are done");
  return three;
}

test("a bulk suspension posts no alerts: its message and one reply in its thread say that the webhooks arrived", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell alerts add #general", "Saved");
  await suspendsThree(story);
  await platform.reseller.webhooks.postDue();
  const notification = await story.sees(ben, "All 3 are done", "The webhooks arrived for all 3. Expected: asked by");
  const [reply, ...others] = await story.passes(
    () =>
      said(replies(story)[0] ?? notification).split("expected: asked by").length === 4 ? replies(story) : undefined,
    "one line for each in the thread",
  );
  expect(reply).toMatchObject({ thread_ts: notification.ts });
  expect(others).toEqual([]);
  for (const channel of ["#ops", "#general"]) expect(cards(story, channel)).toEqual([]);
});

test("a bulk suspension names late webhooks, mentions its requester once, and is corrected when they arrive", async () => {
  const story = await startAlertStory();
  const { ana, ben, platform } = story;
  await platform.reseller.webhooks.postDue();
  platform.reseller.webhooks.faults.lateMs = 120 * minute;
  await suspendsThree(story);
  story.clock.skip(11 * minute);
  await story.sees(ben, "All 3 are done", "No webhook arrived for", "`mail.example.test`", "in 10 min");
  const aloud = () => replies(story).filter((one) => said(one).includes("No webhook arrived for"));
  const notification = await story.passes(() => aloud()[0], "the word in its thread");
  expect(said(notification)).toContain(`<@${ana.user.id}>`);
  expect(aloud()).toHaveLength(1);
  story.clock.skip(120 * minute);
  await platform.reseller.webhooks.postDue();
  await story.sees(ben, "All 3 are done", "The webhooks arrived for all 3");
  await story.passes(
    () => replies(story).some((one) => said(one).includes("arrived late")),
    "the same word, put right",
  );
  expect(aloud()).toEqual([]);
  expect(cards(story)).toEqual([]);
});
