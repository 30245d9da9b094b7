import { expect, test } from "vitest";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { orderCalls, ordersMade, page, reviewOf } from "../ordering.ts";
import { type Actor, goAhead, type Message, peer, type Story, said, startStory, withControl } from "../story.ts";

const add = "Add a product…";

/** Adds a product to a waiting order by its form. Resolves with the request that takes its place. */
async function addTo(
  story: Story,
  actor: Actor,
  request: Message,
  product: string,
  plan: Record<string, string | string[]> = {},
): Promise<Message> {
  await actor.press(request, add);
  await story.modal(actor, '"choose:product"', "Already in it:");
  await actor.choose("modal", "choose:product", product);
  await story.modal(actor, `*\`${product}\`*`, '"submit":{', "Also in this order");
  await actor.fill(plan);
  const before = actor.sees().length;
  await actor.submit();
  const isReview = (message: Message) => said(message).includes(`× \`${product}\``) && said(message).includes("Order");
  return story.slack.until(() => actor.sees().slice(before).find(isReview), `the order with ${product}`);
}

/** Ana orders one product, which others approve. Resolves with the request as Ben sees it. */
async function askForOne(story: Story): Promise<Message> {
  const { ana, ben } = story;
  await ana.type("/order new VPS S cycle=monthly location=Madrid hostname=a.example.test");
  await page(story, ana, "Order");
  await ana.submit();
  return story.sees(ben, "asks to", "1 × `VPS S`");
}

/** Ana adds another product to a request that others approve, from its details. */
async function addLarge(story: Story, first: Message): Promise<void> {
  const { ana } = story;
  await ana.press(first, "Details…");
  await story.modal(ana, add);
  await ana.press("modal", add);
  await story.modal(ana, '"choose:product"');
  await ana.choose("modal", "choose:product", "VPS L");
  await story.modal(ana, '"submit":{');
  await ana.submit();
}

test("a product is added to an order that waits: the sum is new, only the new request can be pressed, and one order is sent", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, requests } = story;
  const first = await reviewOf(story, ana, "VPS S", { "Host name": "shop.example.test", "How many": 2 });
  expect(said(first)).toContain("10.00 EUR");
  const whole = await addTo(story, ana, first, "VPS L");
  expect(said(whole)).toMatch(/2 × `VPS S`, monthly and 1 × `VPS L`, monthly: 30.00 EUR before tax/);
  expect(said(whole)).toContain("shop.example.test");
  await story.sees(ana, "A product was added. It goes on as a new request");
  await story.pressing(ana, first, goAhead, "A product was added", "Nothing was done");
  expect(orderCalls(story)).toHaveLength(0);
  await story.pressing(ana, whole, goAhead, "Ordered 2 × `VPS S`, monthly and 1 × `VPS L`");
  expect(orderCalls(story)).toHaveLength(1);
  expect(orderCalls(story)[0]?.body).toMatchObject({
    items: [
      { productId: productId("VPS S"), quantity: 2 },
      { productId: productId("VPS L"), quantity: 1 },
    ],
    hostname: "shop.example.test",
    location: "es-mad",
  });
  const [order] = ordersMade(story);
  expect([...requests.keys()].at(-1)).toBe(order?.idempotency_key);
});

test("the cycle of the first product fills the next one too, and what its product lacks is no complaint", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const first = await reviewOf(story, ana, "VPS S", { Billed: "quarterly" });
  await ana.press(first, add);
  await story.modal(ana, '"choose:product"');
  await ana.choose("modal", "choose:product", "VPS M");
  await story.modal(ana, '"submit":{', '"text":"Quarterly"', '"text":"Madrid"');
  await ana.choose("modal", "choose:product", "Mail hosting");
  await story.modal(ana, "The platform lists no system");
  expect(JSON.stringify(ana.modal())).not.toMatch(/:x:|There is no/);
  await ana.closeModal({ all: true });
  platform.changeProduct("VPS L", { cycles: ["monthly", "annually"] });
  await ana.press(first, add);
  await story.modal(ana, '"choose:product"', "Already in it");
  await ana.choose("modal", "choose:product", "VPS L");
  await story.modal(ana, '"submit":{', "*`VPS L`*");
  expect(JSON.stringify(ana.modal())).not.toMatch(/:x:|There is no|"Quarterly"/);
});

test("a product is taken out of an order while another one is added", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const first = await reviewOf(story, ana, "VPS S");
  const second = await addTo(story, ana, first, "VPS M");
  const third = await addTo(story, ana, second, "VPS L", { "Also in this order": ["1 × VPS M, monthly"] });
  expect(said(third)).toMatch(/1 × `VPS M`, monthly and 1 × `VPS L`, monthly/);
  expect(said(third)).not.toContain("VPS S");
});

test("an approval of an order does not hold for a product that was added to it, and nobody else can add one", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    environment: peer,
    rules: ["demand=two-approvals risk=spend"],
  });
  const { ben, caro } = story;
  const first = await askForOne(story);
  await story.pressing(ben, first, goAhead, "Approved by", "1 of 2");
  await addLarge(story, first);
  const whole = await story.sees(caro, "asks to", "1 × `VPS L`");
  expect(said(whole)).not.toContain("1 of 2");
  await story.pressing(caro, first, goAhead, "It goes on as a new request");
  await story.pressing(caro, whole, goAhead, "Approved by", "1 of 2");
  expect(orderCalls(story)).toHaveLength(0);
  await story.pressing(ben, whole, goAhead, "Ordered 1 × `VPS S`");
  expect(orderCalls(story)).toHaveLength(1);
});

const narrowButton = { actionId: "request:narrow" };

