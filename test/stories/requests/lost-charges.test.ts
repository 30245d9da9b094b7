import { expect, test } from "vitest";
import type { FaultKind } from "../../../src/sandbox/platform/http/faults.ts";
import { billOf, fillOrder, offered, orderCalls, ordersMade, paidOn, payCalls, reviewOf } from "../ordering.ts";
import { backOut, goAhead, type Message, type Story, said, startStory } from "../story.ts";

/** The ways in which a platform can do an act and never confirm it. A page or nothing in place of JSON is as unreadable as half of it. */
const silent: FaultKind[] = ["500", "half-json", "reset", "late", "wrong-shape"];

function untilNotified(story: Story, text: string): Promise<Message> {
  return story.comesToSee(story.ana, text);
}

const isPay = { method: "POST", path: /\/pay$/ };
const isOrder = { method: "POST", path: "/orders" };

test.each(silent)("an order that is placed and answered with %s is found by its key, and placed once", async (how) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, "VPS S");
  platform.faults.next({ how, ...isOrder, applied: true });
  await ana.press(review, goAhead);
  await untilNotified(story, "It was done after all: the order exists");
  expect(orderCalls(story)).toHaveLength(1);
  expect(ordersMade(story)).toHaveLength(1);
  await ana.press(review, goAhead);
  await story.sees(ana, "confirmed it, and it is under way");
  expect(orderCalls(story)).toHaveLength(1);
  // It is unpaid, and the way to its payment is there.
  await untilNotified(story, "6.05 EUR left to pay. The platform builds the server after the payment.");
  await offered(story, ana, "Pay…");
});

test.each([
  [{ "Host name": "later.example.test" }, "Pay…"],
  [{}, "Unpaid invoices"],
])(
  "an order that was found by its key while another document was opened is paid by the one that names it (%o)",
  async (plan, way) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const review = await reviewOf(story, ana, "VPS S", plan);
    platform.faults.next({ how: "500", ...isOrder, applied: true });
    await ana.press(review, goAhead);
    await story.sees(ana, "The outcome is unknown");
    await ana.press(await story.ask(ana, "/service renew db-1", "the next renewal of `db-1`"), goAhead);
    await story.sees(ana, "The renewal of `db-1` was issued");
    await untilNotified(story, "It was done after all: the order exists");
    const progress = await story.passes(() => {
      const [order] = platform.orders().filter(({ idempotency_key: key }) => key !== null);
      const card = ana
        .sees()
        .find(({ metadata }) => metadata?.event_payload.subject === `request:${order?.idempotency_key}`);
      return card && /Ordered\. /.test(said(card)) && card;
    }, "the progress of the order");
    expect(JSON.stringify(progress.blocks)).toContain(`"text":"${way}`);
    if (way !== "Pay…") return;
    await ana.press(progress, "Pay…");
    await ana.press(await story.sees(ana, "6.05 EUR from the credit balance"), goAhead);
    await untilNotified(story, "1 server is ready");
    expect(payCalls(story)).toHaveLength(1);
  },
);

test.each(["500", "reset"] satisfies FaultKind[])(
  "an order that is not placed and answered with %s is reported as not placed, and a second press sends it again",
  async (how) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const review = await reviewOf(story, ana, "VPS S");
    platform.faults.next({ how, ...isOrder });
    await ana.press(review, goAhead);
    await untilNotified(story, "It was not done: there is no such order");
    expect(ordersMade(story)).toHaveLength(0);
    await ana.press(review, goAhead);
    await story.sees(ana, "Ordered 1 × `VPS S`");
    expect(ordersMade(story)).toHaveLength(1);
    expect(new Set(orderCalls(story).map(({ body }) => JSON.stringify(body)))).toHaveLength(1);
  },
);

test("an order that is taken so late that it was called not placed is no second one when it is pressed again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, "VPS S");
  platform.faults.next({ how: "hang", ...isOrder, applied: false });
  await ana.press(review, goAhead);
  await untilNotified(story, "It was not done: there is no such order");
  platform.faults.resume();
  await expect.poll(() => ordersMade(story)).toHaveLength(1);
  await ana.press(review, goAhead);
  await story.sees(ana, "It was done after all: the order exists.");
  expect(ordersMade(story)).toHaveLength(1);
});

