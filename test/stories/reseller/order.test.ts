import { expect, test } from "vitest";
import { listPaymentMethods } from "../../../src/platform/reseller/payment-methods.ts";
import { readProductSchema } from "../../../src/platform/reseller/products.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { page } from "../ordering.ts";
import { elsewhere } from "../polled.ts";
import { goAhead, type Message, type Story, said } from "../story.ts";
import { orderOne, ordersSent, reviewOf } from "./ordering.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

test("an order is filled in in one form, priced before it is placed, and followed until its service is ready", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S" customer=acme-bakery hostname=shop.example.test own=ACME-9', {
    plan: { "How many": "2", Datacentre: "de-fra", "Add-ons": ["Daily backup"] },
  });
  const words = said(review);
  expect(words).toContain("2 × `VPS S`, monthly");
  // (3.80 + 2.40 + 1.60 + 4.00) × 2
  expect(words).toContain("23.60 EUR excl. VAT");
  expect(words).toContain("`acme-bakery`");
  expect(words).toContain("which adds 1.60 EUR monthly and 4.00 EUR once");
  expect(ordersSent(story)).toHaveLength(0);
  await story.pressing(ana, review, goAhead, "Ordered 2 × `VPS S`", "23.60 EUR excl. VAT", "with VAT");
  await story.comesToSee(ana, "2 services are ready", "is at `");
  const [order] = platform.reseller.orders();
  expect(order).toMatchObject({ customer: { id: "acme-bakery" }, quantity: 2 });
  await story.ask(ana, "/reseller service list ACME-9", "2 resold services");
  expect(ordersSent(story)).toHaveLength(1);
});

test("an order without an own id or a host name leaves both to the platform", async () => {
  const story = await startResellerStory();
  await orderOne(story, "Ordered");
  expect(ordersSent(story)).toMatchObject([{ body: { configuration: expect.not.objectContaining(unnamed) } }]);
  expect(story.platform.reseller.orders()).toHaveLength(1);
});

const unnamed = { externalServiceId: expect.anything() };

test("a saved method, the credit and an invoice are told apart, before and after", async () => {
  const story = await startResellerStory();
  const { platform } = story;
  await orderOne(story, "was charged to `Company card ending in 4242`");
  await detailsOf(story, "Like your last order, this charges `Company card ending in 4242`");
  platform.reseller.settings.mode = "credit";
  await orderOne(story, "was taken from your credit with the platform");
  await detailsOf(story, "taken from your credit");
  platform.reseller.settings.mode = "invoice";
  await orderOne(story, "Nothing was charged: a document of", "waits to be paid");
  await detailsOf(story, "raises an invoice or proforma");
});

/** The card of an order whose charge failed once. */
async function chargeAgain(story: Story): Promise<Message> {
  story.platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  const failed = await orderOne(story, "The charge failed");
  story.platform.reseller.changePaymentMethod("Company card", { refusal: null });
  return story.pressing(story.ana, failed, "Charge again…", "will charge the order");
}

const purchases: [string, (story: Story) => Promise<Message>][] = [
  ["an order", (story) => reviewOf(story, story.ana, '"VPS S"')],
  ["another charge of an order", chargeAgain],
  [
    "a set of add-ons",
    ({ ask, ana }) => ask(ana, '/reseller service options set ACME-002 options="Extra IPv4 address"', "will change"),
  ],
];

test.each(purchases)(
  "%s is charged to the saved method that its card names, and to no other that became the default since",
  async (_, purchase) => {
    const story = await startResellerStory();
    const { ana, ask } = story;
    const review = await purchase(story);
    expect(said(review)).toContain("`Company card ending in 4242`");
    const before = resellerWrites(story).length;
    await ask(ana, "/reseller payment default Wallet", "pays for later orders");
    const changed = "*Charged to* changed: it was `Company card ending in 4242` and is `Wallet` now";
    await story.pressing(ana, review, goAhead, changed, "Nothing was done");
    expect(resellerWrites(story)).toHaveLength(before + 1);
  },
);

