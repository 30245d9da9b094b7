import { expect, test } from "vitest";
import { billOf, offered, payCalls } from "../ordering.ts";
import { goAhead, said, startStory } from "../story.ts";

test("the balance is shown to its owner alone, in the account's currency", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const answer = await story.ask(story.ana, "/billing balance", "250.00 EUR");
  expect(JSON.stringify(answer.blocks)).not.toContain("Show to channel");
  expect(story.ben.sees().some((message) => said(message).includes("250.00"))).toBe(false);
  await story.ask(story.ben, "/billing balance", "40.00 EUR");
});

test("the account shows its profile as it comes, to its member alone, and says in words which acts the account permits", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben, platform } = story;
  const answer = await story.ask(ben, "/billing account", "Your balance is", "40.00");
  expect(said(answer)).toContain("Rackbell Practice");
  expect(JSON.stringify(answer.blocks)).not.toContain("Show to channel");
  platform.changeUser("ben", { permissions: new Set(["services.view", "invoices.pay"]) });
  const permitted = "The account lets you see services and pay invoices.";
  expect(said(await story.ask(ben, "/billing account", permitted))).not.toMatch(/›|permissions/);
});

test("the usage shows recurring costs, unpaid invoices, hourly charges and the balance, with a chart", async () => {
  const story = await startStory({ linked: ["ana"] });
  const texts = ["Recurring", "Unpaid", "Charged by the hour", "250.00 EUR"];
  const answer = await story.ask(story.ana, "/billing usage", ...texts);
  const chart = answer.blocks?.find(({ type }) => type === "data_visualization");
  expect(JSON.stringify(chart)).toMatch(/"label":"active","value":\d+/);
});

test("a transaction reads as a sentence would, with its currency and in the reader's own time, and an empty ledger says so", async () => {
  const story = await startStory({ linked: ["ana", "caro"] });
  const { ana, caro } = story;
  const row = said(await story.ask(ana, "/billing transactions", "1 transaction"));
  expect(row).toMatch(/• Credit added · 250\.00 EUR · deposit · <!date\^\d+/);
  expect(row).toContain("balance after 250.00 EUR");
  await story.ask(ana, "/billing transactions page=999", "There is no page 999", "fill 1 page.");
  await story.ask(caro, "/billing transactions", "There are no transactions");
});

test("documents are listed by status, opened by their number, by status or not at all", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const part = billOf(story, "Consulting");
  const list = await story.ask(ana, "/billing invoices unpaid", "unpaid invoice", part.number);
  expect(said(list)).not.toContain("Paid until");
  const card = said(await story.ask(ana, `/billing show ${part.number}`, "left to pay", "Consulting"));
  expect(card).toContain("40.00 EUR");
  await story.ask(ana, "/billing proformas", "3 proformas", "145.20 EUR");
  await story.ask(
    ana,
    "/billing invoices lost",
    "Status: it must be one of unpaid, pending, paid, converted, cancelled",
  );
});

test("an invoice is paid in full with the amount that was shown, and the channel reads so without the balance", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const { number, total } = billOf(story, "Colocation for a quarter");
  const review = await story.ask(ana, `/billing pay ${number}`, "145.20 EUR", "250.00 EUR", "Only you see this");
  expect(payCalls(story)).toHaveLength(0);
  const { confirm } = await ana.press(review, goAhead);
  expect(confirm).toMatchObject({
    title: "Pay 145.20 EUR?",
    text: `Pay ${number}: 145.20 EUR from the credit balance. Your balance: 250.00 EUR now, 104.80 EUR afterwards.`,
    confirm: "Yes, pay 145.20 EUR",
  });
  const alert = said(await story.sees(ben, `\`${number}\` is paid (145.20 EUR)`));
  expect(alert).not.toMatch(/asked|credit balance|104\.80|250/);
  expect(payCalls(story)).toMatchObject([{ body: { amount: 145.2 } }]);
  expect(platform.user("ana").balance).toBe(25_000 - total);
  const invoice = billOf(story, "Renewal of web-2");
  platform.payByOperator(invoice.id);
  await story.ask(ana, `/billing pay ${invoice.number}`, "is paid: nothing is left to pay");
});

test("a part payment says how much is left, and one press opens the payment of the rest", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const bill = billOf(story, "Renewal of web-2");
  const review = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR", "Left to pay then");
  await ana.press(review, goAhead);
  const rest = ((bill.total - 500) / 100).toFixed(2);
  await story.sees(ana, "5.00 EUR paid on", `${rest} EUR left to pay`);
  await ana.press(await offered(story, ana, "Pay the rest…"), "Pay the rest…");
  await story.sees(ana, "from the credit balance", `${rest} EUR`);
  expect(payCalls(story)).toHaveLength(1);
});

test("without an amount as much is paid as the own balance covers", async () => {
  const story = await startStory({ linked: ["ben"] });
  const bill = billOf(story, "Colocation for a quarter");
  const review = await story.ask(story.ben, `/billing pay ${bill.number}`, "40.00 EUR from the credit balance");
  await story.ben.press(review, goAhead);
  await story.sees(story.ben, "40.00 EUR paid on", "left to pay");
  expect(payCalls(story)).toMatchObject([{ body: { amount: 40 } }]);
});