test("while nobody knows whether an order was placed, the same is not taken again, and another one is", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, "VPS S");
  platform.faults.next({ how: "500", ...isOrder, applied: true });
  platform.faults.next({ how: "500", method: "GET", path: "/orders", times: 9 });
  await ana.press(review, goAhead);
  await story.sees(ana, "The outcome is unknown");
  await ana.press(review, goAhead);
  await story.sees(ana, "Order 1 × VPS S: The platform had a fault", "Do not ask again until");
  await ana.type("/order new VPS S");
  await fillOrder(story, ana);
  await story.sees(ana, "its outcome is still unknown");
  expect(ordersMade(story)).toHaveLength(1);
  const other = await reviewOf(story, ana, "VPS M");
  await story.pressing(ana, other, goAhead, "Ordered");
  await untilNotified(story, "It was done after all: the order exists");
  expect(ordersMade(story)).toHaveLength(2);
});

// The order shows that each of the silent answers counts as none. Here is one of each kind: an error, a broken line, another shape.
test.each(["500", "reset", "wrong-shape"] satisfies FaultKind[])(
  "a payment that is made and answered with %s is read off the document, and made once",
  async (how) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const bill = billOf(story, "Renewal of web-2");
    const review = await story.ask(ana, `/billing pay ${bill.number}`, "from the credit balance");
    platform.faults.next({ how, ...isPay, applied: true });
    await ana.press(review, goAhead);
    await untilNotified(story, "It was done after all: 12.10 EUR arrived");
    await ana.press(review, goAhead);
    expect(payCalls(story)).toHaveLength(1);
    expect(platform.user("ana").balance).toBe(25_000 - bill.total);
  },
);

test("a payment that was not made is reported as not done, and paying again pays once", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const bill = billOf(story, "Renewal of web-2");
  const review = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance");
  platform.faults.next({ how: "reset", ...isPay });
  await ana.press(review, goAhead);
  await untilNotified(story, "It was not done: nothing has been paid");
  await ana.press(
    await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance"),
    goAhead,
  );
  await story.sees(ana, "5.00 EUR paid on", "left to pay");
  expect(paidOn(story, bill.id)).toBe(500);
});

test("a part that was paid without an answer is not paid again by a second request for the same", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const bill = billOf(story, "Renewal of web-2");
  const first = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance");
  const second = await story.ask(ana, `/billing pay ${bill.number} amount=5.00`, "5.00 EUR from the credit balance");
  platform.faults.next({ how: "500", ...isPay, applied: true });
  await ana.press(first, goAhead);
  await story.sees(ana, "The outcome is unknown");
  await story.ask(ana, `/billing pay ${bill.number} amount=5`, "its outcome is still unknown");
  await ana.press(second, goAhead);
  await untilNotified(story, "It was done after all: 5.00 EUR arrived");
  expect(payCalls(story)).toHaveLength(1);
  expect(paidOn(story, bill.id)).toBe(500);
});

test("a payment without an answer is not called the member's own if they paid something else meanwhile and somebody else paid this", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const [bill, other] = ["Renewal of web-2", "Consulting"].map((title) => billOf(story, title));
  platform.faults.next({ how: "500", method: "POST" });
  const request = await story.ask(ana, `/billing pay ${bill?.number} amount=5.00`, "5.00", "Your balance");
  await ana.press(request, goAhead);
  await story.sees(ana, "The outcome is unknown");
  const second = await story.ask(ana, `/billing pay ${other?.number} amount=6.00`, "6.00", "Your balance");
  await story.pressing(ana, second, goAhead, "6.00 EUR paid on");
  platform.payByOperator(bill?.id ?? "");
  await story.comesToSee(ana, "does not show whether that was you");
  expect(ana.sees().map(said).join()).not.toContain("5.00 EUR arrived");
});

test("a payment without an answer is not called done because of another payment of the same sum, whoever paid this document", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const [bill, other] = ["Renewal of web-2", "Consulting"].map((title) => billOf(story, title));
  const first = await story.ask(ana, `/billing pay ${bill?.number}`, "12.10 EUR from the credit balance");
  const second = await story.ask(ana, `/billing pay ${other?.number} amount=12.10`, "12.10 EUR from the credit");
  platform.faults.next({ how: "500", ...isPay });
  await ana.press(first, goAhead);
  await story.sees(ana, "The outcome is unknown");
  await story.pressing(ana, second, goAhead, "12.10 EUR paid on");
  platform.payByOperator(bill?.id ?? "");
  await story.comesToSee(
    ana,
    "your balance fell by 12.10 EUR. You made other payments meanwhile: 12.10 EUR.",
    "does not show whether that was you",
    "Nothing is left to pay",
  );
  expect(ana.sees().map(said).join()).not.toContain("12.10 EUR arrived");
});