test("the platform gets the saved method that the card of an order, or of another charge, shows", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const [card] = await listPaymentMethods(elsewhere(story).reseller);
  await story.pressing(ana, await chargeAgain(story), goAhead, "is paid now");
  expect(resellerWrites(story).map(({ body }) => body)).toMatchObject([
    { paymentMethodId: card?.id },
    { paymentMethodId: card?.id },
  ]);
});

test("an order that was shown without the way of paying stays as it is when another order shows that way", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.settings.mode = "invoice";
  const first = await reviewOf(story, ana, '"VPS S" hostname=first.example.test');
  expect(said(first)).toContain("The platform charges `Company card ending in 4242` or your credit at once, or raises");
  await orderOne(story, "Nothing was charged: a document of");
  await story.pressing(ana, first, goAhead, "Nothing was charged: a document of");
});

/** Waits until the details of a new order show the text, and closes them. */
async function detailsOf(story: Story, text: string): Promise<void> {
  const { ana } = story;
  await ana.press(await reviewOf(story, ana, '"VPS S"'), "Details…");
  await story.modal(ana, text);
  await ana.closeModal();
}

test("a document that waits is paid with the requester's customer key, and the services are built then", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.reseller.settings.mode = "invoice";
  const ordered = await orderOne(story, "waits to be paid", "Pay…");
  const pay = await story.pressing(ana, ordered, "Pay…", "balance");
  await story.pressing(ana, pay, goAhead, "paid");
  await story.comesToSee(ana, "1 service is ready");
});

test("a credit that is too small orders nothing, and the answer gives both figures", async () => {
  const story = await startResellerStory();
  const { platform } = story;
  platform.reseller.settings.mode = "credit";
  platform.changeUser("ana", { balance: 100 });
  await orderOne(story, "Insufficient credit balance", "1.00", "Nothing was charged");
  expect(platform.reseller.orders()).toEqual([]);
});

test("an account in another currency is charged in that, and it is said before and after", async () => {
  const story = await startResellerStory();
  story.platform.reseller.settings.currency = { code: "USD", rate: 1.1 };
  const review = await reviewOf(story, story.ana, '"VPS S"');
  await story.ana.press(review, "Details…");
  await story.modal(story.ana, "It charges an account in another currency in that currency");
  await story.pressing(story.ana, review, goAhead, "4.18 USD excl. VAT");
});

test.each([null, 0, 1])("a provider's own form is asked for, and sent as it wants it (%s)", async (payload) => {
  const story = await startResellerStory();
  const { ana, platform, slack } = story;
  platform.settings.shapes.payload = payload;
  await ana.type('/reseller order new "Game box"');
  await page(story, ana, "Order to resell");
  await ana.fill({ Billed: "monthly", Game: "Practice Quest", "Player slots": "many" });
  await ana.submit();
  await ana.press(await story.sees(ana, "slots must be a number", "Correct it…"), "Correct it…");
  await page(story, ana, "Order to resell");
  await story.modal(ana, "Slots must be a number", "Practice Quest");
  await ana.fill({ "Player slots": "24", "Start by itself": "Yes" });
  const before = ana.sees().length;
  await ana.submit();
  const review = await slack.until(
    () =>
      ana
        .sees()
        .slice(before)
        .find((one) => /Order (for|\d+ service)/.test(said(one))),
    "the review",
  );
  expect(said(review)).toContain("slots: `24`");
  await story.pressing(ana, review, goAhead, "Ordered 1 × `Game box`");
  expect(platform.reseller.orders()).toHaveLength(1);
});

