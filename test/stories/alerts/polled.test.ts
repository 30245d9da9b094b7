import { expect, test } from "vitest";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { createOrder } from "../../../src/platform/customer/orders.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { cards, elsewhere, passRound, read, replies } from "../polled.ts";
import { connect } from "../reseller/selling.ts";
import { rest } from "../rest.ts";
import { fileStore, goAhead, said, startStory } from "../story.ts";

function orderVps(client: CustomerClient<"POST /orders">, name: string): Promise<unknown> {
  const plan = { productId: productId("VPS M"), billingCycle: "monthly" } as const;
  return createOrder(client, `elsewhere-${name}`, { ...plan, location: "es-mad", hostname: `${name}.example.test` });
}

const day = 24 * 60 * 60_000;
const hour = 60 * 60_000;
const minute = 60_000;

test("a machine that stops by itself causes one alert, which starts it again, and its earlier state causes none", async () => {
  const story = await read({ environment: { STORE_URL: fileStore() } });
  const { ana, ben, platform } = story;
  await passRound(story);
  expect(cards(story)).toEqual([]);
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  const card = await story.sees(ben, "The machine of `web-1.example.test` has stopped", "found by polling");
  await story.pressing(ana, card, "Start", "Start `web-1`");
  await story.restart();
  await passRound(story);
  const runs = await story.passes(() => cards(story, "The machine of `web-1.example.test` runs")[0], "the edit");
  expect(said(runs)).toContain("Asked by");
  platform.change("web-1", { instance: { state: "error" } });
  await passRound(story, { minutes: 6 });
  const second = await story.passes(() => cards(story, "is in error")[0], "the new alert");
  expect(second.ts).not.toBe(card.ts);
});

test("a service that the platform suspends, one that could not be built, and one that has ended cause alerts", async () => {
  const story = await read();
  const { ben, platform } = story;
  platform.change("mail", { status: "suspended" });
  platform.change("build-2", {
    status: "provisioning_failed",
    failure: { code: "capacity", message: "No host is left" },
  });
  await passRound(story);
  const card = await story.sees(ben, "`mail.example.test` is suspended", "Show service");
  expect(said(card)).not.toContain("Unsuspend");
  await story.sees(ben, "`build-2.example.test` could not be built");
  platform.change("mail", { status: "terminated" });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "was terminated")[0], "the end on the card");
  expect(cards(story)).toHaveLength(2);
});

test("an invoice alerts when it comes, falls due and is overdue; when it is paid from its alert, no new one comes", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  const { id, number } = platform.bill("Colocation", 1_000);
  await passRound(story);
  const card = await story.sees(ben, `Invoice \`${number}\` waits to be paid`, "12.10 EUR");
  platform.fallDue(id, 2);
  await passRound(story);
  await story.passes(() => cards(story, `Invoice \`${number}\` falls due`)[0], "the card that tells when");
  platform.fallDue(id, -1);
  await passRound(story);
  await story.passes(() => cards(story, `Invoice \`${number}\` is overdue`)[0], "the card that tells that it is late");
  await story.passes(() => replies(story).filter((reply) => reply.includes("overdue")).length > 1, "the reply");
  const review = await story.pressing(ana, card, "Pay…", "Your balance");
  await story.pressing(ana, review, goAhead, "is paid");
  await passRound(story);
  const paid = await story.passes(() => cards(story, `Invoice \`${number}\` is paid`)[0], "the card with its end");
  expect(said(paid)).toContain("Asked by");
  expect(cards(story)).toHaveLength(1);
});

test("a payment asked from an alert that a new rule ends does not take the alert's place, and its requester alone sees its end", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  const { number } = platform.bill("Colocation", 1_000);
  await passRound(story);
  const card = await story.sees(ben, `Invoice \`${number}\` waits to be paid`, "12.10 EUR");
  await story.pressing(ana, card, "Pay…", "Your balance");
  await story.ask(ana, "/rackbell policy set demand=not-allowed risk=spend", "In effect now");
  await story.comesToSeeIn("dm", ana, `Pay \`${number}\``, "The rules of this workspace changed");
  expect(said(ben.sees().find(({ ts }) => ts === card.ts) ?? card)).toContain("waits to be paid");
  expect(ben.sees().map(said).join()).not.toContain("credit balance");
});

