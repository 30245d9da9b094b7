import { expect, test } from "vitest";
import { backOut, goAhead, pressInDetails, type Story, said } from "../story.ts";
import { orderOne, ordersSent, reviewOf } from "./ordering.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

// A lost answer is found out where it can be; where it cannot, the same goes out again under its id, which charges once.

const path = "/reseller/services/{serviceId}/options";
const one = '/reseller service options set ACME-002 options="Extra IPv4 address"';
const again = "Send the same again";
const orders = "/reseller/orders";

const sets = (story: Story) => resellerWrites(story).filter(({ method }) => method === "PUT");

test.each([
  [false, "It was not done: `mail.example.test` has the add-ons that it had, and nothing was ordered since"],
  [true, "It was done after all"],
])("after a lost answer an order of another service leaves nothing undecided (applied: %s)", async (applied, end) => {
  const story = await startResellerStory({ partners: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, one, "will change");
  platform.faults.next({ how: "reset", applied, method: "PUT", path });
  await story.pressing(ana, request, goAhead, "I am checking the outcome");
  const other = await story.ask(ben, '/reseller service options set ACME-001 options="Daily backup"', "will change");
  await story.pressing(ben, other, goAhead, "are set");
  await story.comesToSee(ana, end);
  expect(platform.reseller.orders()).toHaveLength(applied ? 2 : 1);
});

/** Ana's set, whose answer got lost and for which the platform gives no outcome while Rackbell checks. */
async function lost(applied: boolean) {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, one, "will change");
  platform.faults.next({ how: "reset", applied, method: "PUT", path });
  await ana.press(request, goAhead);
  await story.passes(() => sets(story).length === 1, "the set is sent");
  platform.faults.next({ how: "500", method: "GET", times: 1_000 });
  const open = await story.comesToSee(ana, "The outcome stays unknown", again);
  return { story, open };
}

test.each([true, false])(
  "a set that nobody could find out about is sent again, and charged once (applied: %s)",
  async (applied) => {
    const { story, open } = await lost(applied);
    const { ana, platform } = story;
    platform.faults.resume();
    await story.pressing(ana, open, goAhead, applied ? "It was done after all" : "are set");
    expect(platform.reseller.orders()).toHaveLength(1);
    const [first, second] = sets(story).map(({ body }) => body);
    if (applied) expect(second).toBeUndefined();
    else expect(second).toEqual(first);
  },
);

test("while it is not sent again, it never counts as not done: not when it is withdrawn, and not when its time is over", async () => {
  const withdrawn = await lost(true);
  const { ana } = withdrawn.story;
  await withdrawn.story.pressing(ana, withdrawn.open, backOut, "It was not sent again", "check the resource yourself");
  const { story } = await lost(true);
  story.clock.skip(2 * 60 * 60_000);
  await story.seesIn("dm", story.ana, "It was not sent again", "The outcome of the first attempt stays unknown");
  expect(sets(story)).toHaveLength(1);
});

test.each([true, false])("an order without an outcome is sent again under its id (applied: %s)", async (applied) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"');
  platform.faults.next({ how: "reset", applied, method: "POST", path: orders });
  await ana.press(review, goAhead);
  await story.passes(() => ordersSent(story).length === 1, "the order is sent");
  // The lookup of the order fails to the end, and the catalogue can be read again.
  platform.faults.next({ how: "500", method: "GET", path: orders, times: 1_000 });
  const open = await story.comesToSee(ana, "The outcome stays unknown", again);
  const answer = applied ? "nothing was ordered or charged twice" : "Ordered 1 × `VPS S`";
  await story.pressing(ana, open, goAhead, answer);
  const [first, second] = ordersSent(story).map(({ body }) => body);
  expect(second).toEqual(first);
  expect(platform.reseller.orders()).toHaveLength(1);
});

test.each([
  [true, "was done after all", "was run without approval"],
  [false, "are set", "The outcome of the first attempt stays unknown"],
])(
  "an emergency override without an outcome is announced as what it came to at the next press (applied: %s)",
  async (applied, end, announced) => {
    const story = await startResellerStory({
      partners: ["ana", "ben"],
      linked: ["ana", "ben"],
      rules: ["demand=one-approval risk=spend glass=yes"],
    });
    const { ana, ben, platform, slack } = story;
    slack.setRole("ben", "admin");
    const request = await story.ask(ana, one, "*Override*");
    await pressInDetails(story, ana, request, "Override…", "Run without approval");
    await ana.fill({ "Why?": "It is needed tonight" });
    platform.faults.next({ how: "reset", applied, method: "PUT", path });
    await ana.submit();
    await story.passes(() => sets(story).length === 1, "the set is sent");
    platform.faults.next({ how: "500", method: "GET", times: 1_000 });
    const open = await story.comesToSee(ben, "The outcome stays unknown", again);
    await story.sees(ben, "Emergency override", "was tried without approval", "The outcome stays unknown");
    platform.faults.resume();
    const done = said(await story.pressing(ben, open, goAhead, end));
    expect(done.includes(`run without approval by <@${ana.user.id}>`)).toBe(applied);
    const loud = said(await story.sees(ben, "Emergency override", announced));
    expect(loud).not.toContain("send the same again");
    expect(sets(story)).toHaveLength(applied ? 1 : 2);
  },
);

test.each([
  [400, "VALIDATION_ERROR", ["Not now", "outcome of the first attempt stays unknown"]],
  [429, "RATE_LIMITED", ["Not now", "outcome of the first attempt stays unknown"]],
  // The spec does not name this answer to an order: it does not even prove that the second sending was refused.
  [402, "PAYMENT_FAILED", ["its contract does not name: Not now", "The outcome is unknown"]],
] as const)("a second sending that is refused with %i says nothing of the first", async (status, code, words) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"');
  platform.faults.next({ how: "reset", applied: true, method: "POST", path: orders });
  await ana.press(review, goAhead);
  await story.passes(() => ordersSent(story).length === 1, "the order is sent");
  platform.faults.next({ how: "500", method: "GET", path: orders, times: 1_000 });
  const open = await story.comesToSee(ana, "The outcome stays unknown", again);
  platform.faults.next({
    how: { status, body: { success: false, error: "Not now", code } },
    method: "POST",
    path: orders,
  });
  await story.pressing(ana, open, goAhead, ...words);
});

test("an order that never arrived is open to go out as the same one", async () => {
  const story = await startResellerStory();
  story.platform.faults.next({ how: "reset", method: "POST", path: orders });
  await orderOne(story, "I am checking the outcome");
  const open = await story.comesToSee(story.ana, "It was not done: there is no order", "keeps its id");
  await story.pressing(story.ana, open, goAhead, "Ordered 1 × `VPS S`");
  const [first, second] = ordersSent(story).map(({ body }) => body);
  expect(second).toEqual(first);
});
