import { createHmac, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eventNames } from "../../../src/platform/reseller/events.ts";
import { type Story, said } from "../story.ts";
import { cards, startAlertStory } from "./alerting.ts";

/** Delivers an event as the supplier does, signed with the present secret; the status of the answer. */
async function deliver({ app, platform, clock }: Story, event: string, data: object): Promise<number> {
  const body = JSON.stringify({ event, timestamp: new Date(clock.now()).toISOString(), data });
  const secret = platform.reseller.signingSecret() ?? "";
  const team = platform.reseller.webhookUrl()?.split("/").at(-1);
  const answer = await fetch(`${app.url}/webhooks/reseller/${team}`, {
    method: "POST",
    body,
    headers: {
      "x-webhook-id": randomUUID(),
      "x-webhook-signature": `hmac-sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
  });
  return answer.status;
}

const order = () => ({
  orderId: randomUUID(),
  orderNumber: `RES-${randomUUID().slice(0, 4)}`,
  externalCustomerId: "acme",
});
const service = () => ({ serviceId: randomUUID(), hostname: `${randomUUID().slice(0, 8)}.example.test` });

const every = [
  ["order.paid", { ...order(), total: "29.04", currency: "EUR" }, "is paid", "29.04 EUR, tax included"],
  ["order.invoiced", { ...order(), invoiceId: randomUUID() }, "was invoiced instead of charged", "Pay…"],
  ["order.payment_failed", { ...order(), paymentError: "Card declined" }, "failed: Card declined", "Retry charge…"],
  [
    "order.payment_failed",
    { ...order(), paymentError: "Your credit is 0.10" },
    "may name the balance",
    "Retry charge…",
  ],
  ["order.payment_failed", { ...order(), amount: "24.00", currency: "EUR" }, "The charge", "24.00 EUR excl. VAT"],
  ["service.provisioned", { ...service(), serverIp: "198.51.100.7" }, "is ready", "Show service"],
  [
    "service.provisioning_failed",
    { ...order(), ...service(), provisioningError: "No room", stage: "install" },
    "could not be built at the stage `install`: No room",
    "Show service",
  ],
  ["service.suspended", { ...service(), reason: "Unpaid" }, "is suspended: Unpaid", "Unsuspend"],
  ["service.unsuspended", service(), "is no longer suspended", "Show service"],
  ["service.terminated", service(), "was terminated", "Show service"],
  ["service.moved", service(), "`service.moved` about", "Show service"],
  // Some fields of these are not there, or cannot be read.
  ["order.payment_failed", { ...order(), orderId: { id: 7 } }, "The charge for order", "by webhook,"],
  ["order.paid", { externalOrderId: "PO-7", orderNumber: "RES-7" }, "is paid", "by webhook,"],
  ["service.suspended", { hostname: "lost.example.test" }, "is suspended", "by webhook,"],
  ["account.suspended", { hostname: "(not named)" }, "`account.suspended` about", "by webhook,"],
] as const;

test("the list of events below has all of the supplier's", () => {
  const names = every.map(([event]) => String(event));
  expect(eventNames.filter((name) => !names.includes(name))).toEqual(["webhook.test"]);
});

test("every event of the supplier's has one card that says what happened and offers what can be done", async () => {
  const story = await startAlertStory();
  for (const [event, data] of every) {
    expect(await deliver(story, event, data)).toBe(200);
    // More than five alerts of a minute come in one message.
    story.clock.skip(15_000);
  }
  for (const [event, data, words, more] of every) {
    const name = "hostname" in data ? data.hostname : data.orderNumber;
    const holds = (text: string) => [name, words, more].every((part) => text.includes(part));
    await story.passes(() => cards(story).some((card) => holds(said(card))), `the card of ${event}`);
  }
  expect(cards(story)).toHaveLength(every.length);
});

test("an alert of a paid order whose build fails shows the failure, and the machine that is ready after all", async () => {
  const story = await startAlertStory();
  const of = order();
  const { serviceId, hostname } = service();
  const shown = (...parts: string[]) =>
    story.passes(() => cards(story).some((card) => parts.every((part) => said(card).includes(part))), parts.join());
  await deliver(story, "order.paid", of);
  await deliver(story, "service.provisioning_failed", {
    ...of,
    provisioningError: "No room",
    services: [{ serviceId, status: "provisioning_failed" }],
  });
  await shown("is paid", "could not be built: No room", "Show order");
  await deliver(story, "service.provisioned", { ...of, serviceId, hostname });
  await shown("is paid", `\`${hostname}\` is ready`);
  expect(cards(story)).toHaveLength(1);
  expect(cards(story).map(said).join()).not.toContain("could not be built");
});

test("an event that Rackbell does not know stands beside the suspension, which keeps its button", async () => {
  const story = await startAlertStory();
  const one = service();
  await deliver(story, "service.suspended", { ...one, reason: "Unpaid" });
  await deliver(story, "service.moved", one);
  await deliver(story, "service.suspended", { ...one, reason: "Still unpaid" });
  const parts = ["is suspended: Still unpaid", "`service.moved` about", "Unsuspend"];
  await story.passes(() => cards(story).some((card) => parts.every((part) => said(card).includes(part))), "both");
  expect(cards(story)).toHaveLength(1);
});

test("while Slack refuses, fails and loses its answers, each event still has one card", async () => {
  const story = await startAlertStory();
  const { slack } = story;
  const some = every.slice(0, 4);
  slack.faults.lose("chat.postMessage");
  slack.faults.rateLimit("chat.postMessage", 5);
  slack.faults.fail("chat.postMessage", "internal_error", 2);
  for (const [event, data] of some) expect(await deliver(story, event, data)).toBe(200);
  await story.passes(() => cards(story).length >= some.length, "all cards");
  story.clock.skip(20 * 60_000);
  const log = await story.ask(story.ana, "/rackbell alerts log", "newest first");
  expect(said(log)).not.toContain("could not be posted");
  expect(cards(story)).toHaveLength(some.length);
});

test("all events of one order, the last ones first and each twice, make one card of how it stands", async () => {
  const story = await startAlertStory();
  const of = order();
  const built = { ...of, ...service() };
  const came: [string, object][] = [
    ["service.terminated", built],
    ["service.provisioned", built],
    ["order.paid", of],
    ["order.payment_failed", of],
  ];
  for (const [event, data] of [...came, ...came]) {
    expect(await deliver(story, event, data)).toBe(200);
    story.clock.skip(1_000);
  }
  const stands = (message: string) => message.includes("was terminated") && message.includes("is paid");
  await story.passes(() => cards(story).some((card) => stands(said(card))), "the card of how it stands");
  expect(cards(story)).toHaveLength(1);
  expect(said(cards(story)[0] ?? (await story.sees(story.ben, "is paid")))).not.toMatch(/is ready|charge for order/);
});