test("renewals of one day are one alert, when they are as near as an admin has set, and it says when they are past", async () => {
  const story = await read();
  const { ana, platform } = story;
  const { billing } = platform.find("web-1");
  const in6Days = new Date(story.clock.now() + 6 * day).toISOString();
  await story.ask(ana, "/rackbell alerts limits renewal=2", "2 days before a renewal");
  for (const name of ["web-1", "web-2"]) platform.change(name, { billing: { ...billing, next_due_date: in6Days } });
  await passRound(story, { minutes: 6 });
  expect(cards(story)).toEqual([]);
  for (const name of ["web-1", "web-2"])
    platform.change(name, { billing: { ...billing, next_due_date: new Date(story.clock.now() + day).toISOString() } });
  await passRound(story, { minutes: 6 });
  const card = await story.passes(() => cards(story, "The renewal of `web-1.example.test` falls due")[0], "the card");
  await story.passes(() => cards(story, "The renewal of `web-2.example.test` falls due")[0], "its other line");
  expect(cards(story).map(({ ts }) => ts)).toEqual([card.ts]);
  const before2Days = new Date(story.clock.now() - 2 * day).toISOString();
  platform.change("web-1", { billing: { ...billing, next_due_date: before2Days } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "The renewal of `web-1.example.test` is overdue since")[0], "what is past");
});

test("the owner of the monitoring key alone is notified once when the balance falls under an admin's limit", async () => {
  const story = await read({ linked: ["ana", "dave"] });
  const { ana, ben, dave, platform } = story;
  await story.ask(ana, "/rackbell alerts limits balance=12", "below 12");
  await passRound(story);
  platform.changeUser("dave", { balance: 900 });
  await passRound(story);
  await story.seesIn("dm", dave, "Your credit balance is 9.00 EUR", "12.00 EUR", "Unpaid invoices");
  await passRound(story);
  expect(dave.sees("dm").filter((message) => said(message).includes("Your credit balance"))).toHaveLength(1);
  for (const actor of [ana, ben])
    expect([...actor.sees("dm"), ...actor.sees("#ops")].some((one) => said(one).includes("9.00 EUR"))).toBe(false);
  await story.ask(ben, "/rackbell alerts limits balance=1", "Only an admin");
});