/** Opens *Narrow…* of an order, and leaves only these products in it. */
async function narrowTo(story: Story, actor: Actor, request: Message, products: string[]): Promise<void> {
  await actor.press(await withControl(actor, request, narrowButton, story.slack.until), narrowButton);
  await story.modal(actor, "Narrow the request", ...products);
  await actor.fill({ "These stay in it": products, "Why?": "That is enough." });
  await actor.submit();
}

test("its requester takes products out of an order: a new request with a new price and id takes its place", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, requests } = story;
  const first = await reviewOf(story, ana, "VPS S", { "Host name": "shop.example.test" });
  const second = await addTo(story, ana, first, "VPS M");
  const third = await addTo(story, ana, second, "VPS L");
  const before = [...requests.keys()].at(-1);
  // The form shows the last product: that one can be taken out as well.
  await narrowTo(story, ana, third, ["1 × VPS S, monthly", "1 × VPS M, monthly"]);
  await story.modal(ana, "1 × `VPS S`, monthly and 1 × `VPS M`, monthly", "took `1 × VPS L, monthly` out");
  expect(JSON.stringify(ana.modal())).toContain("shop.example.test");
  await ana.press("modal", { actionId: goAhead });
  await story.passes(() => ordersMade(story).length > 0, "the order");
  expect(orderCalls(story).map(({ body }) => body)).toMatchObject([
    { items: [{ productId: productId("VPS S") }, { productId: productId("VPS M") }], hostname: "shop.example.test" },
  ]);
  const [order] = ordersMade(story);
  expect(order?.idempotency_key).toBe([...requests.keys()].at(-1));
  expect(order?.idempotency_key).not.toBe(before);
});

test("an approver takes a product out of an order: the payer asks for the rest, confirms its price, and is approved anew", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ["demand=one-approval risk=spend"] });
  const { ana, ben } = story;
  const first = await askForOne(story);
  await addLarge(story, first);
  const whole = await story.sees(ben, "asks to", "1 × `VPS L`");
  await narrowTo(story, ben, whole, ["1 × VPS S, monthly"]);
  const ended = await story.sees(ana, "took `1 × VPS L, monthly` out: That is enough.", "can confirm the new price");
  expect(orderCalls(story)).toHaveLength(0);
  await story.pressing(ben, whole, goAhead, "took `1 × VPS L, monthly` out", "Nothing was done");
  await ana.press(ended, "Ask again…");
  await story.modal(ana, '"submit":{', "*`VPS S`*");
  expect(JSON.stringify(ana.modal())).not.toContain("Also in this order");
  await ana.submit();
  const again = await story.sees(ben, "asks to", /^(?![\s\S]*VPS L)[\s\S]*1 × `VPS S`/, "Approve…");
  await story.pressing(ben, again, goAhead, "Ordered 1 × `VPS S`");
  expect(orderCalls(story)).toHaveLength(1);
});

test("a narrower order leaves something in and takes something out", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const whole = await addTo(story, ana, await reviewOf(story, ana, "VPS S"), "VPS L");
  await narrowTo(story, ana, whole, ["1 × VPS S, monthly", "1 × VPS L, monthly"]);
  await story.modal(ana, "Leave at least one in, and take at least one out", "Nothing changed");
  await ana.closeModal({ all: true });
  await story.pressing(ana, whole, goAhead, "Ordered 1 × `VPS S`");
});

test("an order that was pressed while a product was chosen is closed: nothing is added, and it is ordered once", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const first = await reviewOf(story, ana, "VPS S");
  await ana.press(first, add);
  await story.modal(ana, '"choose:product"');
  await ana.choose("modal", "choose:product", "VPS L");
  await story.modal(ana, '"submit":{');
  await story.pressing(ana, first, goAhead, "Ordered 1 × `VPS S`");
  await ana.submit();
  await story.sees(ana, "That order is closed", "Nothing new was requested");
  expect(ordersMade(story)).toHaveLength(1);
});

test("an order that the platform refused for now is sent on from its form as it was, and takes the place of the first", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const first = await reviewOf(story, ana, "VPS S");
  const body = { success: false, error: "Too many orders", code: "RATE_LIMITED" };
  platform.faults.next({
    how: { status: 429, body, headers: { "retry-after": "30" } },
    method: "POST",
    path: "/orders",
  });
  await ana.press(await story.pressing(ana, first, goAhead, "Correct it…"), "Correct it…");
  await page(story, ana, "Order");
  await ana.submit();
  await story.sees(ana, "It was corrected. It goes on as a new request");
  const second = await story.slack.until(
    () => ana.sees().findLast((message) => JSON.stringify(message.blocks).includes(goAhead)),
    "the new request",
  );
  await story.pressing(ana, second, goAhead, "Ordered 1 × `VPS S`");
  expect(ordersMade(story)).toHaveLength(1);
});

test("an order of several products that was refused is corrected with all of them", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const first = await reviewOf(story, ana, "VPS S", { "Discount code": "NOSUCH" });
  const whole = await addTo(story, ana, first, "VPS L", { "User data": "#!/bin/sh\ntrue" });
  await ana.press(whole, goAhead);
  await ana.press(await story.sees(ana, "discountCode", "not valid", "Correct it…"), "Correct it…");
  await page(story, ana, "Order");
  await story.modal(ana, "1 × VPS S, monthly", "*`VPS L`*", "not valid", "It is not kept: enter it again");
  await ana.fill({ "Discount code": "PRACTICE10" });
  await ana.submit();
  await ana.press(await story.sees(ana, "1 × `VPS S`", "1 × `VPS L`", "`PRACTICE10`"), goAhead);
  await story.sees(ana, "Ordered 1 × `VPS S`, monthly and 1 × `VPS L`");
  expect(ordersMade(story)).toHaveLength(1);
});
