import { expect, test } from "vitest";
import { placeOrder } from "../../../src/platform/reseller/place-order.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { cards, elsewhere, passRound, read } from "../polled.ts";
import { type Story, said } from "../story.ts";
import { startAlertStory, supplierSuspends } from "./alerting.ts";

// mail.example.test is a VPS S, web-2.example.test a VPS M.

/** A story in which #general gets alerts of some products alone, and the reseller monitoring key lists the products. */
async function filtered(filter: string): Promise<Story> {
  const story = await read({ apis: ["reseller"], withEvents: true });
  await story.ask(story.ana, `/rackbell alerts add #general ${filter}`, "Saved");
  return story;
}

async function suspendsBoth(story: Story): Promise<void> {
  await supplierSuspends(story, "mail.example.test");
  await supplierSuspends(story, "web-2.example.test");
  for (const name of ["mail", "web-2"]) await story.passes(() => cards(story, `\`${name}.`)[0], `the card of ${name}`);
}

/** An order from elsewhere, of which nothing was read before its event comes. */
async function orders(story: Story, product: string): Promise<string> {
  const hostname = `${product.toLowerCase().replaceAll(" ", "-")}.example.test`;
  const plan = { productId: productId(product), billingCycle: "monthly", quantity: 1 } as const;
  const configuration = { location: "es-mad", hostname };
  const { reseller } = elsewhere(story);
  await placeOrder(reseller, { ...plan, externalOrderId: `shop ${product}`, configuration });
  await story.platform.reseller.webhooks.postDue();
  return story.platform.reseller.orders().find((one) => one.externalOrderId === `shop ${product}`)?.id ?? "";
}

test.each([
  ['product="vps s"', "mail", "web-2"],
  ['except-product="VPS S"', "web-2", "mail"],
])(
  "a channel with the filter %s gets matching alerts alone, and the dry run agrees",
  async (filter, matching, left) => {
    const story = await filtered(filter);
    const { ana } = story;
    await suspendsBoth(story);
    await story.passes(() => cards(story, `\`${matching}.`, "#general")[0], "the card of that product");
    expect(cards(story, `\`${left}.`, "#general")).toEqual([]);
    const tried = await story.ask(
      ana,
      `/rackbell alerts try events=service.* ${filter}`,
      "let 1 of the last",
      matching,
    );
    expect(said(tried)).not.toContain("filter on products");
  },
);

test("an order of an unknown product is read when its event arrives, and only a matching one posts an alert", async () => {
  const story = await filtered('product="VPS M"');
  const { platform } = story;
  platform.clearCalls();
  const left = await orders(story, "VPS S");
  const matching = await orders(story, "VPS M");
  await story.passes(() => cards(story, "is paid", "#general")[0], "the card of that product");
  expect(cards(story, "", "#general")).toHaveLength(1);
  for (const id of [left, matching])
    expect(platform.calls().filter(({ path }) => path === `/reseller/orders/${id}`).length).toBeGreaterThan(0);
});

test("an event posts its alert in spite of a product filter if its product cannot be read", async () => {
  const story = await filtered('product="VPS M"');
  story.platform.faults.next({ how: "500", method: "GET", path: /^\/reseller\/(orders|services)\//, times: 50 });
  await orders(story, "VPS S");
  await story.passes(() => cards(story, "is paid", "#general")[0], "the card");
});

test("without a monitoring key every event passes a product filter, and the answers say so", async () => {
  const story = await startAlertStory("none");
  const { ana, ben } = story;
  const added = await story.ask(ana, '/rackbell alerts add #ops product="VPS M"', "Saved", "of `VPS M` alone");
  for (const words of ["Webhooks name no product", "resold services", "pass every product filter"])
    expect(said(added)).toContain(words);
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  await story.ask(ana, '/rackbell alerts try product="VPS M"', "The product of 1 of these is unknown");
  await story.ask(ana, '/rackbell alerts change #ops except-product="VPS S"', "of `VPS M` alone", "but not of `VPS S`");
  const cleared = await story.ask(ana, "/rackbell alerts change #ops product=none except-product=none", "Saved");
  expect(said(cleared)).not.toMatch(/VPS|name no product|product filter/);
});

test("a product filter selects the alerts of one's own machines, too", async () => {
  const story = await read();
  const { ana, platform } = story;
  await story.ask(ana, '/rackbell alerts add #general events=machine.* product="VPS S*"', "Saved");
  for (const name of ["web-1", "mail"]) platform.change(name, { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "`web-1.", "#ops")[0], "what everything rings in");
  await story.passes(() => cards(story, "`mail.", "#general")[0], "what is of that product");
  expect(cards(story, "`web-1.", "#general")).toEqual([]);
});
