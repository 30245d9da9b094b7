import { expect, test } from "vitest";
import { offered, reviewOf } from "../ordering.ts";
import { goAhead, type Message, type Story, said, startStory } from "../story.ts";

/** The messages that the requester sees in the channel since linking, threads left out. */
function seen({ ana }: Pick<Story, "ana">): Message[] {
  return ana
    .sees()
    .slice(1)
    .filter(({ thread_ts: thread, ts }) => thread === undefined || thread === ts);
}

test("a cancellation is one message, which is edited from the request to its result", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const request = await story.ask(ana, "/vps cancel web-2", "asks to");
  await ana.press(request, goAhead);
  await story.sees(ana, ":white_check_mark:", "web-2");
  const [only, ...others] = seen(story);
  expect(only?.ts).toBe(request.ts);
  expect(others.map(said)).toEqual([]);
});

test("an order and its payment are one message each in the end, and no question remains", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  const review = await reviewOf(story, ana, "VPS S");
  await ana.press(review, goAhead);
  await ana.press(await offered(story, ana, "Pay…"), "Pay…");
  await ana.press(await offered(story, ana, "Pay 6.05 EUR"), goAhead);
  await story.passes(() => seen(story).some((message) => said(message).includes("is ready")), "the server to be ready");
  const texts = seen(story).map(said);
  expect(texts).toHaveLength(2);
  for (const words of ["is ready", "6.05 EUR"]) expect(texts.filter((text) => text.includes(words))).toHaveLength(1);
  // Others see what came of each, and none of the questions.
  const others = ben.sees().filter(({ thread_ts: thread, ts }) => thread === undefined || thread === ts);
  expect(others).toHaveLength(2);
});
