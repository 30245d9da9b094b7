import { expect, test } from "vitest";
import { type Crashing, tellCrashing } from "./crashing.ts";
import { billOf, orderCalls, ordersMade, paidOn, payCalls, reviewOf } from "./ordering.ts";
import { goAhead, type Message } from "./story.ts";

/** What is asked hangs on its way, before the platform did anything or after; then the app is killed and started anew. */
async function killedIn(
  story: Crashing,
  what: { path: string | RegExp; applied: boolean },
  arrived: () => boolean,
): Promise<void> {
  await story.later(arrived, `the call of ${what.path} is on its way`);
  await story.kill();
  await story.start();
}

test.each([
  [true, "It was done after all: the order exists", 1],
  [false, "It was not done: there is no such order", 2],
])(
  "the app is killed while an order is on its way (placed: %s): the truth is told, and however often it is pressed it is one order",
  async (applied, words, sent) => {
    const story = await tellCrashing();
    const { ana, platform } = story;
    const review = await reviewOf(story, ana, "VPS S");
    const fault = { path: "/orders", applied };
    platform.faults.next({ how: "hang", method: "POST", ...fault });
    await ana.press(review, goAhead);
    await killedIn(story, fault, () => orderCalls(story).length === 1);
    await story.sees(ana, words);
    await ana.press(review, goAhead);
    await story.sees(ana, applied ? "Order: " : "Ordered 1 × `VPS S`");
    expect(orderCalls(story)).toHaveLength(sent);
    expect(ordersMade(story)).toHaveLength(1);
    expect(story.slack.state().violations).toEqual([]);
  },
  60_000,
);

test.each([
  [true, "It was done after all: 5.00 EUR arrived", 500],
  [false, "It was not done: nothing has been paid", 0],
])(
  "the app is killed while a payment is on its way (made: %s): the truth is told, and nothing is sent again",
  async (applied, words, paid) => {
    const story = await tellCrashing();
    const { ana, platform } = story;
    const bill = billOf(story, "Renewal of web-2");
    const review = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance");
    const fault = { path: /\/pay$/, applied };
    platform.faults.next({ how: "hang", method: "POST", ...fault });
    await ana.press(review, goAhead);
    await killedIn(story, fault, () => payCalls(story).length === 1);
    await story.sees(ana, words);
    await ana.press(review, goAhead);
    await story.sees(ana, /Pay .*: /);
    expect(payCalls(story)).toHaveLength(1);
    expect(paidOn(story, bill.id)).toBe(paid);
  },
  60_000,
);

test("an order that was placed and kept, but told nobody when the app was killed, is told once by the next one, in its place, with its Pay, and followed", async () => {
  const story = await tellCrashing();
  const { ana, slack, platform } = story;
  const review = await reviewOf(story, ana, "VPS S", { "Host name": "later.example.test" });
  expect(slack.calls("chat.postMessage")).toEqual([]);
  slack.faults.failHttp("chat.postMessage", 503, Number.POSITIVE_INFINITY);
  await ana.press(review, goAhead);
  await story.later(() => slack.calls("chat.postMessage").length > 0, "the news is on its way");
  await story.kill();
  expect(cardsOf(story)).toEqual([]);
  slack.faults.clear();
  await story.start();
  const card = await story.sees(ana, "Ordered", "6.05 EUR", "The server is built once that is paid");
  await ana.press(card, "Pay…");
  await ana.press(await story.sees(ana, "6.05 EUR from the credit balance"), goAhead);
  await story.sees(ana, /being built|is ready/);
  platform.change("later", { status: "active" });
  await story.sees(ana, "1 server is ready");
  expect(cardsOf(story)).toHaveLength(1);
  expect([orderCalls(story), payCalls(story)].map(({ length }) => length)).toEqual([1, 1]);
}, 60_000);

/** The messages that stay about what was ordered, wherever they stand. */
function cardsOf({ slack, platform }: Crashing): Message[] {
  const subjects = new Set<unknown>(platform.orders().map(({ idempotency_key: key }) => `request:${key}`));
  return Object.values(slack.state().channels)
    .flat()
    .filter(({ metadata, thread_ts }) => !thread_ts && subjects.has(metadata?.event_payload.subject));
}

test("a review that waits survives a kill, and is pressed once afterwards", async () => {
  const story = await tellCrashing();
  const { ana } = story;
  const review = await reviewOf(story, ana, "VPS S");
  await story.kill();
  await story.start();
  await ana.press(review, goAhead);
  await story.sees(ana, "Ordered 1 × `VPS S`");
  expect(ordersMade(story)).toHaveLength(1);
}, 60_000);

test("an order that is followed when the app is killed is followed to its end by the next one", async () => {
  const story = await tellCrashing();
  const { ana, platform } = story;
  platform.settings.autoCredit = true;
  await ana.press(await reviewOf(story, ana, "VPS S", { "Host name": "later.example.test" }), goAhead);
  // The follow-up is stored with the order, so its first poll may have brought the card further before anybody looks.
  await story.sees(ana, /was paid at once|Paid for and being built/);
  await story.kill();
  platform.change("later", {
    status: "active",
    ip_addresses: [
      {
        address: "192.0.2.77",
        version: 4,
        prefix_length: 24,
        gateway: "192.0.2.1",
        subnet_cidr: "192.0.2.0/24",
        purpose: "primary",
      },
    ],
  });
  await story.start();
  await story.sees(ana, "1 server is ready", "192.0.2.77");
  expect(orderCalls(story)).toHaveLength(1);
}, 60_000);