test.each(["", "typed-by-ana-1"])(
  "a password of a provider's form is generated if it is left empty, and stands nowhere (%j)",
  async (typed) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    if (typed !== "") story.secrets.add(typed);
    const schema = await readProductSchema(elsewhere(story).reseller, productId("Game box"));
    const fields = [
      { name: "game", type: "select", required: true, options: ["Practice Craft"] },
      { name: "admin", label: "Admin password", type: "password", required: true },
      { name: "join_password", label: "Password to join", type: "text", required: false },
    ];
    const data = { ...schema, orderSchema: { fields } };
    platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: /schema$/, times: 50 });
    await ana.type('/reseller order new "Game box" cycle=monthly hostname=box.example.test');
    await page(story, ana, "Order to resell");
    await ana.fill({ game: "Practice Craft", "Admin password": typed });
    await ana.submit();
    const review = await story.sees(ana, /Order for \d+\.\d\d EUR excl\. VAT/, "admin: (secret)");
    expect(said(review)).not.toContain("join_password");
    await story.pressing(ana, review, goAhead, "Ordered 1 × `Game box`");
    const sent = JSON.stringify(ordersSent(story)[0]?.body);
    if (typed !== "") return expect(sent).toContain(`"admin":"${typed}"`);
    await ana.press(await story.seesIn("dm", ana, "only you can open it"), "Reveal");
    await story.modal(ana, "admin");
    const [, shown = "nothing"] = /```([a-zA-Z2-9]{20})```/.exec(JSON.stringify(ana.modal())) ?? [];
    expect(sent).toContain(`"admin":"${shown}"`);
  },
);

test("a secret in a form that Rackbell cannot read is sent as typed, and no form or message shows it again", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const typed = "typed-by-ana-2";
  const schema = await readProductSchema(elsewhere(story).reseller, productId("Game box"));
  const fields = [{ name: "entry", type: "password" }, "unreadable"];
  const data = { ...schema, orderSchema: { fields } };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: /schema$/, times: 50 });
  await ana.type('/reseller order new "Game box" cycle=monthly hostname=box.example.test');
  await page(story, ana, "Order to resell");
  await ana.fill({ "The provider's own form": JSON.stringify({ game: "Practice Craft", entry: typed, slots: 10 }) });
  await ana.submit();
  const review = await story.sees(ana, /Order for \d+\.\d\d EUR excl\. VAT/, "entry: (secret)");
  expect(said(review)).not.toContain(typed);
  await story.pressing(ana, review, goAhead, "Ordered 1 × `Game box`");
  expect(ordersSent(story)).toMatchObject([
    { body: { configuration: { game: "Practice Craft", entry: typed, slots: 10 } } },
  ]);
});

const long = "x".repeat(151);
const hundred = Array.from({ length: 100 }, (_, at) => ({ name: `f${at}` }));
const countries = Array.from({ length: 249 }, (_, at) => ({ value: `C${at}`, label: `Country ${at}` }));

test.each<[string, unknown[], Record<string, string>, string]>([
  [
    "a list of 249",
    [{ name: "country", required: true, type: "select", options: countries }],
    { country: "country 7" },
    "country: `C7`",
  ],
  [
    "a choice of nothing",
    [{ name: "zone", options: [{ value: "", label: "Please choose" }, "eu", "eu"] }],
    { zone: "eu" },
    "zone: `eu`",
  ],
  ["a value of 151 characters", [{ name: "zone", options: [long, "eu"] }], { zone: long }, "The provider's form"],
  ["a field twice", [{ name: "slots", type: "number" }, { name: "slots" }], { slots: "4" }, "slots: `4`"],
  ["a long name", [{ name: "n".repeat(250) }], { "The provider's own form": "a=1" }, "a: `1`"],
  ["100 fields", hundred, { "The provider's own form": "f1=2" }, "f1: `2`"],
])("a provider's form with %s, which Slack would refuse as it is, is filled in", async (_, fields, values, shown) => {
  const story = await startResellerStory();
  const { ana, platform, slack } = story;
  const schema = await readProductSchema(elsewhere(story).reseller, productId("Game box"));
  const data = { ...schema, orderSchema: { fields } };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: /schema$/, times: 50 });
  await ana.type("/reseller order new");
  await story.modal(ana, "Product");
  await ana.choose("modal", "choose:product", "Game box");
  await slack.until(() => JSON.stringify(ana.modal()).includes("Host name"), "the fields of the product");
  await ana.fill({ Billed: "monthly", "Host name": "box.example.test", ...values });
  await ana.submit();
  await story.sees(ana, /Order for \d+\.\d\d EUR excl\. VAT/, shown);
});