test("a balance that polling could not read does not count as read once no limit needs it", async () => {
  const story = await read({ linked: ["ana", "dave"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell alerts limits balance=12", "below 12");
  const refusal = { status: 403, body: { success: false, error: "Not for this key", code: "FORBIDDEN" } };
  platform.faults.next({ how: refusal, method: "GET", path: "/account/balance", times: 1_000 });
  await passRound(story);
  await story.seesIn("dm", ana, "Polling cannot read balance");
  await story.ask(ana, "/rackbell alerts limits balance=none", "Low-balance alert: off");
  await passRound(story);
  await story.seesIn("dm", ana, "Polling no longer reads balance: nothing needs it now");
  expect(ana.sees("dm").map(said).join()).not.toContain("reads balance again");
});

test("a low balance is notified again with another monitoring key, and after its limit was off", async () => {
  const story = await read({ linked: ["ana", "dave"] });
  const { ana, dave, platform } = story;
  const notified = () => dave.sees("dm").filter((message) => said(message).includes("Your credit balance")).length;
  await story.ask(ana, "/rackbell alerts limits balance=12", "below 12");
  platform.changeUser("dave", { balance: 900 });
  await passRound(story);
  await story.passes(() => notified() === 1, "the first notification");
  await story.ask(ana, "/rackbell alerts limits balance=none", "Low-balance alert: off");
  await passRound(story);
  await story.ask(ana, "/rackbell alerts limits balance=12", "below 12");
  await passRound(story);
  await story.passes(() => notified() === 2, "the notification after the limit was off");
  const { key } = platform.addKey({ owner: "dave", label: "second reader", scopes: ["read"] });
  story.secrets.add(key);
  await connect(story, ana, { "Customer monitoring key": key }, "monitoring key is set");
  await story.passes(() => notified() === 3, "the notification with the other key");
});

test("a monitoring key that lost its scope says so under the alerts, and is to be connected, not linked", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.setScopes(platform.keys.reader, []);
  for (let rounds = 0; rounds < 6; rounds += 1) {
    story.clock.skip(hour / 4);
    await rest(1_000);
  }
  const cannot = "I cannot poll your own services";
  const alerts = said(await story.askUntil(ana, "/rackbell alerts", "Alerts by channel", cannot));
  expect(alerts).toMatch(/since .*The scope `read` is missing: the customer monitoring key does not have it/);
  expect(alerts).toContain("connect it");
  platform.revoke(platform.keys.reader);
  const check = said(await story.ask(ana, "/rackbell connect check", "could not be proven"));
  expect(check).toContain("Connect a new key");
});

test("the admins get a message about a list that is not read for an hour, and it says when polling reads that again", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.faults.next({ how: "500", method: "GET", path: /^\/vps$/, times: 1_000 });
  platform.change("web-1", { instance: { state: "stopped" } });
  async function notice(words: string): Promise<string> {
    const find = () =>
      ana
        .sees("dm")
        .map(said)
        .find((text) => text.includes(words));
    // A call that is on its way when time is skipped is given up, so wait for each.
    for (let times = 0; times < 15 && !find(); times += 1) {
      story.clock.skip(11 * minute);
      await rest(1_500);
    }
    return find() ?? "";
  }
  expect(await notice("Polling cannot read machines")).toMatch(
    /with the customer monitoring key since .*may be missing/,
  );
  await story.ask(ana, "/rackbell alerts", "I cannot read machines since");
  platform.faults.resume();
  expect(await notice("Polling reads machines again")).not.toContain("cannot");
  await story.passes(() => cards(story, "The machine of `web-1.example.test` has stopped")[0], "the card");
});

test("an order from elsewhere alerts when it is ready or could not be built, and an image when it is ready", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  const { customer } = elsewhere(story);
  await orderVps(customer, "well");
  await passRound(story);
  platform.payByOperator(platform.orders().at(-1)?.document_id ?? "");
  platform.settings.buildFailure = null;
  await passRound(story);
  await passRound(story);
  const built = await story.passes(() => cards(story, "is ready")[0], "the order's card");
  expect(said(built)).toMatch(/All of order `[^`]+` is ready/);
  await story.pressing(ana, built, "Show order", "well.example.test");
  platform.settings.buildFailure = "capacity";
  await orderVps(customer, "ill");
  platform.payByOperator(platform.orders().at(-1)?.document_id ?? "");
  await passRound(story);
  await passRound(story);
  const failed = await story.passes(() => cards(story, "could not be built")[0], "the card of what failed");
  expect(cards(story, "could not be built").map(({ ts }) => ts)).toEqual([failed.ts]);
  platform.changeImage("golden-web", { status: "capturing" });
  await passRound(story);
  platform.changeImage("golden-web", { status: "available" });
  await passRound(story);
  const card = await story.sees(ben, "The image `golden-web` is ready to be used");
  await story.pressing(ana, card, "Show image", "golden-web");
  await ana.choose(card, "More…", "Mute for 1 hour");
  await story.sees(ana, "are muted in all channels");
});

test("polling reads the rest, tries a failed reading again later, and says that a key was revoked", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  platform.faults.next({ how: "reset", path: "/invoices" });
  platform.faults.next({ how: "reset", path: "/invoices" });
  const { number } = platform.bill("Colocation", 1_000);
  platform.change("mail", { status: "suspended" });
  await passRound(story);
  await story.sees(ben, "`mail.example.test` is suspended");
  expect(cards(story, number)).toEqual([]);
  await passRound(story);
  await story.sees(ben, `Invoice \`${number}\` waits`);
  platform.revoke(platform.keys.reader);
  story.clock.skip(hour);
  const answer = async () => said(await story.ask(ana, "/rackbell alerts", "Alerts by channel"));
  await expect.poll(answer, { interval: 100 }).toContain("no longer accepts the customer monitoring key");
  await story.seesIn("dm", ana, "Polling cannot read anything with the customer monitoring key since", "Connect…");
  const { key } = platform.addKey({ owner: "dave", label: "second reader", scopes: ["read"] });
  story.secrets.add(key);
  await connect(story, ana, { "Customer monitoring key": key }, "monitoring key is set");
  await story.seesIn("dm", ana, "Polling uses another customer monitoring key now");
});

test("an admin polls now, and gets an answer when there is no key for it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell alerts look", "No monitoring key is set");
  const none = await story.ask(ana, "/rackbell alerts", "No alerts about your own services");
  await ana.press(none, "Set the monitoring key…");
  await story.modal(ana, "Customer monitoring key");
  await story.ask(ana, "/rackbell alerts add #ops events=machine.*", "Saved");
  await connect(story, ana, { "Customer monitoring key": platform.keys.reader.key }, "monitoring key is set");
  const polled = await story.ask(ana, "/rackbell alerts", "I poll your own services");
  expect(said(polled)).not.toContain("Set the monitoring key…");
  await expect.poll(() => platform.calls().some(({ path }) => path === "/vps")).toBe(true);
  platform.change("web-1", { instance: { state: "paused" } });
  await story.ask(ana, "/rackbell alerts look", "I poll your own services");
  await story.passes(() => cards(story, "The machine of `web-1.example.test` is paused")[0], "the card");
  await story.ask(ben, "/rackbell alerts look", "Only an admin");
});
