import { expect, test } from "vitest";
import { billOf, offered, payCalls } from "./ordering.ts";
import { goAhead, said, tell } from "./story.ts";

test("the balance is shown to its owner alone, in the account's currency", async () => {
  const story = await tell({ linked: ["ana", "ben"] });
  const answer = await story.ask(story.ana, "/billing balance", "250.00 EUR");
  expect(JSON.stringify(answer.blocks)).not.toContain("Show to channel");
  expect(story.ben.sees().some((message) => said(message).includes("250.00"))).toBe(false);
  await story.ask(story.ben, "/billing balance", "40.00 EUR");
});

test("the account shows its profile as it comes, to its member alone", async () => {
  const story = await tell({ linked: ["ben"] });
  const answer = await story.ask(story.ben, "/billing account", "Your balance is", "40.00");
  expect(said(answer)).toContain("Rackbell Practice");
  expect(JSON.stringify(answer.blocks)).not.toContain("Show to channel");
});

test("usage says what runs, what is unpaid and what was charged", async () => {
  const story = await tell({ linked: ["ana"] });
  await story.ask(story.ana, "/billing usage", "Recurring", "Unpaid", "Charged by the hour", "250.00 EUR");
  expect(story.slack.state().violations).toEqual([]);
});

test("transactions are rendered as they come, and an empty ledger says so", async () => {
  const story = await tell({ linked: ["ana", "caro"] });
  await story.ask(story.ana, "/billing transactions", "1 transaction", "Credit added");
  await story.ask(story.caro, "/billing transactions", "There are no transactions");
});

test("documents are listed by status, opened by their number, by status or not at all", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana } = story;
  const part = billOf(story, "Consulting");
  const list = await story.ask(ana, "/billing invoices unpaid", "unpaid invoice", part.number);
  expect(said(list)).not.toContain("Paid until");
  const card = said(await story.ask(ana, `/billing show ${part.number}`, "Left to pay", "Consulting"));
  expect(card).toContain("40.00 EUR");
  await story.ask(ana, "/billing proformas", "3 proformas", "145.20 EUR");
  await story.ask(ana, "/billing invoices lost", "There are no lost invoices");
  expect(story.slack.state().violations).toEqual([]);
});

test("an invoice is paid in full: the amount is shown, sent as shown, and the channel hears of it without the balance", async () => {
  const story = await tell({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const bill = billOf(story, "Renewal of web-2");
  const total = (bill.total / 100).toFixed(2);
  const review = await story.ask(ana, `/billing pay ${bill.number}`, `${total} EUR`, "Your balance", "250.00 EUR");
  expect(payCalls(story)).toHaveLength(0);
  const { confirm } = await ana.press(review, goAhead);
  expect(confirm?.text).toContain(total);
  const news = await story.sees(ben, `${bill.number}`, "is paid");
  expect(said(news)).not.toContain("250");
  expect(payCalls(story)).toMatchObject([{ body: { amount: Number(total) } }]);
  expect(platform.user("ana").balance).toBe(25_000 - bill.total);
  await story.ask(ana, `/billing pay ${bill.number}`, "is paid: nothing is left to pay");
  expect(story.slack.state().violations).toEqual([]);
});

test("a part is paid, the rest is told, and paying the rest is one press away", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana } = story;
  const bill = billOf(story, "Renewal of web-2");
  const review = await story.ask(ana, `/billing pay ${bill.number} amount=5`, "5.00 EUR", "Then left to pay");
  await ana.press(review, goAhead);
  const rest = ((bill.total - 500) / 100).toFixed(2);
  await story.sees(ana, "5.00 EUR of", `${rest} EUR are left to pay`);
  await ana.press(await offered(story, ana, "Pay the rest…"), "Pay the rest…");
  await story.sees(ana, "from the asker's own balance", `${rest} EUR`);
  expect(payCalls(story)).toHaveLength(1);
});

test("without an amount as much is paid as the own balance covers", async () => {
  const story = await tell({ linked: ["ben"] });
  const bill = billOf(story, "Colocation for a quarter");
  const review = await story.ask(story.ben, `/billing pay ${bill.number}`, "40.00 EUR are paid for");
  await story.ben.press(review, goAhead);
  await story.sees(story.ben, "40.00 EUR of", "are left to pay");
  expect(payCalls(story)).toMatchObject([{ body: { amount: 40 } }]);
});

test("what cannot be paid is refused before anything is asked", async () => {
  const story = await tell({ linked: ["ana", "caro", "dave"] });
  const bill = billOf(story, "Renewal of web-2");
  await story.ask(story.ana, `/billing pay ${bill.number} amount=9999`, "are left to pay on it", "Nothing was paid");
  await story.ask(story.ana, `/billing pay ${bill.number} amount=-4`, "an amount such as 12.50");
  await story.ask(story.caro, `/billing pay ${bill.number}`, "Your balance is 0.00 EUR");
  await story.ask(story.dave, `/billing pay ${bill.number}`, "needs the scope `billing`");
  expect(payCalls(story)).toHaveLength(0);
});

test("a document that was paid meanwhile voids the request, and says what changed", async () => {
  const story = await tell({ linked: ["ana"] });
  const bill = billOf(story, "Renewal of web-2");
  const review = await story.ask(story.ana, `/billing pay ${bill.number}`, "from the asker's own balance");
  story.platform.payByOperator(bill.id);
  await story.ana.press(review, goAhead);
  await story.sees(story.ana, "nothing is left to pay");
  expect(payCalls(story)).toHaveLength(0);
});

test.each([
  [true, "Its invoice"],
  [false, "Paid invoices"],
])("a proforma that is paid becomes an invoice (recorded: %s)", async (recorded, way) => {
  const story = await tell({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.recordsConversion = recorded;
  const bill = billOf(story, "Colocation for a quarter");
  const review = await story.ask(ana, `/billing pay ${bill.number}`, "from the asker's own balance");
  await ana.press(review, goAhead);
  await story.sees(ana, "is paid", "It became an invoice");
  const card = await story.ask(ana, `/billing show ${bill.number}`, "paid and converted into an invoice");
  await ana.press(card, way);
  await story.sees(ana, recorded ? "· invoice" : "paid invoice");
});

test("the same name for two documents asks which, and an unknown one is said", async () => {
  const story = await tell({ linked: ["ana"] });
  await story.ask(story.ana, "/billing show INV-9999", "no invoice or proforma called “INV-9999”");
});

test("a member without the permission for documents is told so", async () => {
  const story = await tell({ linked: ["ben"] });
  const bill = billOf(story, "Renewal of web-2");
  story.platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  await story.ask(story.ben, `/billing show ${bill.id}`, "Insufficient permissions");
});
