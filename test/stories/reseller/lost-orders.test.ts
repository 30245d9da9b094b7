import { expect, test } from "vitest";
import { backOut, goAhead, said } from "../story.ts";
import { orderOne, ordersSent, reviewOf } from "./ordering.ts";
import { startResellerStory } from "./selling.ts";

const orders = "/reseller/orders";

test.each([
  ["a reset after it was placed", { how: "reset", applied: true }],
  ["an answer that was cut", { how: "half-json", applied: true }],
  ["an answer of another shape", { how: "wrong-shape", applied: true }],
] as const)("after %s the order is looked up, reported as done, and sent once", async (_, fault) => {
  const story = await startResellerStory();
  const { platform } = story;
  platform.faults.next({ ...fault, method: "POST", path: orders });
  await orderOne(story, "I am checking the outcome");
  await story.comesToSee(story.ana, "It was done after all");
  await story.comesToSee(story.ana, "1 service is ready");
  expect(ordersSent(story)).toHaveLength(1);
  expect(platform.reseller.orders()).toHaveLength(1);
});

test("an order that never arrived is checked, then reported as not placed, and not sent again", async () => {
  const story = await startResellerStory();
  const { platform } = story;
  platform.faults.next({ how: "reset", method: "POST", path: orders });
  await orderOne(story, "I am checking the outcome");
  await story.comesToSee(story.ana, "It was not done: there is no order", "cannot do it twice");
  expect(platform.reseller.orders()).toEqual([]);
  expect(ordersSent(story)).toHaveLength(1);
});

test.each([402, 400, 201] as const)(
  "a charge that fails (%s) keeps the order, and offers to charge that one again",
  async (status) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.settings.shapes.refusedCharge = status;
    platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
    const failed = await orderOne(
      story,
      "The charge failed: nothing was charged",
      "Your card was declined",
      "Charge again…",
    );
    platform.reseller.changePaymentMethod("Company card", { refusal: null });
    const review = await story.pressing(ana, failed, "Charge again…", "will charge the order", "3.80 EUR excl. VAT");
    await story.pressing(ana, review, goAhead, "is paid now");
    await story.comesToSee(ana, "1 service is ready");
    expect(ordersSent(story)).toHaveLength(1);
    expect(platform.reseller.orders()).toMatchObject([{ paymentStatus: "paid" }]);
  },
);

test.each([402, 400, 201] as const)(
  "a charge that fails (%s) for want of credit asks for credit, not for another card, and no list or alert shows the balance",
  async (status) => {
    const story = await startResellerStory({ partners: ["ana", "ben"] });
    const { ana, ben, platform } = story;
    platform.reseller.settings.mode = "saved_method";
    platform.settings.shapes.refusedCharge = status;
    platform.reseller.changePaymentMethod("Company card", { refusal: "4.60 needed, and your credit is 0.10" });
    const failed = await orderOne(story, "The charge failed: nothing was charged", "Charge again…");
    if (status !== 201) expect(said(failed)).toMatch(/Add credit in the platform's panel first[\s\S]*credit is 0\.10/);
    const [order] = platform.reseller.orders();
    const shown = await story.ask(ben, `/reseller order show ${order?.number}`, "The credit may be too low");
    const card = await story.pressing(ana, failed, "Charge again…", "will charge the order");
    await ana.press(card, "Details…");
    await story.modal(ana, "The credit may be too low");
    expect([...ben.sees(), shown, card].map(said).join() + JSON.stringify(ana.modal())).not.toContain("0.10");
  },
);

test("a charge that fails again says so in the gateway's words, and the order can still be charged", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  const failed = await orderOne(story, "The charge failed");
  const review = await story.pressing(ana, failed, "Charge again…", "will charge the order");
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card has expired" });
  await story.pressing(ana, review, goAhead, "Your card has expired", "Nothing was charged");
  const [order] = platform.reseller.orders();
  const other = await story.ask(ana, `/reseller order retry ${order?.number} method=Wallet`, "will charge the order");
  await story.pressing(ana, other, goAhead, "is paid now");
});

