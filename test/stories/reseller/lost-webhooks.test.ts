import { expect, test } from "vitest";
import { placeOrder, retryOrder } from "../../../src/platform/reseller/place-order.ts";
import { signed } from "../../../src/sandbox/bench/deliveries.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { cards, elsewhere, passRound, read, replies } from "../polled.ts";
import { type Message, type Story, said } from "../story.ts";
import { supplierLifts, supplierSuspends } from "./alerting.ts";

const minute = 60_000;

function soldId({ platform }: Story, hostname: string): string {
  return platform.reseller.sold().find((one) => one.hostname === hostname)?.id ?? "";
}

async function deliver({ app, platform, slack }: Story, event: string, data: object): Promise<void> {
  const { body, headers } = signed(platform.reseller.signingSecret() ?? "", { id: event, event, data });
  await fetch(`${app.url}/webhooks/reseller/${slack.teamId}`, { method: "POST", body, headers });
}

test("polling waits for a late webhook, then posts one alert which says that the webhook had not arrived by then", async () => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  const { ana, platform } = story;
  const id = soldId(story, "mail.example.test");
  platform.reseller.webhooks.faults.lateMs = 24 * 60 * minute;
  platform.reseller.supplier.suspend(id, "Too much mail");
  await passRound(story, { api: "reseller", minutes: 6 });
  expect(said(await story.ask(ana, "/rackbell alerts log", "vent"))).not.toContain("missed");
  await passRound(story, { api: "reseller" });
  await passRound(story, { api: "reseller" });
  const card = await story.passes(() => cards(story, "`mail.example.test` is suspended")[0], "the card");
  const facts = [
    "the webhook had not arrived by then",
    "Unsuspend",
    "still billed",
    "address `",
    "customer `acme-bakery`",
  ];
  for (const text of facts) expect(said(card)).toContain(text);
  await story.ask(ana, "/rackbell alerts log", "the webhook had not arrived by then");
  await passRound(story, { api: "reseller" });
  expect(cards(story)).toHaveLength(1);
});

test("polling posts no alert of a suspension whose webhook has arrived", async () => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  const { ben } = story;
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  for (let times = 0; times < 3; times += 1) await passRound(story, { api: "reseller" });
  expect(cards(story).map((card) => said(card).includes("found by polling"))).toEqual([false]);
});

test("a suspension of a machine that is also resold posts one alert, found by polling and completed by webhook", async () => {
  const story = await read({ apis: ["customer", "reseller"], withEvents: true });
  const { ben, platform } = story;
  const id = soldId(story, "mail.example.test");
  platform.reseller.webhooks.faults.lateMs = 10 * minute;
  platform.reseller.supplier.suspend(id, "Too much mail");
  platform.reseller.webhooks.faults.lateMs = 0;
  await passRound(story, { minutes: 6 });
  await story.sees(ben, "`mail.example.test` is suspended", "found by polling");
  story.clock.skip(5 * minute);
  const card = await story.passes(() => cards(story, "by webhook,")[0], "the same card, told");
  expect(said(card)).toContain("Too much mail");
  expect(cards(story)).toHaveLength(1);
  expect(replies(story).filter((reply) => reply.startsWith(":no_entry:"))).toEqual([]);
  await supplierLifts(story, id);
  await story.passes(() => cards(story, "is no longer suspended")[0], "the end of it");
  await passRound(story);
  await passRound(story, { api: "reseller" });
  expect(cards(story)).toHaveLength(1);
});

test.each([
  ["suspended", "is suspended"],
  ["terminated", "was terminated"],
] as const)(
  "polling by either API posts no alert of a service that is %s if its webhook has arrived",
  async (status, words) => {
    const story = await read({ apis: ["customer", "reseller"], withEvents: true });
    const { ana, platform } = story;
    platform.change("mail", { status });
    await platform.reseller.webhooks.postDue();
    await story.passes(() => cards(story, "by webhook,")[0], "the card");
    for (const api of ["customer", "reseller", "customer", "reseller"] as const) await passRound(story, { api });
    const log = await story.ask(ana, "/rackbell alerts log mail.example.test", "newest first");
    expect(said(log).split(words)).toHaveLength(2);
    expect(said(log)).not.toContain("found by polling");
    expect(cards(story)).toHaveLength(1);
    expect(replies(story).filter((reply) => reply.startsWith(":"))).toEqual([]);
  },
);

/** Waits for the card of the build that failed: an edit adds what polling says of it. */
async function cardOfBuild(story: Story, texts: string[]): Promise<Message> {
  const isWhole = (card: Message) => texts.every((text) => said(card).includes(text));
  return story.passes(() => cards(story, "could not be built").find(isWhole), `its card with ${texts.join(" + ")}`);
}

