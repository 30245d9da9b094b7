import { expect, test } from "vitest";
import { fillOrder, orderCalls, reviewOf } from "../ordering.ts";
import { ordersSent, reviewOf as resellerReview } from "../reseller/ordering.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { backOut, goAhead, said, startStory } from "../story.ts";

const shop = { "Host name": "shop.example.test" };
const second = "request:press-second";

test("two members who order one host name in one second: one is ordered, and the second member is shown it and asked", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, slack } = story;
  const reviews = [
    await reviewOf(story, ana, "VPS S", shop),
    await reviewOf(story, ben, "VPS S", { "Host name": "SHOP.example.test" }),
  ] as const;
  await Promise.all([ana.press(reviews[0], goAhead), ben.press(reviews[1], goAhead)]);
  const question = await slack.until(
    () =>
      [ana, ben]
        .map((actor) => ({
          actor,
          message: actor.sees().find((one) => said(one).includes("Do you want a second one?")),
        }))
        .find(({ message }) => message !== undefined),
    "one of them to be asked",
  );
  const { actor, message } = question;
  if (!message) throw new Error("Nobody was asked");
  const other = actor === ana ? ben : ana;
  expect(said(message)).toMatch(new RegExp(`<@${other.user.id}> ordered the same.*VPS S.*example\\.test`, "i"));
  expect(said(message)).toContain("monthly: 5.00 EUR before tax");
  await story.sees(other, "Ordered 1 × `VPS S`");
  expect(orderCalls(story)).toHaveLength(1);
  await story.pressing(actor, message, second, "Ordered 1 × `VPS S`");
  expect(orderCalls(story)).toHaveLength(2);
});

test("another host name, another product, or a quarter of an hour later is nobody's second one", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock } = story;
  await ana.press(await reviewOf(story, ana, "VPS S", shop), goAhead);
  await story.sees(ana, "Ordered 1 × `VPS S`");
  const named = await reviewOf(story, ben, "VPS S", { "Host name": "blog.example.test" });
  const larger = await reviewOf(story, ben, "VPS M", shop);
  clock.skip(15 * 60_000);
  const late = await reviewOf(story, ben, "VPS S", shop);
  for (const review of [named, larger, late]) expect(said(review)).not.toContain("ordered the same");
  await story.pressing(ben, late, goAhead, "Ordered 1 × `VPS S`");
});

test("an order that only waits, or that the platform refused, does not count as a first one", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const waiting = await reviewOf(story, ana, "VPS S", shop);
  const body = { success: false, code: "BAD_REQUEST", error: "Not today" };
  platform.faults.next({ how: { status: 400, body }, method: "POST", path: "/orders" });
  await story.pressing(ana, waiting, goAhead, "The platform said no");
  const review = await reviewOf(story, ben, "VPS S", shop);
  await story.pressing(ben, review, goAhead, "Ordered 1 × `VPS S`");
});

test("without a host name the same product by another member is asked about, and a member's own second one is not", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.pressing(ana, await reviewOf(story, ana, "VPS S"), goAhead, "Ordered 1 × `VPS S`");
  expect(said(await reviewOf(story, ana, "VPS S"))).not.toContain("ordered the same");
  expect(said(await reviewOf(story, ben, "VPS S"))).toContain(`<@${ana.user.id}> ordered the same`);
});

test("an order that others approve is asked about at its approval, and the next approval means it", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro } = story;
  const mine = await reviewOf(story, ben, "VPS S", shop);
  await story.ask(ana, '/rackbell policy add demand=one-approval command="order new"', "In effect now");
  await ana.type("/order new VPS S");
  await fillOrder(story, ana, shop);
  const request = await story.sees(caro, "asks to", "Somebody other than");
  await ben.press(mine, backOut);
  await ben.type("/order new VPS S");
  await fillOrder(story, ben, shop);
  const other = await story.slack.until(
    () => caro.sees().find((one) => one.ts !== request.ts && said(one).includes("Somebody other than")),
    "the request of ben",
  );
  await story.pressing(caro, request, goAhead, "Ordered 1 × `VPS S`");
  const repeat = await story.pressing(caro, other, goAhead, `<@${ana.user.id}> ordered the same`, "Approve…");
  expect(orderCalls(story)).toHaveLength(1);
  await story.pressing(caro, repeat, second, "Ordered 1 × `VPS S`");
  expect(orderCalls(story)).toHaveLength(2);
});

test("a reseller order is asked about as well", async () => {
  const story = await startResellerStory({ linked: ["ana", "ben"], partners: ["ana", "ben"] });
  const { ana, ben } = story;
  const named = { plan: shop };
  const first = await resellerReview(story, ana, '"VPS S"', named);
  const other = await resellerReview(story, ben, '"VPS S"', named);
  await story.pressing(ana, first, goAhead, "VPS S");
  await story.slack.until(() => ordersSent(story).length === 1, "the first order");
  const repeat = await story.pressing(ben, other, goAhead, `<@${ana.user.id}> ordered the same`, "second one");
  expect(ordersSent(story)).toHaveLength(1);
  await ben.press(repeat, second);
  await story.slack.until(() => ordersSent(story).length === 2, "the second order");
});

test("a double press is no answer to the question: nothing is ordered before it was read", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const first = await reviewOf(story, ana, "VPS S", shop);
  const other = await reviewOf(story, ben, "VPS S", shop);
  await story.pressing(ana, first, goAhead, "Ordered 1 × `VPS S`");
  await Promise.all([ben.press(other, goAhead), ben.press(other, goAhead)]);
  const questions = () => ben.sees().filter((one) => said(one).includes("Do you want a second one?"));
  await story.slack.until(() => questions().length === 2, "each press to be answered");
  expect(orderCalls(story)).toHaveLength(1);
});