test("a typed customer whose id is too long for a list is named below the field, and the form can be used", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await ana.type(`/reseller order new "VPS S" customer=${"shop.".repeat(32)}`);
  await page(story, ana, "Order to resell");
  await story.modal(ana, "is too long for a list, which takes 150 characters", "Host name");
});

test("a form that Slack refuses says so in its place", async () => {
  const story = await startResellerStory();
  const { ana, slack } = story;
  await ana.type("/reseller order new");
  await story.modal(ana, "Product");
  slack.faults.fail("views.update", "invalid_arguments");
  await ana.choose("modal", "choose:product", "Game box");
  await story.modal(ana, "Slack refused a call");
});

test("a product without a form or a system asks for no details", async () => {
  const story = await startResellerStory();
  const review = await reviewOf(story, story.ana, '"Metal 1"', { details: null });
  expect(said(review)).toContain("40.00 EUR once");
});

test("a host name that the platform would not take, a missing datacentre and wrong numbers are reported in the form", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await ana.type('/reseller order new "VPS S"');
  await page(story, ana, "Order to resell");
  await ana.fill({ Billed: "monthly", System: "Debian 13", Datacentre: "es-mad", "Host name": "not a host" });
  await ana.submit();
  await ana.press(await story.sees(ana, "does not take such a host name", "Correct it…"), "Correct it…");
  await page(story, ana, "Order to resell");
  await ana.fill({ "Host name": "fine.example.test", "How many": "101" });
  expect(await ana.submit()).toMatchObject({ errors: { quantity: expect.stringContaining("100") } });
  await ana.fill({ "How many": "1", "Add-ons": ["Daily backup"] });
  await ana.submit();
  await story.sees(ana, /Order (for|\d+ service)/, "fine.example.test");
  await ana.type('/reseller order new "VPS S" cycle=monthly image="Debian 13" hostname=fine.example.test');
  await ana.press(await story.sees(ana, "Datacentre: this product needs one", "Correct it…"), "Correct it…");
  await page(story, ana, "Order to resell");
  await story.modal(ana, "fine.example.test", "This product needs one");
});

test("a new customer is recorded with the order", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"', {
    customer: {
      "Or a new customer: your own id": "delta",
      "Their name": "Delta Ltd",
      "Their e-mail": "it@delta.example.test",
    },
  });
  await story.pressing(ana, review, goAhead, "Ordered 1 × `VPS S`");
  expect(platform.reseller.customerId("delta")).toBeTruthy();
});

test("a price that changed between the question and the press voids the question", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S"');
  platform.reseller.settings.priceBook.set(platform.product("VPS S").id, { monthly: 500 });
  await story.pressing(ana, review, goAhead, "Something changed since this request", "5.00 EUR");
  expect(ordersSent(story)).toHaveLength(0);
});

test("orders are listed and filtered, found by number and by one's own id, and those of the panel are said to be", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await orderOne(story, "Ordered 1 × `VPS S`");
  const [order] = platform.reseller.orders();
  const list = said(await story.ask(ana, "/reseller order list", "reseller orders"));
  expect(list).toContain(order?.number ?? "no number");
  await story.ask(ana, `/reseller order show ${order?.externalOrderId}`, `The order \`${order?.number}\`: paid`);
  await story.ask(ana, `/reseller order show ${order?.number}`, "VPS S");
  expect(list).toContain("ordered in the panel");
  const panel = await story.ask(ana, "/reseller order show ORD-1000", "placed in the platform's panel");
  expect(said(panel)).not.toContain("Charge again");
  expect(said(panel)).not.toContain("excl. VAT");
  await story.ask(ana, `/reseller order list own=${order?.externalOrderId}`, "*1 reseller order*", order?.number ?? "");
  await story.ask(ana, "/reseller order list own=PO-9", "There are no reseller orders with your own id `PO-9`");
  await story.ask(ana, "/reseller order list own=PO-9 payment=paid", "Leave out one of the two");
  await story.ask(ana, "/reseller order list payment=failed", "There are no orders whose payment is failed");
  await story.ask(ana, "/reseller order list payment=nonsense", "must be one of");
});