test("of two payments without answers, each is told apart by the ledger: one was made, and the other was not", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const [bill, other] = ["Renewal of web-2", "Consulting"].map((title) => billOf(story, title));
  const first = await story.ask(ana, `/billing pay ${bill?.number}`, "12.10 EUR from the credit balance");
  const second = await story.ask(ana, `/billing pay ${other?.number} amount=12.10`, "12.10 EUR from the credit");
  platform.faults.next({ how: "500", method: "POST", path: `/invoices/${bill?.id}/pay`, applied: true });
  platform.faults.next({ how: "500", method: "POST", path: `/invoices/${other?.id}/pay` });
  await Promise.all([ana.press(first, goAhead), ana.press(second, goAhead)]);
  await untilNotified(story, "It was done after all: 12.10 EUR arrived");
  await untilNotified(story, "It was not done: nothing has been paid");
  expect(platform.user("ana").balance).toBe(25_000 - 1_210);
});

test("a second request whose document is just being settled waits, though nothing shows on the document yet", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const bill = billOf(story, "Renewal of web-2");
  const first = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance");
  const second = await story.ask(ben, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance");
  platform.faults.next({ how: "reset", ...isPay });
  await ana.press(first, goAhead);
  await story.sees(ana, "The outcome is unknown");
  await ben.press(second, goAhead);
  await story.sees(ben, "its outcome is still unknown");
  expect(payCalls(story)).toHaveLength(1);
});

