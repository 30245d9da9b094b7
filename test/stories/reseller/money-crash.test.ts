import { expect, test } from "vitest";
import { goAhead } from "../story.ts";
import { ordersSent, reviewOf } from "./ordering.ts";
import { sellCrashing } from "./selling.ts";

test.each([
  [true, "It was done after all: the order `RES-1000` exists", 1],
  [false, "It was not done: there is no order with this request's id", 0],
])(
  "the app is killed while a wholesale order is on its way (placed: %s): the truth is told, and it is charged once",
  async (applied, words, made) => {
    const story = await sellCrashing();
    const { ana, platform } = story;
    const review = await reviewOf(story, ana, '"VPS S"');
    platform.faults.next({ how: "hang", method: "POST", path: "/reseller/orders", applied });
    await ana.press(review, goAhead);
    await story.later(() => ordersSent(story).length === 1, "the order is on its way");
    await story.kill();
    await story.start();
    await story.sees(ana, words);
    expect(ordersSent(story)).toHaveLength(1);
    expect(platform.reseller.orders()).toHaveLength(made);
  },
  60_000,
);

test("the app is killed while a charge is tried again: the order is looked up, and charged once", async () => {
  const story = await sellCrashing();
  const { ana, platform } = story;
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  await ana.press(await reviewOf(story, ana, '"VPS S"'), goAhead);
  await story.sees(ana, "The charge failed, so nothing was charged");
  platform.reseller.changePaymentMethod("Company card", { refusal: null });
  const review = await story.ask(ana, "/reseller order retry RES-1000", "is charged again");
  platform.faults.next({ how: "hang", method: "POST", path: /\/retry$/, applied: true });
  await ana.press(review, goAhead);
  await story.later(
    () => platform.reseller.orders().some(({ paymentStatus }) => paymentStatus === "paid"),
    "the charge",
  );
  await story.kill();
  await story.start();
  await story.sees(ana, "It was done after all: the order `RES-1000` is paid");
  expect(platform.calls().filter(({ path }) => path.endsWith("/retry"))).toHaveLength(1);
}, 60_000);