test("a payment that cannot succeed is refused with its reason, and nothing is paid", async () => {
  const story = await startStory({ linked: ["ana", "caro", "dave"] });
  const bill = billOf(story, "Renewal of web-2");
  await story.ask(story.ana, `/billing pay ${bill.number} amount=9999`, "is left to pay", "Nothing was paid");
  await story.ask(story.ana, `/billing pay ${bill.number} amount=-4`, "an amount such as 12.50");
  await story.ask(story.caro, `/billing pay ${bill.number}`, /The balance of <@\w+> does not cover/);
  await story.ask(story.dave, `/billing pay ${bill.number}`, "needs the scope `billing`");
  expect(payCalls(story)).toHaveLength(0);
});

test("a request to pay a document that was paid meanwhile pays nothing, and says that nothing is left to pay", async () => {
  const story = await startStory({ linked: ["ana"] });
  const bill = billOf(story, "Renewal of web-2");
  const review = await story.ask(story.ana, `/billing pay ${bill.number}`, "from the credit balance");
  story.platform.payByOperator(bill.id);
  await story.ana.press(review, goAhead);
  await story.sees(story.ana, "nothing is left to pay");
  expect(payCalls(story)).toHaveLength(0);
});

test.each([
  [true, "Its invoice"],
  [false, "Paid invoices"],
])("a proforma that is paid becomes an invoice (recorded: %s)", async (recorded, way) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.recordsConversion = recorded;
  const bill = billOf(story, "Colocation for a quarter");
  const review = await story.ask(ana, `/billing pay ${bill.number}`, "from the credit balance");
  await ana.press(review, goAhead);
  await story.sees(ana, "is paid", "It became an invoice");
  const card = await story.ask(ana, `/billing show ${bill.number}`, "paid and converted into an invoice");
  await story.pressing(ana, card, way, recorded ? "· invoice" : "paid invoice");
});

test("a number that an invoice and a proforma share asks which one is meant, and pays neither", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const [invoice, proforma] = [billOf(story, "Renewal of web-2"), billOf(story, "Colocation for a quarter")];
  const row = { id: proforma.id, number: invoice.number, status: "unpaid", total: "145.20", currency: "EUR" };
  const pagination = { page: 1, limit: 200, total: 1, pages: 1 };
  const body = { success: true, data: { proformas: [row], pagination } };
  platform.faults.next({ how: { status: 200, body }, method: "GET", path: "/proformas" });
  const picker = await story.ask(ana, `/billing pay ${invoice.number}`, "means more than one invoice or proforma");
  expect(said(picker)).toContain("proforma · unpaid");
  expect(said(picker)).toContain("invoice · unpaid");
  await story.pressing(ana, picker, { index: 1 }, "from the credit balance");
  expect(payCalls(story)).toEqual([]);
});

test("a member without the permission to see documents reads that it is missing", async () => {
  const story = await startStory({ linked: ["ben"] });
  const bill = billOf(story, "Renewal of web-2");
  story.platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  await story.ask(story.ben, `/billing show ${bill.id}`, "Insufficient permissions");
});

test("the amount left to pay is the same in the list, on the invoice, in the payment request and on Home; a proforma shows its due date too", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const part = billOf(story, "Consulting");
  const list = said(await story.ask(ana, "/billing invoices unpaid", part.number));
  expect(list).toContain(`\`${part.number}\` · *56.80 EUR left to pay of 96.80 EUR*\nunpaid · due <!date^`);
  expect(list).not.toContain("118.58");
  await story.ask(ana, `/billing show ${part.number}`, "*56.80 EUR left to pay of 96.80 EUR*", "due <!date^");
  const proforma = billOf(story, "Colocation for a quarter");
  await story.ask(ana, "/billing proformas unpaid", `\`${proforma.number}\``, "unpaid · due <!date^");
  await story.ask(ana, `/billing show ${proforma.number}`, "left to pay", "due <!date^");
  await story.ask(ana, `/billing pay ${part.number}`, "56.80 EUR from the credit balance");
  await story.ask(ana, "/billing usage", "68.90 EUR in 2 invoices");
  await ana.openHome();
  await slack.until(
    () => JSON.stringify(ana.home() ?? "").includes("56.80 EUR left to pay of 96.80 EUR"),
    "Home to say it",
  );
});

test("every line and payment of a document is read, however many there are", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const bill = billOf(story, "Colocation for a quarter");
  bill.lines.splice(
    0,
    1,
    ...Array.from({ length: 95 }, (_, at) => ({ description: `Rack unit ${at + 1}`, amount: 100 })),
  );
  bill.payments.push({ id: "p1", amount: 500, method: "operator", created_at: "2026-11-20T10:00:00Z" });
  const card = await story.ask(ana, `/billing show ${bill.number}`, "• Rack unit 3 · 1.00 EUR", "and 92 more");
  const first = await story.details(ana, card, "Lines* (95) · page 1 of 3", "• Rack unit 12 · 1.00 EUR");
  expect(first).toContain("• operator · 5.00 EUR · <!date^");
  expect(first).not.toMatch(/would not fit|▁|›/);
  await ana.press(card, "Details");
  await story.modal(ana, "page 1 of 3");
  await ana.press("modal", "Next");
  await story.modal(ana, "Rack unit 80 ·", "page 2 of 3");
  await ana.press("modal", "Next");
  await story.modal(ana, "Rack unit 95 ·", "page 3 of 3");
});
