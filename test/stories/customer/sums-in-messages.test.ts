import { expect, test } from "vitest";
import { cards, passRound, read, untilReported } from "../polled.ts";
import { reviewOf } from "../reseller/ordering.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { goAhead, said } from "../story.ts";

// A message states the sum that is left to pay, and the end of an order names what it was.

test("an alert about an invoice of which a part is paid states what is left, and the weekly report as well", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  const { id, number } = platform.bill("Colocation", 8_000);
  await passRound(story);
  await story.sees(ben, `Invoice \`${number}\` waits to be paid`, "96.80 EUR, tax included");
  const review = await story.ask(ana, `/billing pay ${number} amount=40.00`, "40.00");
  await story.pressing(ana, review, goAhead, "56.80 EUR left to pay");
  platform.fallDue(id, -1);
  await passRound(story);
  const late = await story.passes(
    () => cards(story, `Invoice \`${number}\` is overdue`)[0],
    "the alert that it is late",
  );
  expect(said(late)).toContain("56.80 EUR left to pay of 96.80 EUR");
  await passRound(story);
  await untilReported(story, `\`${number}\` waits to be paid: 56.80 EUR is left of 96.80 EUR`);
});

test("the end of a reseller order names the order, its product, its sum and its customer", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S" customer=acme-bakery');
  await story.pressing(ana, review, goAhead, "Ordered 1 × `VPS S`");
  const [order] = platform.reseller.orders();
  await story.comesToSee(
    ana,
    "1 service is ready",
    `Order \`${order?.number}\`: \`VPS S\`, 3.80 EUR excl. VAT, sold to \`Acme Bakery\` (\`acme-bakery\`)`,
  );
});

test("an order that is found after a lost answer names the same", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S" customer=acme-bakery');
  platform.faults.next({ how: "reset", applied: true, method: "POST", path: "/reseller/orders" });
  await ana.press(review, goAhead);
  await story.comesToSee(ana, "It was done after all", "`VPS S`, 3.80 EUR excl. VAT, sold to");
});

test.each([
  ["cannot be read", { status: 200, body: { success: true, data: { document: "odd" } } }],
  ["is answered with a failure", "500"],
] as const)("a document whose own page %s keeps no other one from its alert", async (_, how) => {
  const story = await read();
  const { platform } = story;
  const [odd, other] = [platform.bill("Colocation", 1_000), platform.bill("Transit", 2_000)];
  await passRound(story);
  platform.faults.next({ how, method: "GET", path: `/invoices/${odd.id}`, times: 1_000 });
  platform.fallDue(other.id, -1);
  await passRound(story);
  await story.passes(() => cards(story, `Invoice \`${other.number}\` is overdue`)[0], "the alert");
});