test.each([
  ["its webhook was lost", 24 * 60 * minute, "the webhook had not arrived by then"],
  ["its webhook arrived", 0, "by webhook,"],
])("a dedicated server that could not be built has one alert with the reason if %s", async (_, lateMs, found) => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  const { platform } = story;
  platform.reseller.webhooks.faults.lateMs = lateMs;
  const plan = { productId: productId("Metal 1"), billingCycle: "monthly", quantity: 1 } as const;
  await placeOrder(elsewhere(story).reseller, {
    ...plan,
    externalOrderId: "shop-8",
    configuration: { hostname: "shop-8.example.test", location: "es-mad" },
  });
  const [order] = platform.reseller.orders().slice(-1);
  platform.failJob("install", order?.serviceIds[0] ?? "");
  for (let times = 0; times < 4; times += 1) {
    await passRound(story, { api: "reseller" });
    await platform.reseller.webhooks.postDue();
  }
  await cardOfBuild(story, ["The build failed", found, "The platform says so, too"]);
  expect(cards(story, "could not be built")).toHaveLength(1);
  expect(replies(story).filter((reply) => reply.startsWith(":rotating_light:")).length).toBeLessThanOrEqual(1);
});

test("polling finds a failed charge whose webhook was lost, and later that the order was paid", async () => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  const { platform } = story;
  platform.reseller.webhooks.faults.lateMs = 24 * 60 * minute;
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  const { reseller } = elsewhere(story);
  const plan = {
    productId: productId("VPS M"),
    billingCycle: "monthly",
    quantity: 1,
    externalOrderId: "shop-7",
  } as const;
  const configuration = { location: "es-mad", hostname: "shop-7.example.test" };
  await expect(placeOrder(reseller, { ...plan, configuration })).rejects.toThrow("402");
  for (let times = 0; times < 3; times += 1) await passRound(story, { api: "reseller" });
  const card = await story.passes(() => cards(story, "The charge for order")[0], "the card");
  for (const text of [
    "Your card was declined",
    "payment by saved method",
    "the webhook had not arrived by then",
    "Retry charge…",
  ])
    expect(said(card)).toContain(text);
  platform.reseller.changePaymentMethod("Company card", { refusal: null });
  await retryOrder(reseller, platform.reseller.orders().at(-1)?.id ?? "");
  for (let times = 0; times < 3; times += 1) await passRound(story, { api: "reseller" });
  await story.passes(() => cards(story, "is paid")[0], "the same card, later");
});

test("a suspension whose webhook came after its end is corrected before the next person is notified", async () => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  const { ana, caro, platform } = story;
  await story.ask(ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m", "Saved");
  const data = { serviceId: soldId(story, "mail.example.test"), hostname: "mail.example.test" };
  await deliver(story, "service.suspended", data);
  await story.passes(() => cards(story, "The platform says otherwise")[0], "the card of the suspension");
  // Only the check of the event itself reads the service meanwhile.
  platform.faults.next({ how: "500", method: "GET", path: /^\/reseller\/(services|orders)$/, times: 50 });
  story.clock.skip(17 * minute);
  const card = await story.passes(() => cards(story, "is no longer suspended")[0], "the end of it");
  expect(said(card)).not.toContain("Unsuspend");
  platform.faults.resume();
  for (let times = 0; times < 6; times += 1) await passRound(story, { api: "reseller" });
  expect(caro.phone().filter(({ text }) => text.includes("mail.example.test"))).toEqual([]);
  const log = said(await story.ask(ana, "/rackbell alerts log mail.example.test", "newest first"));
  expect(log.split("is no longer suspended")).toHaveLength(2);
});

test.each([
  ["and its webhook comes", true, "by webhook, confirmed by polling"],
  ["and its webhook is lost", false, "the webhook had not arrived by then"],
])("a build that fails within a day of its end notifies the channel's people %s", async (_, comes, found) => {
  const story = await read({ apis: ["reseller"], withEvents: true });
  const { ana, ben, caro, platform, clock } = story;
  await story.ask(ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m", "Saved");
  const data = { serviceId: soldId(story, "mail.example.test"), hostname: "mail.example.test" };
  await deliver(story, "service.provisioned", { ...data, status: "active" });
  clock.skip(3 * 60 * minute);
  await passRound(story, { api: "reseller" });
  platform.reseller.setWebhookUrl(null);
  platform.change("mail", { status: "provisioning_failed" });
  const why = { status: "provisioning_failed", provisioningError: "The image could not be written", stage: "os" };
  if (comes) await deliver(story, "service.provisioning_failed", { ...data, ...why });
  // A webhook that seems late has the service read at once, long before the next round.
  if (comes) await story.passes(() => cards(story, "could not be built")[0], "the card without polling");
  for (let times = 0; times < 4; times += 1) await passRound(story, { api: "reseller" });
  await cardOfBuild(story, [found, ...(comes ? ["The image could not be written"] : [])]);
  expect(cards(story, "is ready")).toEqual([]);
  const buzzes = (who: typeof ben) => who.phone().filter(({ text }) => text.includes("could not be built"));
  expect(buzzes(ben)).toHaveLength(1);
  await story.passes(() => buzzes(caro)[0], "the next step");
  platform.change("mail", { status: "active" });
  for (let times = 0; times < 3; times += 1) await passRound(story, { api: "reseller" });
  await story.passes(() => cards(story, "is ready")[0], "the end of it");
  expect(cards(story, "could not be built")).toEqual([]);
});