test("a retry of an order that must not be charged again is refused with the reason, and nothing is sent", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await orderOne(story, "Ordered 1");
  platform.reseller.settings.mode = "invoice";
  await orderOne(story, "waits to be paid");
  const [paid, invoiced] = platform.reseller.orders();
  await story.ask(ana, `/reseller order retry ${paid?.number}`, "is paid already", "Nothing was charged");
  await story.ask(
    ana,
    `/reseller order retry ${invoiced?.number}`,
    "waits for the payment of its document",
    "Nothing was charged",
  );
  await story.ask(ana, "/reseller order retry ORD-1000", "placed in the platform's panel");
  expect(platform.calls().filter(({ path }) => path.endsWith("/retry"))).toEqual([]);
});

const payments = [
  ["failed", "saved_method", "will charge the order"],
  [null, "saved_method", "will charge the order"],
  [null, "invoice", "waits for the payment of its document"],
  ["pending", "saved_method", "waits for the payment of its document"],
  ["paid", "credit", "is paid already"],
  ["processing", "saved_method", "is being charged already"],
  ["refunded", "saved_method", "was refunded. Nothing was charged"],
] as const;

test("an order is charged again only after a failed charge, whatever its payment and its mode", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await orderOne(story, "Ordered 1");
  const [order] = platform.reseller.orders();
  for (const [payment, mode, words] of payments) {
    const row = { id: order?.id, order_number: order?.number, payment_status: payment, payment_mode: mode };
    const how = { status: 200, body: { success: true, data: { ...row, wholesale_amount: "2.80", currency: "EUR" } } };
    platform.faults.next({ how, method: "GET", path: `${orders}/{orderId}`, times: 100 });
    const answer = await story.ask(ana, `/reseller order retry ${order?.number}`, words);
    if (words === "will charge the order") await story.pressing(ana, answer, backOut, "withdrawn");
    platform.faults.resume();
  }
});

test("while another attempt at charging is running, the question stays open", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  const failed = await orderOne(story, "The charge failed");
  platform.reseller.changePaymentMethod("Company card", { refusal: null });
  const [order] = platform.reseller.orders();
  platform.reseller.holdCharge(order?.id ?? "");
  const review = await story.pressing(ana, failed, "Charge again…", "will charge the order");
  const open = await story.pressing(ana, review, goAhead, "Another attempt is under way");
  platform.reseller.holdCharge(order?.id ?? "", false);
  await story.pressing(ana, open, goAhead, "is paid now");
});

test.each([0, 1, 2])(
  "an order that was charged and not built says so, quotes its number, and is not sent again (%s)",
  async (payload) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.settings.shapes.payload = payload;
    platform.reseller.settings.creationFails = true;
    await orderOne(story, "charged (3.80 EUR excl. VAT), but not built", "Do not order again", "`RES-1000`");
    await story.comesToSee(ana, ":x:", "charged (3.80 EUR excl. VAT), but not built");
    expect(ordersSent(story)).toHaveLength(1);
    await story.ask(ana, "/reseller order show RES-1000", ": paid, not built", "No node took the service");
  },
);

test("an order in invoice mode that cannot be built says that nothing was charged", async () => {
  const story = await startResellerStory();
  story.platform.reseller.settings.mode = "invoice";
  story.platform.reseller.settings.creationFails = true;
  await orderOne(story, "could not build the order, and nothing was charged", "Do not order again");
});

test("an order of two services says that one build failed and why, and where the other is, and gives the order number to quote to the support", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S" hostname=pair.example.test', { plan: { "How many": "2" } });
  await story.pressing(ana, review, goAhead, "Ordered 2 × `VPS S`");
  const [order] = platform.reseller.orders();
  platform.failJob("install", order?.serviceIds[1] ?? "");
  await story.comesToSee(
    ana,
    "1 of 2 services did not come up",
    "Ask the platform's support, and quote the order `RES-1000`",
    "`pair.example.test` is at `192.0.2.",
    "`pair.example.test`: not built.",
    "The platform says: The build failed for an unknown reason.",
  );
  const card = await story.ask(ana, `/reseller service show ${order?.serviceIds[1]}`, "is not built");
  await story.pressing(ana, card, "The order", "`RES-1000`: paid, not built");
});

test("an order that the platform had taken before is reported as such, and nothing is charged twice", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"');
  const body = {
    orderId: "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11",
    orderNumber: "RES-7",
    status: "completed",
    amount: "3.80",
    currency: "EUR",
    services: [],
    idempotent: true,
  };
  platform.faults.next({ how: { status: 200, body: { success: true, data: body } }, method: "POST", path: orders });
  await story.pressing(
    ana,
    review,
    goAhead,
    "had been ordered before, as `RES-7`",
    "nothing was ordered or charged twice",
  );
});