test("a colleague's payment in the meantime is not taken for the member's own payment", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const bill = billOf(story, "Renewal of web-2");
  const review = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance");
  platform.faults.next({ how: "500", ...isPay });
  await ana.press(review, goAhead);
  await story.sees(ana, "The outcome is unknown");
  await fetch(`${platform.url}/invoices/${bill.id}/pay`, {
    method: "POST",
    headers: { authorization: `Bearer ${platform.keys.ben.key}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 3 }),
  });
  await untilNotified(story, "It was not done: 3.00 EUR was paid");
  expect(platform.user("ana").balance).toBe(25_000);
});

test.each([true, false])(
  "a proforma that was paid without an answer is reported as paid (its invoice recorded: %s)",
  async (recorded) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.settings.recordsConversion = recorded;
    const bill = billOf(story, "Colocation for a quarter");
    const review = await story.ask(ana, `/billing pay ${bill.number}`, "145.20 EUR from the credit balance");
    platform.faults.next({ how: "reset", ...isPay, applied: true });
    await ana.press(review, goAhead);
    await untilNotified(story, "It was done after all: 145.20 EUR arrived");
    expect(payCalls(story)).toHaveLength(1);
  },
);

test.each([
  ["invoice", true, "Its invoice of 6.05 EUR was paid at once from the balance. The platform is building the order."],
  ["proforma", true, "Its proforma of 6.05 EUR was paid at once from the balance and became an invoice."],
  ["proforma", false, "Its proforma of 6.05 EUR was paid at once from the balance and became an invoice."],
] as const)(
  "an order's %s that credit pays by itself reads as paid (recorded: %s)",
  async (document, recorded, words) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    Object.assign(platform.settings, { document, autoCredit: true, recordsConversion: recorded });
    await ana.press(await reviewOf(story, ana, "VPS S"), goAhead);
    const message = await story.sees(ana, words);
    expect(JSON.stringify(message.blocks)).not.toContain("Pay…");
    await untilNotified(story, "is being installed");
    await untilNotified(story, "1 server is ready");
    expect(payCalls(story)).toHaveLength(0);
  },
);

/** The answer with another payment by credit, or with none: then something else settled the document. */
function creditOf(applied: object | null) {
  return (body: unknown) =>
    JSON.parse(JSON.stringify(body), (key, value) => (key === "autoCreditApplied" ? (applied ?? undefined) : value));
}

test.each([
  [null, "Nothing is left to pay on its invoice of 6.05 EUR.", "`web-2`, and nothing is left to pay"],
  [{ creditApplied: 1 }, "paid at once, 1.00 EUR of it from the balance. The platform", "`web-2`, and it is paid"],
])(
  "a purchase that is settled by the credit %o names no other payment from the balance",
  async (applied, order, addOn) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.settings.autoCredit = true;
    platform.faults.next({ how: { rewrite: creditOf(applied) }, ...isOrder });
    await story.pressing(ana, await reviewOf(story, ana, "VPS S"), goAhead, order);
    platform.faults.next({ how: { rewrite: creditOf(applied) }, method: "POST", path: /\/options$/ });
    const request = await story.ask(ana, "/service option add web-2 option=Monitoring", "full cycle");
    await story.pressing(ana, request, goAhead, addOn);
    expect(ana.sees().map(said).join().includes("from the balance")).toBe(applied !== null);
  },
);

test("an hourly order says that it has no invoice, and one below the minimum balance is refused; one paid in part offers the rest", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, platform } = story;
  const review = await reviewOf(story, ana, "VPS S", { Billed: "hourly" });
  expect(said(review)).toContain("0.0075 EUR an hour");
  expect(said(review)).toContain("The platform charges it by the hour from the credit balance");
  await ana.press(review, goAhead);
  await story.sees(ana, "The order is charged by the hour, without an invoice");
  await caro.press(
    await reviewOf(story, caro, "VPS S", { Billed: "hourly", "Host name": "caro.example.test" }),
    goAhead,
  );
  await story.sees(caro, "below the minimum", "Nothing was charged");
  expect(ordersMade(story)).toHaveLength(1);
  platform.settings.autoCredit = true;
  await ben.press(await reviewOf(story, ben, "VPS L", { "How many": 2 }), goAhead);
  await story.comesToSee(ben, "8.40 EUR left to pay of 48.40 EUR");
  await offered(story, ben, "Pay…");
});

test("an order too many in a quarter of an hour stays open, with the time when it may be pressed again, and presses in one moment place it once", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, "VPS S");
  platform.faults.next({
    how: {
      status: 429,
      body: { success: false, error: "Too many orders", code: "ACTION_RATE_LIMITED", retry_after_seconds: 120 },
      headers: { "retry-after": "120" },
    },
    ...isOrder,
  });
  await ana.press(review, goAhead);
  const open = await story.sees(ana, "It can be tried again", "Your balance");
  await Promise.all([ana.press(open, goAhead), ana.press(open, goAhead), ana.press(open, goAhead)]);
  await story.sees(ana, "Ordered 1 × `VPS S`");
  expect(orderCalls(story)).toHaveLength(2);
  expect(ordersMade(story)).toHaveLength(1);
});

test("the balance is in no message that a colleague sees, and the amount that is sent is the one that was shown", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const bill = billOf(story, "Consulting");
  const review = await story.ask(ana, `/billing pay ${bill.number} amount=56.8`, "56.80 EUR from the credit balance");
  await ana.press(review, goAhead);
  await story.sees(ben, "is paid (56.80 EUR)");
  expect(payCalls(story)).toMatchObject([{ body: { amount: 56.8 } }]);
  const seen = ben.sees().map(said).join("\n");
  expect(seen).not.toContain("250.00");
  expect(seen).not.toContain("193.20");
});

test.each([
  // That it exists is said until its invoice is known, which may be at once.
  ["an order", { path: "/orders" }, (story: Story) => reviewOf(story, story.ana, "VPS S"), "left to pay"],
  [
    "a payment",
    { path: /\/pay$/ },
    (story: Story) =>
      story.ask(
        story.ana,
        `/billing pay ${billOf(story, "Renewal of web-2").number} amount=5`,
        "from the credit balance",
      ),
    "It was done after all: 5.00 EUR arrived",
  ],
])("%s that takes effect three minutes after it was sent is never called not done", async (_, to, review, words) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await review(story);
  platform.faults.next({ how: "late", method: "POST", ...to, applied: false, lateMs: 3 * 60_000 });
  await ana.press(request, goAhead);
  await untilNotified(story, words);
  expect(ana.sees().map(said).join()).not.toContain("Do not ask again until");
});

const firstUnknown = "The outcome of the first attempt stays unknown";

/** Ana's order, whose answer got lost and which nobody could read while Rackbell checked. */
async function orderUnread(story: Story, applied = true) {
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, "VPS S");
  platform.faults.next({ how: "reset", applied, method: "POST", path: "/orders" });
  await ana.press(review, goAhead);
  await story.passes(() => orderCalls(story).length === 1, "the order is sent");
  platform.faults.next({ how: "500", method: "GET", path: "/orders", times: 1_000 });
  return story.comesToSee(ana, "Send the same again");
}

test.each([true, false])(
  "an order whose outcome cannot be read is sent again under its key, and is one order (applied: %s)",
  async (applied) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    const open = await orderUnread(story, applied);
    await story.pressing(ana, open, goAhead, "Ordered 1 × `VPS S`");
    const [first, second] = orderCalls(story).map(({ body }) => body);
    expect(second).toEqual(first);
    expect(ordersMade(story)).toHaveLength(1);
  },
);

test.each(["late", "reset", { status: 503, body: {} }] as const)(
  "a second sending before which a read fails with %o rules nothing out, and stays one order",
  async (how) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const open = await orderUnread(story);
    // The facts are read at the press; the sending reads them once more.
    platform.faults.next({ how: { rewrite: (body) => body }, method: "GET", path: /products\/[^/]+$/ });
    platform.faults.next({ how, method: "GET", path: /products\/[^/]+$/, times: 20 });
    const unsent = await story.pressing(ana, open, goAhead, "It was not sent again", firstUnknown);
    expect(said(unsent)).not.toContain("nothing changed");
    expect(orderCalls(story)).toHaveLength(1);
    platform.faults.resume();
    await story.pressing(ana, unsent, goAhead, "It was done after all");
    expect(ordersMade(story)).toHaveLength(1);
  },
);

test.each([
  [
    "a rule",
    ({ ask, caro }: Story) => ask(caro, "/rackbell policy add demand=one-approval risk=spend", "In effect now"),
  ],
  [
    "the end of its key",
    async ({ ask, ana }: Story) => ana.press(await ask(ana, "/rackbell unlink", "Unlink"), "Unlink a key"),
  ],
])("an order without an outcome that %s ends is not said to be undone", async (_, end) => {
  const story = await startStory({ linked: ["ana", "caro"], environment: { ADMINS: "" } });
  story.slack.setRole("caro", "admin");
  await orderUnread(story);
  await end(story);
  const ended = said(await story.comesToSee(story.ana, "It was not sent again", firstUnknown));
  expect(ended).not.toMatch(/nothing was done|ask again if/i);
});

const mayArrive = "The first attempt was not done so far, and may still arrive";

test.each([
  ["withdrawn", "#ops", async (story: Story, open: Message) => story.ana.press(open, backOut)],
  ["left alone", "dm", async ({ clock }: Story) => clock.skip(2 * 60 * 60_000)],
])(
  "an order that was called not placed is replaced by no other order, and is not said to be undone when %s",
  async (_, place, end) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const review = await reviewOf(story, ana, "VPS S");
    platform.faults.next({ how: "hang", ...isOrder, applied: false });
    await ana.press(review, goAhead);
    const open = await story.comesToSee(ana, "It was not done: there is no such order");
    expect(JSON.stringify(open.blocks)).not.toMatch(/Correct it|Narrow/);
    await story.seesIn("dm", ana, "awaits a confirmation again", "It was not done");
    await end(story, open);
    const ended = said(await story.comesToSeeIn(place, ana, "It was not sent again", mayArrive));
    expect(ended).not.toMatch(/nothing was done/i);
  },
);

test("an order without an outcome calls those who decide once more, and names who approved it if it was done", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], rules: ["demand=one-approval risk=spend"] });
  const { ana, ben, caro, platform } = story;
  await ana.type("/order new VPS S");
  await fillOrder(story, ana);
  const request = await story.sees(ana, "asks to", "VPS S");
  platform.faults.next({ how: "reset", applied: true, ...isOrder });
  await ben.press(request, goAhead);
  await story.passes(() => orderCalls(story).length === 1, "the order is sent");
  platform.faults.next({ how: "500", method: "GET", path: "/orders", times: 1_000 });
  const open = await story.comesToSee(ana, "Send the same again");
  await story.sees(ana, "awaits a decision again", "The outcome stays unknown", "Earlier approvals no longer count");
  platform.faults.resume();
  const done = await story.pressing(caro, open, goAhead, "It was done after all");
  expect(said(done)).toContain(`approved by <@${ben.user.id}>`);
  expect(ordersMade(story)).toHaveLength(1);
});

test.each([true, false])(
  "a payment whose outcome was looked for notifies who paid of its end (applied: %s)",
  async (applied) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const bill = billOf(story, "Renewal of web-2");
    const review = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR from the credit balance");
    platform.faults.next({ how: "reset", ...isPay, applied });
    await ana.press(review, goAhead);
    await story.sees(ana, "The outcome is unknown");
    if (applied) platform.faults.next({ how: "500", method: "GET", times: 1_000 });
    await story.comesToSeeIn("dm", ana, applied ? "The outcome stays unknown" : "It was not done");
  },
);