test("a pattern of the platform's that would never come to an end holds up nobody", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const configuration = { billingCycles: ["monthly"], requiredFields: ["billingCycle"], hostnamePattern: "^(a+)+$" };
  const how = { status: 200, body: { success: true, data: configuration } };
  platform.faults.next({ how, path: /\/schema$/, times: 50 });
  await ana.type('/reseller order new "VPS S"');
  await page(story, ana, "Order to resell");
  await ana.fill({ Billed: "monthly", "Host name": `${"a".repeat(60)}!` });
  await ana.submit();
  await story.sees(ana, /Order (for|\d+ service)/);
});

test("an order with a key that is bound to a customer names that customer from the form to the end, and takes no other", async () => {
  const story = await startResellerStory();
  const { ben, platform } = story;
  await story.link(ben, platform.reseller.keys.bound.key);
  await ben.type('/reseller order new "VPS S"');
  await page(story, ben, "Order to resell");
  expect(JSON.stringify(ben.modal())).not.toContain("new customer");
  await ben.closeModal();
  const review = await reviewOf(story, ben, '"VPS S"');
  expect(said(review)).toContain("`acme-bakery`");
  expect(said(review)).not.toMatch(/no customer|a new customer/);
  await story.pressing(ben, review, goAhead, "Ordered 1 × `VPS S`");
  await story.comesToSee(ben, "sold to");
  expect(ordersSent(story)).toMatchObject([{ body: { externalCustomerId: "acme-bakery" } }]);
  expect(platform.reseller.orders()).toMatchObject([{ customer: { id: "acme-bakery" } }]);
  const whole = '/reseller order new "VPS S" cycle=monthly image="Debian 13" location=es-mad hostname=';
  await story.ask(ben, `${whole}own.example.test customer="acme bakery"`, "Not now", "`acme-bakery`");
  for (const other of ["customer=borealis-x", "new=borealis-x", "name=Borealis", "email=it@borealis.example"])
    await story.ask(ben, `${whole}other.example.test ${other}`, "your key orders for “acme-bakery” alone");
  expect(ordersSent(story)).toHaveLength(1);
});

test("while the list of customers fails, a key that may not name new ones still orders: for nobody, or for its own customer", async () => {
  const story = await startResellerStory();
  const { ana, ben, platform } = story;
  const { reseller, faults } = platform;
  await story.link(ana, reseller.addKey({ scopes: ["read", "orders"] }).key);
  await story.link(ben, reseller.keys.bound.key);
  faults.next({ how: "500", method: "GET", path: "/reseller/customers", times: 1000 });
  const whole = '/reseller order new "VPS S" cycle=monthly image="Debian 13" location=es-mad hostname=own.example.test';
  const asked = await story.ask(ana, whole, "Not now", "no customer");
  await story.pressing(ana, asked, goAhead, "Ordered 1 × `VPS S`");
  const review = await reviewOf(story, ben, '"VPS S"');
  await story.pressing(ben, review, goAhead, "Ordered 1 × `VPS S`");
  expect(reseller.orders().map(({ customer }) => customer?.id)).toEqual([undefined, "acme-bakery"]);
});

test("a value that a bound key cannot order for stays in the form, so that it can be taken out", async () => {
  const story = await startResellerStory();
  const { ben, platform } = story;
  await story.link(ben, platform.reseller.keys.bound.key);
  await ben.type('/reseller order new "VPS S" new=borealis-x');
  await page(story, ben, "Order to resell");
  await ben.fill({ Billed: "monthly", System: "Debian 13", Datacentre: "es-mad" });
  await ben.submit();
  await ben.press(await story.sees(ben, "orders for “acme-bakery” alone", "Correct it…"), "Correct it…");
  await page(story, ben, "Order to resell");
  await ben.fill({ "Or a new customer: your own id": "" });
  await ben.submit();
  await story.sees(ben, "`acme-bakery`", "Not now");
});
